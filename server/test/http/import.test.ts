import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { assertBooks, rowsOf } from '../../../tests/support/books.ts'
import { type Answer, call } from '../../../tests/support/call.ts'
import { evmWallet, makeRealm, rich, solanaWallet } from '../../../tests/support/fixture.ts'
import { operatorToken } from '../../../tests/support/process.ts'
import { entryCount } from '../../../tests/support/query.ts'
import { suite } from '../../../tests/support/suite.ts'
import { asManager, asOperator } from '../../../tests/support/v4.ts'

const made = suite()
const third = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
let realm: { readonly id: string; readonly key: string; readonly pointId: string }

async function makeIt(): Promise<void> {
  const access = { baseUrl: made.app.url, token: operatorToken }
  const { id, pointId } = await makeRealm(access, { point: { id: 'gold' } })
  await asManager(made, 'POST', { path: `/realms/${id}/points`, body: { id: 'silver' } })
  const body = { scopes: ['realm:admin', 'members:read', 'wallets:read', 'points:write'] }
  const { key } = await asOperator(made, 'POST', { path: `/realms/${id}/keys`, body })
  realm = { id, key, pointId }
}

type Sent = { readonly type?: string; readonly query?: string; readonly key?: string }

function send(
  raw: string,
  { type = 'text/csv', query = 'name=move', key = realm.key }: Sent = {},
): Promise<Answer> {
  const url = `${made.app.url}/api/v4/realms/${realm.id}/import?${query}`
  return call('POST', url, { key, raw, headers: { 'content-type': type } })
}
const ndjson = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n')
const member = async (id: string) =>
  (await call('GET', `${made.app.url}/api/v4/realms/${realm.id}/members/${id}`, { key: realm.key })).json
const wallets = async (id: string) =>
  (await call('GET', `${made.app.url}/api/v4/realms/${realm.id}/web3/members/${id}`, { key: realm.key })).json
    .wallets as { address: string }[]
/** How many rows of each table the realm has: a request without effect leaves it unchanged. */
const counts = () =>
  rowsOf(
    made.database.superuserUrl,
    `select (select count(*) from members) as members, (select count(*) from wallets) as wallets,
      (select count(*) from journal) as entries, (select count(*) from audit) as acts`,
  )
const pointers = ({ json }: Answer): string[] =>
  json.errors.map(({ pointer }: { pointer: string }) => pointer)

const file =
  '\uFEFFid,username,displayName,wallet,balance,balance:silver\r\n' +
  `${rich},fox,"Fox, the ""first""",${evmWallet.toLowerCase()};${solanaWallet},120,7\r\n` +
  '5,,,,,\r\n' +
  '6,"two\nlines",,,30,\r\n'

describe('import', () => {
  before(makeIt)

  describe('200', () => {
    it('a dry run returns what would happen, and changes nothing', async () => {
      const before = await counts()
      const { status, json } = await send(file, { query: 'name=move&dryRun=true' })
      assert.equal(status, 200)
      assert.deepEqual(json, {
        dryRun: true,
        rows: 3,
        members: { created: 3, updated: 0 },
        wallets: { linked: 2 },
        openings: { made: 3, alreadyThere: 0, onTop: 0 },
        totals: { gold: '150', silver: '7' },
        faults: [],
      })
      assert.deepEqual(await counts(), before)
    })

    it('members, wallets and opening balances exist afterwards, one entry for each balance', async () => {
      const { status, json } = await send(file)
      assert.equal(status, 200)
      assert.deepEqual(json.openings, { made: 3, alreadyThere: 0, onTop: 0 })
      const fox = await member(rich)
      assert.deepEqual([fox.username, fox.displayName], ['fox', 'Fox, the "first"'])
      assert.deepEqual(fox.balances, { gold: 120, silver: 7 })
      assert.equal((await wallets(rich)).length, 2)
      assert.equal((await member('6')).username, 'two\nlines')
      assert.equal(await entryCount(made, realm.id), 3)
      const kinds = await rowsOf(
        made.database.superuserUrl,
        'select distinct kind from journal where kind = 8',
      )
      assert.equal(kinds.length, 1)
      await assertBooks(made.database)
    })

    it('the same import again adds nothing', async () => {
      const before = await counts()
      const { status, json } = await send(file)
      assert.equal(status, 200)
      assert.deepEqual(json.members, { created: 0, updated: 0 })
      assert.deepEqual(json.wallets, { linked: 0 })
      assert.deepEqual(json.openings, { made: 0, alreadyThere: 3, onTop: 0 })
      assert.deepEqual(json.totals, { gold: '150', silver: '7' })
      assert.deepEqual(await counts(), before)
    })

    it('a longer chunk adds what is new, and NDJSON means the same as CSV', async () => {
      const rows = [
        { id: '6', balance: 30 },
        { id: 7, username: 'new', balance: '4', 'balance:silver': 1, wallet: [third] },
      ]
      const { status, json } = await send(ndjson(rows), { type: 'application/x-ndjson' })
      assert.equal(status, 200)
      assert.deepEqual(json.members, { created: 1, updated: 0 })
      assert.deepEqual(json.openings, { made: 2, alreadyThere: 1, onTop: 0 })
      assert.deepEqual((await member('7')).balances, { gold: 4, silver: 1 })
      assert.equal((await wallets('7'))[0]?.address, third)
    })

    it('ids in NDJSON lose no digit, as numbers or as text', async () => {
      const raw = '{"id":1190194345295482953}\n{"id":"1190194345295482954"}\n'
      assert.equal((await send(raw, { type: 'application/x-ndjson' })).status, 200)
      for (const id of ['1190194345295482953', '1190194345295482954']) assert.equal((await member(id)).id, id)
    })

    it('with another name it is another import', async () => {
      const { json } = await send('id,balance\n6,30\n', { query: 'name=second&onTop=add' })
      assert.deepEqual(json.openings, { made: 1, alreadyThere: 0, onTop: 1 })
      assert.equal((await member('6')).tokenBalance, 60)
    })

    it('what an export made safe for spreadsheets is read as it was', async () => {
      const raw = `id,username,joinedAt\n"=""1190194345295482955""",'=fox,2026-01-01T00:00:00Z\n`
      assert.equal((await send(raw)).status, 200)
      assert.equal((await member('1190194345295482955')).username, '=fox')
    })

    it('rounded ids are accepted when allowed', async () => {
      const raw = 'id\n1190194345295480000\n'
      assert.equal((await send(raw, { query: 'name=move&roundedIds=allow' })).status, 200)
    })

    it('of one file sent twice at once counts each opening balance for its creator', async () => {
      const rows = Array.from({ length: 400 }, (_, index) => `${index + 7_000},1`)
      const csv = `id,balance\n${rows.join('\n')}\n`
      const answers = await Promise.all([1, 2].map(() => send(csv, { query: 'name=at-once' })))
      const openings = answers.map(({ json }) => json.openings)
      assert.equal(openings[0].made + openings[1].made, 400)
      for (const { made: own, alreadyThere } of openings) assert.equal(own + alreadyThere, 400)
    })

    it('a dry run lists what is wrong, by line', async () => {
      const { status, json } = await send('id\n5\n1.19E+18\n', {
        query: 'name=move&dryRun=true&firstLine=1001',
      })
      assert.equal(status, 200)
      assert.deepEqual(
        json.faults.map(({ line }: { line: number }) => line),
        [1002],
      )
    })
  })

  describe('400', () => {
    it('any error rejects the whole chunk; each is reported with its line', async () => {
      const before = await counts()
      const raw = [
        'id,username,wallet,balance',
        '5000,ok,,1',
        '1.19E+18,,,',
        '1190194345295480000,,,',
        '5001,,,1.5',
        '5001,,,-2',
        `5002,${'x'.repeat(101)},,`,
        '5003,,nonsense,',
        `5004,,${evmWallet},`,
        `5005,,${third};${third.toLowerCase()},`,
        '5006,,',
        '5000,,,',
        '5007,,,9007199254740992',
      ].join('\n')
      const answer = await send(raw)
      assert.equal(answer.status, 400)
      assert.equal(answer.json.code, 'invalid_request')
      const lines = [3, 4, 5, 6, 6, 7, 8, 9, 10, 11, 12, 13]
      assert.deepEqual(
        [...new Set(pointers(answer))].sort(),
        [...new Set(lines.map((line) => `line:${line}`))].sort(),
      )
      assert.match(answer.json.errors[0].detail, /spreadsheet/)
      assert.deepEqual(await counts(), before)
    })

    it('stops reading after a thousand errors', async () => {
      const raw = `id\n${'x\n'.repeat(3_000)}`
      const answer = await send(raw)
      assert.equal(answer.status, 400)
      assert.equal(answer.json.errors.length, 100)
      assert.match(answer.json.detail, /^Line 2: .* At least 999 more\./)
      const dry = await send(raw, { query: 'name=move&dryRun=true' })
      assert.deepEqual([dry.status, dry.json.faults.length], [200, 100])
    })

    it('lines are those of the file when a chunk says where it starts', async () => {
      assert.deepEqual(pointers(await send('id\n8\nx\n', { query: 'name=move&firstLine=500' })), ['line:501'])
      const sent = { type: 'application/x-ndjson', query: 'name=move&firstLine=500' }
      assert.deepEqual(pointers(await send('{"id":8}\nno\n[]\n{"id":{}}', sent)), [
        'line:501',
        'line:502',
        'line:503',
      ])
    })

    it('a column that does not exist, is missing or is duplicated', async () => {
      for (const raw of [
        'id,ballance\n8,1',
        'username\nx',
        'id,balance,balance:gold\n8,1,1',
        'id,balance:none\n8,1',
      ]) {
        const answer = await send(raw)
        assert.equal(answer.status, 400, raw)
        assert.deepEqual(pointers(answer), ['line:1'], raw)
      }
    })

    it('an opening balance that differs from the one before', async () => {
      const answer = await send('id,balance\n6,31\n')
      assert.equal(answer.status, 400)
      assert.match(answer.json.errors[0].detail, /opening balance of 30, not 31/)
    })

    it('an opening balance that exceeds a member’s limit', async () => {
      const answer = await send('id,balance\n6,9007199254740991\n', { query: 'name=large&onTop=add' })
      assert.equal(answer.status, 400)
      assert.match(answer.json.errors[0].detail, /Member 6 has 60 already/)
    })

    it('no name, no body, no UTF-8, a misspelt parameter', async () => {
      assert.deepEqual(pointers(await send('id\n8', { query: '' })), ['query:name'])
      assert.equal((await send('')).status, 400)
      const url = `${made.app.url}/api/v4/realms/${realm.id}/import?name=move`
      const headers = { 'content-type': 'text/csv' }
      assert.equal(
        (await call('POST', url, { key: realm.key, raw: Buffer.from([0xff, 0xfe]), headers })).status,
        400,
      )
      assert.deepEqual(pointers(await send('id\n8', { query: 'name=move&dryrun=true' })), ['query:dryrun'])
    })
  })

  describe('403, 413, 415', () => {
    it('a key without realm:admin is rejected', async () => {
      const { key } = await asOperator(made, 'POST', { path: `/realms/${realm.id}/keys`, body: {} })
      assert.equal((await send(file, { key })).json.code, 'insufficient_scope')
    })

    it('a key with limits of points is rejected, also for a dry run', async () => {
      const body = { scopes: ['realm:admin', 'points:write'], maxPerChange: 1_000_000 }
      const { key } = await asOperator(made, 'POST', { path: `/realms/${realm.id}/keys`, body })
      const before = await counts()
      for (const query of ['name=limited', 'name=limited&dryRun=true']) {
        const { status, json } = await send('id,balance\n77,5\n', { key, query })
        assert.deepEqual([status, json.code], [403, 'forbidden'])
      }
      assert.deepEqual(await counts(), before)
    })

    it('a chunk above 256 KiB is rejected', async () => {
      assert.equal((await send(`id\n${'1'.repeat(256 * 1024)}`)).status, 413)
    })

    it('JSON is rejected here, and CSV everywhere else', async () => {
      assert.equal((await send('{}', { type: 'application/json' })).status, 415)
      const url = `${made.app.url}/api/v4/realms/${realm.id}/members/6/tokenBalance`
      const headers = { 'content-type': 'text/csv' }
      assert.equal((await call('PATCH', url, { key: realm.key, raw: '{"tokens":1}', headers })).status, 415)
    })
  })
})
