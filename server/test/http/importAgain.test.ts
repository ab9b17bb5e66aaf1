import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { assertBooks } from '../../../tests/support/books.ts'
import { type Answer, call } from '../../../tests/support/call.ts'
import { makeRealm } from '../../../tests/support/fixture.ts'
import { operatorToken } from '../../../tests/support/process.ts'
import { entryCount } from '../../../tests/support/query.ts'
import { suite } from '../../../tests/support/suite.ts'
import { asManager, asOperator } from '../../../tests/support/v4.ts'

const made = suite()
let realm: { readonly id: string; readonly key: string }

const send = (method: string, path: string, body?: object): Promise<Answer> =>
  call(method, `${made.app.url}/api/v4/realms/${realm.id}${path}`, {
    key: realm.key,
    ...(body === undefined ? {} : { body }),
  })
const importCsv = (raw: string, query: string): Promise<Answer> =>
  call('POST', `${made.app.url}/api/v4/realms/${realm.id}/import?${query}`, {
    key: realm.key,
    raw,
    headers: { 'content-type': 'text/csv' },
  })
async function adjust(id: string, tokens: number, realmPointId = 'gold'): Promise<string> {
  const { status, json, text } = await send('PATCH', `/members/${id}/tokenBalance`, { tokens, realmPointId })
  assert.equal(status, 200, text)
  return json.transactionId
}
async function openWith(id: string, balance: number): Promise<void> {
  assert.equal((await importCsv(`id,balance\n${id},${balance}\n`, 'name=move')).json.openings.made, 1)
}
const balances = async (id: string) => (await send('GET', `/members/${id}`)).json.balances

async function makeIt(): Promise<void> {
  const { id } = await makeRealm({ baseUrl: made.app.url, token: operatorToken }, { point: { id: 'gold' } })
  await asManager(made, 'POST', { path: `/realms/${id}/points`, body: { id: 'silver' } })
  const scopes = ['realm:admin', 'members:read', 'members:write', 'points:write', 'journal:read']
  const { key } = await asOperator(made, 'POST', { path: `/realms/${id}/keys`, body: { scopes } })
  realm = { id, key }
}

/** States of a member, by id, and whether an opening balance of gold would be added on top. */
const members: readonly (readonly [id: string, onTop: boolean, set: (id: string) => Promise<unknown>])[] = [
  ['1', true, (id) => openWith(id, 5)],
  ['2', true, (id) => adjust(id, 5)],
  [
    '3',
    true,
    async (id) => {
      await adjust(id, 5)
      const hold = await send('POST', `/members/${id}/holds`, { tokens: 5, realmPointId: 'gold' })
      assert.equal(hold.status, 201, hold.text)
    },
  ],
  [
    '4',
    true,
    async (id) => {
      for (let nth = 0; nth < 25; nth += 1) await adjust(id, 1)
      await adjust(id, -25)
      await openWith(id, 5)
      await adjust(id, -5)
    },
  ],
  [
    '5',
    false,
    async (id) => {
      await openWith(id, 5)
      const { json } = await send('GET', `/members/${id}/history`)
      const undone = await send('POST', `/entries/${json.data[0].transactionId}/reverse`, {})
      assert.equal(undone.status, 200, undone.text)
    },
  ],
  ['6', false, (id) => adjust(id, 5, 'silver')],
  [
    '7',
    false,
    async (id) => {
      await adjust(id, 5)
      await adjust(id, -5)
    },
  ],
]
const file = `id,balance\n${members.map(([id]) => `${id},5`).join('\n')}\n8,5\n`
const counted = members.filter(([, onTop]) => onTop).map(([id]) => id)

describe('an import under a new name of members who have points', () => {
  before(async () => {
    await makeIt()
    for (const [id] of members) assert.equal((await send('PUT', `/members/${id}`, {})).status, 201)
    for (const [id, , set] of members) await set(id)
  })

  it('a dry run counts opening balances that would be added on top, and says how to choose', async () => {
    const { status, json } = await importCsv(file, 'name=again&dryRun=true')
    assert.equal(status, 200)
    assert.deepEqual(json.openings, { made: 8, alreadyThere: 0, onTop: counted.length })
    assert.equal(json.faults.length, 1)
    const [{ line, detail }] = json.faults
    assert.equal(line, 2)
    assert.match(
      detail,
      new RegExp(`^${counted.length} opening balances are for members who .*: 1, 2, 3, 4\\.`),
    )
    assert.match(detail, /use the name it had\. To add on top: onTop=add\.$/)
  })

  it('is rejected as a whole, with the count, unless it requests to add on top', async () => {
    const before = await entryCount(made, realm.id)
    for (const choice of ['', '&onTop=refuse']) {
      const { status, json } = await importCsv(file, `name=again${choice}`)
      assert.deepEqual([status, json.code], [400, 'invalid_request'])
      assert.match(
        json.detail,
        new RegExp(`${counted.length} opening balances are for members who already have`),
      )
      assert.match(json.detail, /onTop=add.* Nothing was imported\.$/)
    }
    assert.equal((await send('GET', '/members/8')).status, 404)
    assert.equal(await entryCount(made, realm.id), before)
    assert.equal((await importCsv(file, 'name=again&onTop=double')).status, 400)
  })

  it('succeeds when no member in it has any', async () => {
    const free = members.filter(([, onTop]) => !onTop).map(([id]) => id)
    const { status, json } = await importCsv(`id,balance\n${free.join(',5\n')},5\n`, 'name=free')
    assert.equal(status, 200)
    assert.deepEqual(json.openings, { made: 3, alreadyThere: 0, onTop: 0 })
    assert.deepEqual(await balances('6'), { gold: 5, silver: 5 })
  })

  it('balances.csv as it was exported doubles no member', async () => {
    const csv = (await send('GET', '/export/balances.csv')).text
    const { status, json } = await importCsv(csv, 'name=exported')
    assert.equal(status, 400, JSON.stringify(json))
    assert.match(json.detail, /opening balances are for members who already have/)
    assert.deepEqual(await balances('1'), { gold: 5, silver: 0 })
  })

  it('adds them on top when requested, and the same import again adds nothing', async () => {
    const { status, json } = await importCsv(file, 'name=again&onTop=add')
    assert.equal(status, 200, JSON.stringify(json))
    assert.deepEqual([json.openings.made, json.faults], [8, []])
    assert.equal((await balances('1')).gold, 10)
    for (const choice of ['', '&onTop=add']) {
      const again = await importCsv(file, `name=again${choice}`)
      assert.deepEqual(again.json.openings, { made: 0, alreadyThere: 8, onTop: 0 })
    }
    await assertBooks(made.database)
  })

  it('with two names concurrently opens each member once', async () => {
    const ids = Array.from({ length: 300 }, (_, index) => String(index + 1_000))
    const csv = `id,balance\n${ids.join(',5\n')},5\n`
    const answers = await Promise.all(['a', 'b', 'c'].map((name) => importCsv(csv, `name=${name}`)))
    assert.ok(answers.some(({ status }) => status !== 200))
    for (const { status, json } of answers) {
      assert.ok([200, 400, 412].includes(status), JSON.stringify(json))
    }
    for (const id of [ids[0], ids[150], ids[299]]) assert.equal((await balances(String(id))).gold, 5)
    await assertBooks(made.database)
  })

  it('with one name concurrently is one import, also for existing members', async () => {
    for (let round = 0; round < 10; round += 1) {
      const ids = Array.from({ length: 100 }, (_, index) => String(10_000 + round * 100 + index))
      assert.equal((await importCsv(`id\n${ids.join('\n')}\n`, 'name=there')).status, 200)
      const csv = `id,balance\n${ids.join(',5\n')},5\n`
      const answers = await Promise.all([1, 2, 3, 4].map(() => importCsv(csv, `name=round-${round}`)))
      for (const { status, text } of answers) assert.equal(status, 200, text)
      const openings = answers.map(({ json }) => json.openings.made)
      assert.equal(
        openings.reduce((sum, one) => sum + one),
        100,
      )
    }
  })
})
