import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { before, describe, it } from 'node:test'
import { rowsOf } from '../../../tests/support/books.ts'
import { type Answer, call } from '../../../tests/support/call.ts'
import { rich } from '../../../tests/support/fixture.ts'
import { suite } from '../../../tests/support/suite.ts'
import { asOperator } from '../../../tests/support/v4.ts'

const made = suite()
let key: string
const realmId = () => made.fixture.realm.id
const url = (file: string) => `${made.app.url}/api/v4/realms/${realmId()}/export/${file}`
const files = ['members.csv', 'balances.csv', 'entries.csv', 'realm.ndjson']

async function keyFor(scopes: readonly string[] | undefined): Promise<string> {
  const body = scopes ? { scopes } : {}
  return (await asOperator(made, 'POST', { path: `/realms/${realmId()}/keys`, body })).key
}

describe('export', () => {
  before(async () => {
    key = await keyFor(['members:read', 'wallets:read', 'journal:read', 'realm:admin'])
    // More than a page, and more than the connection's buffers hold.
    await rowsOf(
      made.database.superuserUrl,
      `insert into members (realm, account, id, username)
        select realm, next_account + g, 5000 + g, repeat('x', 90) from heads, generate_series(0, 29999) g
        where realm = (select realm from realms where id = '${realmId()}');
      update heads set next_account = next_account + 30000
        where realm = (select realm from realms where id = '${realmId()}')`,
    )
  })

  describe('200', () => {
    for (const file of files) {
      it(`${file} is streamed, with the entry of its snapshot`, async () => {
        const answer: Answer = await call('GET', url(file), { key })
        assert.equal(answer.status, 200)
        assert.equal(answer.headers['exchequer-seq'], '2')
        assert.equal(answer.headers['content-length'], undefined)
        assert.match(answer.headers['content-disposition'] ?? '', new RegExp(`filename="${file}"`))
        const lines = answer.text.trimEnd().split('\n')
        const due = { 'entries.csv': 3, 'realm.ndjson': 1 + 30_003 + 2 + 2 + 1 }[file] ?? 30_004
        assert.equal(lines.length, due)
        assert.ok(answer.text.includes(rich))
      })

      it(`${file} has the same headers for HEAD`, async () => {
        const answer = await call('HEAD', url(file), { key })
        assert.deepEqual([answer.status, answer.text, answer.headers['exchequer-seq']], [200, '', '2'])
      })
    }

    it('realm.ndjson starts with its format and ends with counts', async () => {
      const lines = (await call('GET', url('realm.ndjson'), { key })).text.trimEnd().split('\n')
      const first = JSON.parse(lines[0] ?? '')
      assert.deepEqual(
        [first.format, first.version, first.realmId, first.seq],
        ['exchequer-realm', 1, realmId(), '2'],
      )
      assert.match(first.hash, /^[0-9a-f]{64}$/)
      const counts = { members: 30_003, wallets: 2, entries: 2, holds: 0 }
      assert.deepEqual(JSON.parse(lines.at(-1) ?? ''), { end: true, counts })
    })

    it('a client that disconnects, or reads slowly, does not affect others', async () => {
      const sending = get(url('realm.ndjson'), { headers: { authorization: key } })
      const [response] = (await once(sending, 'response')) as [IncomingMessage]
      response.pause()
      assert.equal((await call('GET', url('entries.csv'), { key })).status, 200)
      response.destroy()
      assert.equal((await call('GET', url('members.csv'), { key })).status, 200)
    })
  })

  describe('401, 403', () => {
    const needed: Record<string, string[]> = {
      'members.csv': ['members:read', 'wallets:read'],
      'balances.csv': ['members:read', 'journal:read'],
      'entries.csv': ['journal:read'],
      'realm.ndjson': ['realm:admin'],
    }

    it('a file needs every scope that covers its content', async () => {
      for (const file of files) {
        const scopes = needed[file] ?? []
        assert.equal((await call('GET', url(file))).status, 401)
        assert.equal((await call('GET', url(file), { key: await keyFor(scopes) })).status, 200, file)
        for (const missing of scopes) {
          const others = scopes.filter((scope) => scope !== missing)
          const { json } = await call('GET', url(file), { key: await keyFor([...others, 'points:write']) })
          assert.equal(json?.code, 'insufficient_scope', `${file} without ${missing}`)
          assert.match(json.detail, new RegExp(missing))
        }
      }
    })
  })
})
