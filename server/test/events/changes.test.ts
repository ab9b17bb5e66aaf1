import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { moreApps } from '../../../tests/support/apps.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'
import { checkDeadline } from '../../../tests/support/timeLimit.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { FeedRetention } from '../../src/events/changes/index.ts'
import { trimChanges } from '../../src/events/changes/store.ts'
import { feedOf } from './feed.ts'

const anotherApp = moreApps()
const made = suite({ OPERATOR_FEED: 'on' })
const { rows, read, page, end, walked, changesAfter } = feedOf(made)

const adjust = ({ send }: ManagedRealm, member = 1) =>
  send(`PATCH /members/${member}/tokenBalance`, { tokens: 1 })

const open = () => managed(made, { unknownMembers: 'create' })

let realm: ManagedRealm
before(async () => {
  while (!made.fixture) await sleep(50)
  realm = await open()
})

describe('a change', () => {
  it('is listed with its realm and its entries', async () => {
    const from = await end()
    await adjust(realm)
    await realm.send('POST /changes', { changes: [1, 2, 3].map((memberId) => ({ memberId, tokens: 1 })) })
    const { data, cursor, nextCursor } = await changesAfter(from, 2)
    assert.deepEqual(data, [
      { realmId: realm.id, fromSeq: '1', toSeq: '1' },
      { realmId: realm.id, fromSeq: '2', toSeq: '4' },
    ])
    assert.equal(nextCursor, null)
    assert.deepEqual((await page(cursor)).data, [])
    await adjust(realm)
    assert.deepEqual((await changesAfter(cursor, 1)).data, [{ realmId: realm.id, fromSeq: '5', toSeq: '5' }])
  })

  it('is not one when everything was refused', async () => {
    const from = await end()
    const { status } = await realm.send('PATCH /members/1/tokenBalance', { tokens: -1_000_000 })
    assert.equal(status, 422)
    assert.deepEqual((await page(from)).data, [])
    await end()
    assert.deepEqual((await page(from)).data, [])
  })

  it('waits for every earlier transaction to end', async () => {
    const from = await end()
    const early = new pg.Client({ connectionString: made.database.superuserUrl })
    await early.connect()
    try {
      await early.query('begin')
      await early.query('select pg_current_xact_id()')
      await adjust(realm)
      await sleep(300)
      assert.deepEqual((await page(from)).data, [])
      await early.query('rollback')
      assert.equal((await changesAfter(from, 1)).data.length, 1)
    } finally {
      await early.end()
    }
  })
})

describe('a cursor', () => {
  const changed = (cursor: string, at: number, value: unknown): string => {
    const values = JSON.parse(String(Buffer.from(cursor, 'base64url'))) as unknown[]
    return Buffer.from(JSON.stringify(values.with(at, value))).toString('base64url')
  }

  it('of another timeline or another system is refused', async () => {
    const cursor = await end()
    assert.equal((await read(cursor)).status, 200)
    for (const [at, value] of [
      [1, '7000000000000000001'],
      [2, '0000000F'],
    ] as const) {
      const answer = await read(changed(cursor, at, value))
      assertProblem(answer, 410, 'cursor_expired')
      assert.match(answer.json.detail, /another history.*Begin without a cursor/)
    }
  })

  it('that is older than what is kept is refused', async () => {
    await end()
    const { data, cursor: atStart } = await page(undefined, 1)
    assert.equal(data.length, 1)
    await adjust(realm)
    const cursor = await end()
    await rows(`update changes set at = now() - interval '8 days' where realm > 0`)
    const db = openDatabase(made.database.serverUrl)
    await retained(db)
    await db.close()
    assert.deepEqual(await rows('select from changes where realm > 0'), [])
    const answer = await read(atStart)
    assertProblem(answer, 410, 'cursor_expired')
    assert.match(answer.json.detail, /deleted/)
    assert.equal((await read(cursor)).status, 200)
    assert.deepEqual((await page()).data, [])
  })
})

async function retained(db: Database): Promise<void> {
  const fail = (error: unknown) => assert.fail(String(error))
  const retention = new FeedRetention({ db, isOn: true, keepHours: 168, onFault: fail })
  // The server's own process may have it.
  await rows(`update leases set until = '-infinity' where name = 'changes'`)
  await retention.trim()
  await retention.close()
}

describe('old changes', () => {
  it('are deleted in bounded pieces, and younger ones stay', async () => {
    const db = openDatabase(made.database.serverUrl)
    try {
      const cursor = await end()
      await rows(`insert into changes (realm, from_seq, to_seq, at)
        select r.realm, g, g, now() - interval '7 days' - interval '1 minute'
        from generate_series(1, 10010) g, realms r where r.id = '${realm.id}'`)
      await adjust(realm)
      await end()
      assert.equal(await trimChanges(db, 168, 5), 5)
      await retained(db)
      // The rest, where the server's own process has taken the lease in between.
      const left = () => rows('select from_seq from changes where realm > 0')
      const deadlineMs = performance.now() + 30_000
      while ((await left()).length > 1) {
        checkDeadline(deadlineMs, 'old changes')
        await sleep(50)
      }
      assert.equal((await left()).length, 1)
      assert.equal((await read(cursor)).status, 410)
      assert.equal((await page()).data.length, 1)
    } finally {
      await db.close()
    }
  })

  it('of another history, which came with a dump, are deleted, and new cursors work', async () => {
    const db = openDatabase(made.database.serverUrl)
    try {
      await rows(`insert into changes (xid, realm, from_seq, to_seq) select '9000000000', realm, 1, 1
        from realms where id = '${realm.id}'`)
      await rows(`update changes set xid = '9000000000' where realm = 0`)
      assert.equal((await read(await walked())).status, 410)
      await retained(db)
      assert.deepEqual(await rows(`select from changes where xid >= '9000000000'`), [])
      assert.equal((await read(await end())).status, 200)
    } finally {
      await db.close()
    }
  })
})

describe('a server without OPERATOR_FEED', () => {
  it('writes no row, returns 404, and ends the use of cursors from before', async () => {
    const before = await end()
    const off = await anotherApp(made)
    const path = `${off.url}/api/v4/realms/${realm.id}/members/1/tokenBalance`
    const headers = { authorization: `Bearer ${realm.key}`, 'content-type': 'application/json' }
    const sent = await fetch(path, { method: 'PATCH', headers, body: '{"tokens":1}' })
    assert.equal(sent.status, 200)
    assertProblem(await read(undefined, 1, off.url), 404, 'not_set_up')
    for (const untilMs = performance.now() + 10_000; (await read(before)).status !== 410; await sleep(50))
      assert.ok(performance.now() < untilMs, 'the cursor is still accepted')
    for (const untilMs = performance.now() + 10_000; ; await sleep(50)) {
      if ((await rows('select from changes where realm > 0')).length === 0) break
      assert.ok(performance.now() < untilMs, 'rows from before are still there')
    }
  })
})
