import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openRealm } from '../../tests/support/away.ts'
import type { RealmAccess } from '../../tests/support/fixture.ts'
import { Link } from '../../tests/support/link.ts'
import { asRealm } from '../../tests/support/operator.ts'
import { freshDatabase, type TestDatabase, testConfig } from '../../tests/support/suite.ts'
import { type App, startApp } from '../src/app/index.ts'
import { OwnTime } from '../src/db/ownTime.ts'

/** Blocks the whole process, as when it or its machine is stopped. */
function standStill(forMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs)
}

describe('this process stalls', () => {
  let database: TestDatabase
  let link: Link
  let app: App
  let realm: RealmAccess
  before(async () => {
    database = await freshDatabase()
    link = await Link.to(database.serverUrl)
    app = await startApp(testConfig({ ...database, serverUrl: link.url }))
    realm = await openRealm(app.url)
  })
  after(async () => {
    await app?.close()
    await link?.close()
    await database?.drop()
  })

  const write = (member: number) =>
    asRealm(app.url, realm, { line: `PATCH /members/${member}/tokenBalance`, body: { tokens: 1 } })

  it('for a second, with commands running and others waiting: all of them succeed', async () => {
    for (let round = 0; round < 4; round += 1) {
      assert.equal((await write(1)).status, 200)
      // Slow enough that some are running and others are not yet sent.
      link.slow(40)
      const written = Array.from({ length: 40 }, async (_, index) => {
        await sleep(index * 3)
        return write(1 + (index % 5))
      })
      await sleep(80)
      standStill(1_000)
      for (const { status, text } of await Promise.all(written)) assert.equal(status, 200, text)
      link.slow(0)
    }
  })

  it('and that does not count as an unresponsive database', () => {
    let nowMs = 0
    const time = new OwnTime(() => nowMs)
    nowMs = 80
    assert.equal(time.ms, 80)
    nowMs = 5_080
    assert.ok(time.ms < 200, `${time.ms} ms`)
    time.close()
  })
})
