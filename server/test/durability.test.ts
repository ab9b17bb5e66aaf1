import assert from 'node:assert/strict'
import { chownSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertAway, openRealm, timed } from '../../tests/support/away.ts'
import { assertBooks, rowsOf } from '../../tests/support/books.ts'
import { call } from '../../tests/support/call.ts'
import type { RealmAccess } from '../../tests/support/fixture.ts'
import { asRealm } from '../../tests/support/operator.ts'
import { environment, runCommand } from '../../tests/support/process.ts'
import { type Restartable, startRestartable } from '../../tests/support/restartable.ts'
import { testConfig } from '../../tests/support/suite.ts'
import { type App, startApp } from '../src/app/index.ts'

let postgres: Restartable
before(async () => {
  postgres = await startRestartable()
})
after(() => postgres?.remove())

async function set(name: string, value: string): Promise<void> {
  await rowsOf(postgres.superuserUrl, `alter system set ${name} = ${value}`)
  await rowsOf(postgres.superuserUrl, 'select pg_reload_conf()')
  await sleep(200)
}

describe('at startup a server rejects a database that could lose acknowledged writes', () => {
  afterEach(async () => {
    await rowsOf(postgres.superuserUrl, 'alter system reset all')
    await rowsOf(postgres.superuserUrl, 'select pg_reload_conf()')
  })

  const serve = (extra: Record<string, string> = {}) =>
    // With a port that can't be used, a server that would have started exits too, with another message.
    runCommand(['serve'], environment(postgres, { HOST: '192.0.2.1', ...extra }))

  for (const setting of ['fsync', 'full_page_writes']) {
    it(`one with ${setting} off, unless the storage makes it unnecessary`, async () => {
      await set(setting, 'off')
      const refused = await serve()
      assert.equal(refused.code, 1)
      assert.match(refused.err, new RegExp(`^PostgreSQL runs with ${setting} off: .*DURABILITY=storage`))
      assert.equal(refused.err.trimEnd().split('\n').length, 1, refused.err)
      assert.match((await serve({ DURABILITY: 'storage' })).err, /EADDRNOTAVAIL/)
    })
  }

  it('one without a synchronous standby, where one is required', async () => {
    assert.match(
      (await serve({ DURABILITY: 'strict' })).err,
      /^DURABILITY=strict needs a synchronous standby/,
    )
    assert.match((await serve()).err, /EADDRNOTAVAIL/)
    await set('synchronous_standby_names', `'absent'`)
    assert.match((await serve({ DURABILITY: 'strict' })).err, /EADDRNOTAVAIL/)
  })

  it('an invalid DURABILITY is rejected', async () => {
    assert.match((await serve({ DURABILITY: 'maybe' })).err, /^DURABILITY is maybe; it must be one of/)
  })
})

describe('a write that no standby has confirmed is not acknowledged', () => {
  const deadlineMs = 1_500
  let lax: App
  let strict: App
  let realm: RealmAccess
  before(async () => {
    const database = { ...postgres, drop: async () => {} }
    const extra = { WRITE_DEADLINE_MS: String(deadlineMs) }
    lax = await startApp(testConfig(database, extra))
    strict = await startApp(testConfig(database, { ...extra, DURABILITY: 'strict' }))
    realm = await openRealm(lax.url)
  })
  after(async () => {
    // A failed test may have left a configured standby that never responds.
    await set('synchronous_standby_names', `''`)
    await lax?.close()
    await strict?.close()
    await assertBooks(postgres)
  })

  async function add(app: App, key: string) {
    const startMs = Date.now()
    const headers = { 'idempotency-key': key }
    const request = { line: 'PATCH /members/1/tokenBalance', body: { tokens: 1 }, headers }
    const { status, json } = await asRealm(app.url, realm, request)
    return { status, said: status === 200 ? json.newBalance : json.code, tookMs: Date.now() - startMs }
  }

  async function assertUnknown(asked: ReturnType<typeof add>): Promise<void> {
    const { status, said, tookMs } = await asked
    assert.deepEqual([status, said], [503, 'outcome_unknown'])
    assert.ok(tookMs < deadlineMs + 600, `answered after ${tookMs} ms`)
  }

  it('when there is no standby, and only the server requires one', async () => {
    assert.deepEqual((await add(lax, 'lax')).said, 1)
    await assertUnknown(add(strict, 'strict'))
    assert.equal((await call('GET', `${strict.url}/readyz`)).status, 503)
    assert.equal((await call('GET', `${lax.url}/readyz`)).status, 200)
  })

  it('when the standby does not respond, and a retry settles it later', async () => {
    await set('synchronous_standby_names', `'absent'`)
    await assertUnknown(add(lax, 'waits'))
    await set('synchronous_standby_names', `''`)
    assert.equal((await add(lax, 'waits')).said, 3)
    assert.equal((await add(lax, 'waits')).said, 3)
  })

  it('when the wait for the standby is cancelled, which commits with a warning', async () => {
    await set('synchronous_standby_names', `'absent'`)
    const asked = assertUnknown(add(lax, 'cancelled'))
    await sleep(300)
    const cancelled = await rowsOf(
      postgres.superuserUrl,
      `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
    )
    // Background work, such as taking a lease, may wait for the standby too.
    assert.ok(cancelled.length >= 1, 'nothing waited for the standby')
    await asked
    await set('synchronous_standby_names', `''`)
    assert.equal((await add(lax, 'cancelled')).said, 4)
    assert.equal((await add(lax, 'after')).said, 5)
  })
})

describe('a PostgreSQL that has become a standby', () => {
  let app: App
  let realm: RealmAccess
  before(async () => {
    app = await startApp(testConfig({ ...postgres, drop: async () => {} }))
    realm = await openRealm(app.url)
  })
  after(() => app?.close())

  const add = () =>
    timed(asRealm(app.url, realm, { line: 'PATCH /members/1/tokenBalance', body: { tokens: 1 } }))
  const read = () => timed(asRealm(app.url, realm, { line: 'GET /members/1' }))

  it('is neither written to nor read from, as its data may be stale', async () => {
    assert.equal((await add()).json.newBalance, 1)
    await postgres.stop()
    const { uid, gid } = statSync(postgres.folder)
    const signal = join(postgres.folder, 'standby.signal')
    writeFileSync(signal, '')
    chownSync(signal, uid, gid)
    await postgres.start()
    for (const answer of [await add(), await read(), await add()]) assertAway(answer)
    assertAway(await timed(call('GET', `${app.url}/readyz`)))
  })

  it('serves again within two seconds of its promotion', async () => {
    await rowsOf(postgres.superuserUrl, 'select pg_promote()')
    const startMs = Date.now()
    let answer = await add()
    for (; answer.status !== 200; answer = await add()) {
      assertAway(answer)
      assert.ok(Date.now() - startMs < 2_000, 'writes did not come back')
    }
    assert.equal(answer.json.newBalance, 2)
    assert.equal((await read()).json.tokenBalance, 2)
  })
})
