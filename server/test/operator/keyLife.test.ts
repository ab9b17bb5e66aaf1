import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { moreApps } from '../../../tests/support/apps.ts'
import { rowsOf } from '../../../tests/support/books.ts'
import { call } from '../../../tests/support/call.ts'
import { rich } from '../../../tests/support/fixture.ts'
import { asRealm, operate } from '../../../tests/support/operator.ts'
import { suite, testConfig } from '../../../tests/support/suite.ts'
import { startApp } from '../../src/app/index.ts'

const anotherApp = moreApps()
const made = suite()
const keys = () => `/realms/${made.fixture.realm.id}/keys`

async function issue(body: object = {}) {
  const { status, json, text } = await operate(made.app.url, `POST ${keys()}`, body)
  assert.equal(status, 201, text)
  return json as { id: string; key: string; scopes: string[] | null; expiresAt: string | null }
}
const realm = (key: string) => ({ id: made.fixture.realm.id, key })
const use = (key: string, line = `GET /members/${rich}`, body?: object) =>
  asRealm(made.app.url, realm(key), { line, body })
const statusOf = async (key: string) => (await use(key)).status
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()

/** Waits until a key is rejected: within the guaranteed second. */
async function assertShut(key: string, url = made.app.url): Promise<void> {
  await sleep(1_000)
  const { status, json } = await asRealm(url, realm(key), { line: `GET /members/${rich}` })
  assert.deepEqual([status, json.code], [401, 'unauthorized'])
}

describe('scopes', () => {
  const lines = {
    'members:read': `GET /members/${rich}`,
    'wallets:read': `GET /web3/members/${rich}`,
    'points:write': `PATCH /members/${rich}/tokenBalance`,
    'realm:admin': 'GET /keys',
  }

  it('a key without any can use the routes of the given contract, and nothing more', async () => {
    const { key, scopes } = await issue()
    assert.equal(scopes, null)
    for (const [scope, line] of Object.entries(lines)) {
      const { status, json } = await use(key, line, line.startsWith('PATCH') ? { tokens: 1 } : undefined)
      assert.equal(status, scope === 'realm:admin' ? 403 : 200, line)
      if (status === 403) assert.equal(json.code, 'insufficient_scope')
    }
  })

  for (const [scope] of Object.entries(lines)) {
    it(`a key with ${scope} alone allows only that`, async () => {
      const { key } = await issue({ scopes: [scope] })
      for (const [needed, line] of Object.entries(lines)) {
        const { status, json } = await use(key, line, line.startsWith('PATCH') ? { tokens: 1 } : undefined)
        assert.equal(status, needed === scope ? 200 : 403, line)
        if (status === 403) assert.match(json.detail, new RegExp(needed))
      }
    })
  }

  it('a missing scope is reported before an error in the body, and after an unknown route', async () => {
    const { key } = await issue({ scopes: ['members:read'] })
    const at = `/members/${rich}/tokenBalance`
    assert.equal((await use(key, `PATCH ${at}`, { tokens: 'many' })).status, 403)
    assert.equal((await use(key, 'GET /nothing')).status, 404)
    assert.equal((await use(key, `DELETE ${at}`)).status, 405)
  })

  it('unknown and empty lists of scopes are rejected', async () => {
    for (const scopes of [['all'], [], 'members:read', ['members:read', 5]])
      assert.equal((await operate(made.app.url, `POST ${keys()}`, { scopes })).status, 400)
  })
})

describe('expiry', () => {
  it('a key expires at its time, at once, though it was just used', async () => {
    const { key, expiresAt } = await issue({ expiresAt: inSeconds(1) })
    assert.ok(expiresAt)
    assert.equal(await statusOf(key), 200)
    await sleep(Date.parse(expiresAt) - Date.now() + 20)
    const { status, text } = await use(key)
    const { text: unknown } = await use('exq_no')
    assert.equal(status, 401)
    const nameless = (body: string) => body.replace(/"requestId":"[^"]*"/, '')
    assert.equal(nameless(text), nameless(unknown))
  })

  it('can be set, read, and cleared', async () => {
    const { id, key } = await issue()
    const at = `${keys()}/${id}`
    assert.equal(await statusOf(key), 200)
    const ends = inSeconds(1)
    const set = await operate(made.app.url, `PATCH ${at}`, { expiresAt: ends, name: 'brief' })
    assert.deepEqual([set.json.expiresAt, set.json.name], [ends, 'brief'])
    const cleared = await operate(made.app.url, `PATCH ${at}`, { expiresAt: 'never' })
    assert.equal(cleared.json.expiresAt, null)
    await sleep(1_100)
    assert.equal(await statusOf(key), 200)
    await operate(made.app.url, `PATCH ${at}`, { expiresAt: inSeconds(0.2) })
    await assertShut(key)
    assert.equal((await operate(made.app.url, `PATCH ${at}`, { expiresAt: 'never' })).status, 404)
  })

  it('in the past, or no time at all, is rejected', async () => {
    for (const expiresAt of [inSeconds(-1), 'tomorrow', '2030-01-01', 5])
      assert.equal((await operate(made.app.url, `POST ${keys()}`, { expiresAt })).status, 400)
  })
})

describe('rotation', () => {
  it('gives a new key of the same name and scopes; both work during the overlap', async () => {
    const old = await issue({ name: 'bot', scopes: ['members:read'] })
    const { json } = await operate(made.app.url, `POST ${keys()}/${old.id}/rotate`, { overlapSeconds: 1 })
    assert.deepEqual([json.name, json.scopes, json.replaced.id], ['bot', ['members:read'], old.id])
    assert.deepEqual([await statusOf(old.key), await statusOf(json.key)], [200, 200])
    await assertShut(old.key)
    assert.equal(await statusOf(json.key), 200)
  })

  it('has an overlap of a day by default, at most 30 days, and never extends an expiry', async () => {
    const { id } = await issue()
    const rotate = (key: string, body: object) => operate(made.app.url, `POST ${keys()}/${key}/rotate`, body)
    const { json } = await rotate(id, {})
    const left = Date.parse(json.replaced.expiresAt) - Date.now()
    assert.ok(Math.abs(left - 86_400_000) < 10_000, String(left))
    for (const overlapSeconds of [-1, 2_592_001, 1.5])
      assert.equal((await rotate(json.id, { overlapSeconds })).status, 400)
    const brief = await issue({ expiresAt: inSeconds(60) })
    assert.equal((await rotate(brief.id, {})).json.replaced.expiresAt, brief.expiresAt)
  })

  it('without overlap invalidates the old key everywhere within a second', async () => {
    const other = await anotherApp(made)
    const old = await issue()
    assert.equal((await asRealm(other.url, realm(old.key), { line: `GET /members/${rich}` })).status, 200)
    const { json } = await operate(made.app.url, `POST ${keys()}/${old.id}/rotate`, { overlapSeconds: 0 })
    assert.ok(json.replaced.revokedAt)
    await assertShut(old.key, other.url)
    assert.equal((await operate(made.app.url, `POST ${keys()}/${old.id}/rotate`, {})).status, 404)
  })
})

describe('a key with realm:admin', () => {
  it('issues, lists, rotates, changes and revokes the keys of its own realm', async () => {
    const admin = await issue({ name: 'admin', scopes: ['realm:admin'] })
    const ask = (line: string, body?: object) => use(admin.key, line, body)
    const { json: one } = await ask('POST /keys', { name: 'made by a key' })
    assert.equal(await statusOf(one.key), 200)
    const { json: list } = await ask('GET /keys')
    assert.ok(list.data.some(({ id }: { id: string }) => id === one.id))
    const { json: two } = await ask(`POST /keys/${one.id}/rotate`, { overlapSeconds: 0 })
    assert.equal((await ask(`PATCH /keys/${two.id}`, { name: 'renamed' })).json.name, 'renamed')
    assert.equal((await ask(`DELETE /keys/${two.id}`)).status, 204)
    assert.equal((await ask(`GET /keys/${two.id}`)).json.status, 'revoked')
    const { json: log } = await ask('GET /audit')
    const acts = log.data.slice(0, 4).map(({ action }: { action: string }) => action)
    assert.deepEqual(acts, ['key.revoke', 'key.change', 'key.rotate', 'key.issue'])
    assert.equal(log.data[0].actor, `key ${admin.id} (admin)`)
    assert.equal(log.data[0].address, '127.0.0.1')
  })

  it('has no access to another realm', async () => {
    const { key } = await issue({ scopes: ['realm:admin'] })
    const other = { id: made.fixture.other.id, key }
    assert.equal((await asRealm(made.app.url, other, { line: 'GET /keys' })).status, 403)
  })
})

describe('when a key was last used', () => {
  it('is stored when the server stops, and at most once a minute before', async () => {
    const { id, key } = await issue()
    const other = await startApp(testConfig(made.database))
    const line = `GET /members/${rich}`
    for (let turn = 0; turn < 5; turn++) await asRealm(other.url, realm(key), { line })
    const kept = async () => {
      const { json } = await operate(made.app.url, `GET ${keys()}`)
      return json.data.find((one: { id: string }) => one.id === id).lastUsedAt as string | null
    }
    assert.equal(await kept(), null)
    await other.close()
    const lastUsedAt = await kept()
    assert.ok(lastUsedAt && Date.now() - Date.parse(lastUsedAt) < 5_000)
  })
})

describe('operator tokens', () => {
  const withToken = (key: string, path = '/realms') =>
    call('GET', `${made.app.url}/operator/v1${path}`, { key })

  it('grant access to operator routes, not to realms, until they are revoked or expire', async () => {
    const { json } = await operate(made.app.url, 'POST /tokens', { name: 'ann' })
    assert.match(json.token, /^exo_[0-9A-Za-z]{36}$/)
    assert.equal((await withToken(json.token)).status, 200)
    assert.equal(await statusOf(json.token), 401)
    const { json: list } = await operate(made.app.url, 'GET /tokens')
    assert.ok(!JSON.stringify(list).includes(json.token))
    assert.equal((await operate(made.app.url, `GET /tokens/${json.id}`)).json.status, 'active')
    assert.equal((await operate(made.app.url, `DELETE /tokens/${json.id}`)).status, 204)
    assert.equal((await operate(made.app.url, `GET /tokens/${json.id}`)).json.status, 'revoked')
    assert.equal((await operate(made.app.url, `DELETE /tokens/${json.id}`)).status, 404)
    await sleep(1_000)
    assert.equal((await withToken(json.token)).status, 401)
    const { json: brief } = await operate(made.app.url, 'POST /tokens', {
      name: 'b',
      expiresAt: inSeconds(0.3),
    })
    await sleep(400)
    assert.equal((await withToken(brief.token)).status, 401)
    const past = { name: 'c', expiresAt: inSeconds(-1) }
    assert.equal((await operate(made.app.url, 'POST /tokens', past)).status, 400)
    assert.equal((await operate(made.app.url, 'DELETE /tokens/999')).status, 404)
  })

  it('a realm’s key does not grant access', async () => {
    assert.equal((await withToken((await issue({ scopes: ['realm:admin'] })).key)).status, 401)
  })

  it('are in the audit log by name, with all their actions', async () => {
    const { json } = await operate(made.app.url, 'POST /tokens', { name: 'ben' })
    const asBen = { key: json.token, body: { id: 'made-by-ben' } }
    assert.equal((await call('POST', `${made.app.url}/operator/v1/realms`, asBen)).status, 201)
    const { json: log } = await operate(made.app.url, 'GET /realms/made-by-ben/audit')
    const [{ actor, action, subject }] = log.data
    const expected = [`operator token ${json.id} (ben)`, 'realm.create', 'realm made-by-ben']
    assert.deepEqual([actor, action, subject], expected)
    const { json: own } = await operate(made.app.url, 'GET /audit')
    assert.equal(own.data[0].subject, `operator token ${json.id} (ben)`)
    assert.equal(own.data[0].actor, 'operator')
  })
})

describe('the audit log', () => {
  it('is read page by page, and can be neither changed nor deleted', async () => {
    const at = `/realms/${made.fixture.realm.id}/audit`
    const { json: all } = await operate(made.app.url, `GET ${at}`)
    const { json: first } = await operate(made.app.url, `GET ${at}?limit=1`)
    const { json: rest } = await operate(made.app.url, `GET ${at}?cursor=${first.nextCursor}`)
    assert.deepEqual([...first.data, ...rest.data].slice(0, 50), all.data)
    for (const text of ['update audit set actor = null', 'delete from audit', 'truncate audit']) {
      await assert.rejects(rowsOf(made.database.superuserUrl, text), /append-only/)
      await assert.rejects(rowsOf(made.database.serverUrl, text), /permission denied/)
    }
  })

  it('has no rejected requests', async () => {
    const count = async () =>
      (await rowsOf(made.database.superuserUrl, 'select count(*) from audit'))[0].count
    const before = await count()
    await operate(made.app.url, 'POST /realms', { id: made.fixture.realm.id })
    await operate(made.app.url, `DELETE ${keys()}/999`)
    assert.equal(await count(), before)
  })
})
