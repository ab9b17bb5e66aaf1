import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { moreApps } from '../../../tests/support/apps.ts'
import { rowsOf } from '../../../tests/support/books.ts'
import { call } from '../../../tests/support/call.ts'
import { rich } from '../../../tests/support/fixture.ts'
import { asRealm, operate } from '../../../tests/support/operator.ts'
import { assertProblem } from '../../../tests/support/problem.ts'
import { keySecrets } from '../../../tests/support/process.ts'
import { suite } from '../../../tests/support/suite.ts'

const anotherApp = moreApps()
const made = suite({ TRUSTED_PROXIES: '127.0.0.1' })
const keys = () => `/realms/${made.fixture.realm.id}/keys`
const issue = async (name: string, url = made.app.url) => {
  const { status, json } = await operate(url, `POST ${keys()}`, { name })
  assert.equal(status, 201)
  return json as { id: string; key: string; prefix: string; lastFour: string; createdAt: string }
}
const tryKey = (key: string, url = made.app.url, headers = {}) =>
  asRealm(url, { id: made.fixture.realm.id, key }, { line: `GET /members/${rich}`, headers })
/** A new address: too many wrong keys from one address are throttled. */
const elsewhere = { 'x-forwarded-for': '192.0.2.1' }
const newSecret = `k2:${'fedcba9876543210'.repeat(4)}`
const hmac = (secret: string, text: string) =>
  createHmac('sha256', secret.slice(secret.indexOf(':') + 1))
    .update(text)
    .digest('hex')

describe('200', () => {
  it('a key has the documented format, grants access to its realm, and is unique', async () => {
    const { json: document } = await call('GET', `${made.app.url}/openapi.json`)
    const route = document.paths['/operator/v1/realms/{realmID}/keys'].post
    const { $ref } = route.responses['201'].content['application/json'].schema
    const schema = document.components.schemas[$ref.split('/').at(-1)]
    const pattern = new RegExp(schema.properties.key.pattern)
    assert.ok(!pattern.test('anything'))
    const [one, two] = [await issue('one'), await issue('two')]
    assert.match(one.key, pattern)
    assert.match(two.key, pattern)
    assert.notEqual(one.key, two.key)
    assert.equal((await tryKey(one.key)).status, 200)
  })

  it('a key is in the database only as HMAC-SHA256 under the current secret', async () => {
    const { id, key } = await issue('hashed')
    const rows = await rowsOf(
      made.database.superuserUrl,
      `select k.*, encode(k.hash, 'hex') as hex, k::text as everything
        from keys k join realms r on r.realm = k.realm where r.id = $1 and k.number = $2`,
      [made.fixture.realm.id, Number(id)],
    )
    assert.equal(rows.length, 1)
    assert.equal(rows[0].hex, hmac(keySecrets, key))
    assert.equal(rows[0].secret_id, 'k1')
    assert.ok(!rows[0].everything.includes(key.slice(8, -4)))
  })

  it('keys are listed by name, first and last characters, and never by their text', async () => {
    const { key, ...shown } = await issue('listed')
    assert.ok(key.startsWith(shown.prefix) && key.endsWith(shown.lastFour))
    assert.ok(shown.prefix.length + shown.lastFour.length <= 12)
    const { json, text } = await operate(made.app.url, `GET ${keys()}`)
    assert.deepEqual(
      json.data.find((listed: { id: string }) => listed.id === shown.id),
      shown,
    )
    assert.ok(!text.includes(key))
    assert.ok(json.data.every((listed: object) => !('key' in listed)))
  })

  it('a key without a name gets a default name', async () => {
    const { json } = await operate(made.app.url, `POST ${keys()}`, {})
    assert.equal(typeof json.name, 'string')
  })

  it('ids are consecutive when keys are issued concurrently', async () => {
    const issued = await Promise.all(Array.from({ length: 10 }, (_, index) => issue(`at once ${index}`)))
    assert.equal(new Set(issued.map(({ id }) => id)).size, 10)
  })

  it('a key made with a secret that is now second in KEY_SECRETS still works', async () => {
    const old = await issue('before rotation')
    const rotated = await anotherApp(made, { KEY_SECRETS: `${newSecret},${keySecrets}` })
    assert.equal((await tryKey(old.key, rotated.url)).status, 200)
    const fresh = await issue('after rotation', rotated.url)
    assert.equal((await tryKey(fresh.key, rotated.url)).status, 200)
    const rows = await rowsOf(
      made.database.superuserUrl,
      `select secret_id, encode(hash, 'hex') as hex from keys where name = 'after rotation'`,
    )
    assert.deepEqual(rows, [{ secret_id: 'k2', hex: hmac(newSecret, fresh.key) }])
  })
})

describe('400', () => {
  it('a name that is too long issues nothing', async () => {
    const { status, json } = await operate(made.app.url, `POST ${keys()}`, { name: 'n'.repeat(101) })
    assert.equal(status, 400)
    assert.equal(json.errors[0].pointer, '/name')
  })
})

describe('401', () => {
  it('a revoked key is rejected by every server after one second; revoking again is 404', async () => {
    const second = await anotherApp(made)
    const [revoked, kept] = [await issue('revoked'), await issue('kept')]
    const urls = [made.app.url, second.url]
    for (const url of urls) assert.equal((await tryKey(revoked.key, url)).status, 200)
    // Used until the last moment, so that both servers have just confirmed it.
    await Promise.all(urls.map((url) => tryKey(revoked.key, url)))
    const answer = await operate(made.app.url, `DELETE ${keys()}/${revoked.id}`)
    const atMs = Date.now()
    assert.equal(answer.status, 204)
    const lastOpened = await Promise.all(
      urls.map(async (url) => {
        let lastMs = 0
        while (Date.now() - atMs < 1_500) {
          const askedMs = Date.now()
          const { status } = await tryKey(revoked.key, url)
          if (status === 200) lastMs = askedMs - atMs
          else assert.equal(status, 401)
          await sleep(10)
        }
        return lastMs
      }),
    )
    assert.ok(Math.max(...lastOpened) < 1_000, `still accepted after ${lastOpened.join(', ')} ms`)
    for (const url of urls) {
      assert.equal((await tryKey(revoked.key, url)).status, 401)
      assert.equal((await tryKey(kept.key, url)).status, 200)
    }
    const again = await operate(made.app.url, `DELETE ${keys()}/${revoked.id}`)
    assertProblem(again, 404, 'key_not_found')
    const { json } = await operate(made.app.url, `GET ${keys()}/${revoked.id}`)
    assert.deepEqual([json.status, Date.parse(json.revokedAt) > 0], ['revoked', true])
  })

  it('a key of a removed secret is rejected', async () => {
    const { key } = await issue('of the old secret')
    const without = await anotherApp(made, { KEY_SECRETS: newSecret })
    assert.equal((await tryKey(key, without.url)).status, 401)
  })

  it('a key with one character changed is rejected wherever it was changed', async () => {
    const { key } = await issue('mistyped')
    for (let place = 0; place < key.length; place++) {
      const changed = key.slice(0, place) + (key[place] === 'a' ? 'b' : 'a') + key.slice(place + 1)
      assert.equal((await tryKey(changed, made.app.url, elsewhere)).status, 401, changed)
    }
    assert.equal((await tryKey(key)).status, 200)
  })

  it('a mistyped key is rejected without a database query, which a well-formed one needs', async () => {
    const { id, key } = await issue('behind a lock')
    await operate(made.app.url, `DELETE ${keys()}/${id}`)
    const mistyped = key.slice(0, 20) + (key[20] === 'a' ? 'b' : 'a') + key.slice(21)
    const locker = new pg.Client({ connectionString: made.database.superuserUrl })
    await locker.connect()
    try {
      await locker.query('begin; lock table exchequer.keys in access exclusive mode')
      const wellFormed = tryKey(key)
      assert.equal(await Promise.race([wellFormed, sleep(400, 'waiting')]), 'waiting')
      const startMs = Date.now()
      assert.equal((await tryKey(mistyped, made.app.url, elsewhere)).status, 401)
      assert.ok(Date.now() - startMs < 300)
      await locker.query('commit')
      assert.equal((await wellFormed).status, 401)
    } finally {
      await locker.end()
    }
  })
})

describe('404', () => {
  it('a key that the realm does not have can’t be revoked, nor another realm’s', async () => {
    const foreign = await operate(made.app.url, `POST ${keys()}`, {})
    for (const id of ['0', '999999', 'abc', '1.0', '99999999999999999999', foreign.json.key]) {
      const { status, json } = await operate(made.app.url, `DELETE ${keys()}/${id}`)
      assert.equal(status, 404, id)
      assert.equal(json.code, 'key_not_found')
    }
    const { other } = made.fixture
    const elsewhere = await operate(made.app.url, `DELETE /realms/${other.id}/keys/${foreign.json.id}`)
    assert.equal(elsewhere.status, 404)
    assert.equal((await tryKey(foreign.json.key)).status, 200)
  })
})
