import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertAway, balanceOf, openRealm, type TimedAnswer, timed } from '../../tests/support/away.ts'
import { assertBooks } from '../../tests/support/books.ts'
import { call } from '../../tests/support/call.ts'
import type { RealmAccess } from '../../tests/support/fixture.ts'
import { Link } from '../../tests/support/link.ts'
import { asRealm } from '../../tests/support/operator.ts'
import { freshDatabase, type TestDatabase, testConfig } from '../../tests/support/suite.ts'
import { type App, startApp } from '../src/app/index.ts'

describe('PostgreSQL stops responding', () => {
  const deadlineMs = 2_500
  let database: TestDatabase
  let link: Link
  let app: App
  let realm: RealmAccess
  before(async () => {
    database = await freshDatabase()
    link = await Link.to(database.serverUrl)
    const extra = { WRITE_DEADLINE_MS: String(deadlineMs) }
    app = await startApp(testConfig({ ...database, serverUrl: link.url }, extra))
    realm = await openRealm(app.url)
  })
  after(async () => {
    await app?.close()
    await link?.close()
    await database?.drop()
  })

  const write = (key: string) => {
    const headers = { 'idempotency-key': key }
    const body = { tokens: 1 }
    return timed(asRealm(app.url, realm, { line: 'PATCH /members/1/tokenBalance', body, headers }))
  }
  const keys = Array.from({ length: 30 }, (_, index) => `silent-${index}`)

  it('a write that was sent is answered by the deadline, one that was not within a second', async () => {
    assert.equal((await write('before')).status, 200)
    link.silence()
    const sent = write('sent')
    await sleep(50)
    const asked: Promise<TimedAnswer>[] = []
    for (const key of keys) {
      asked.push(write(key))
      await sleep(100)
    }
    const { tookMs, json } = await sent
    assert.equal(json.code, 'outcome_unknown')
    assert.ok(tookMs < deadlineMs + 500, `sent, and answered after ${tookMs} ms`)
    for (const answer of await Promise.all(asked)) {
      assertAway(answer)
      assert.equal(answer.json.code, 'unavailable')
      assert.ok(answer.tookMs < 1_050, `not sent, and answered after ${answer.tookMs} ms`)
    }
    assert.equal((await call('GET', `${app.url}/healthz`)).status, 200)
  })

  it('it serves again within two seconds, and the same requests are made once', async () => {
    link.repair()
    const startMs = Date.now()
    for (let status = 0; status !== 200; ) {
      assert.ok(Date.now() - startMs < 2_000, 'writes did not come back')
      status = (await write('sent')).status
    }
    for (const key of [...keys, 'sent']) assert.equal((await write(key)).status, 200)
    assert.equal(await balanceOf(app.url, realm, '1'), keys.length + 2)
    await assertBooks(database)
  })
})
