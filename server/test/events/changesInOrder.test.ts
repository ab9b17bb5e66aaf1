import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { managed } from '../../../tests/support/manager.ts'
import { environment, startServerProcess } from '../../../tests/support/process.ts'
import { suite } from '../../../tests/support/suite.ts'
import { type Change, feedOf, xidOf } from './feed.ts'

const made = suite({ OPERATOR_FEED: 'on' })
const { rows, page, end } = feedOf(made)
const open = () => managed(made, { unknownMembers: 'create' })

/** Adds changes of a realm in transactions that began long before they commit, as claims do. */
async function commitLate(realmId: string, isOver: () => boolean): Promise<number> {
  const client = new pg.Client({ connectionString: made.database.superuserUrl })
  await client.connect()
  const [{ realm: number }] = await rows('select realm from realms where id = $1', [realmId])
  let seq = 0
  for (; !isOver() || seq <= 10; seq++) {
    await client.query('begin')
    await client.query(
      'insert into exchequer.changes (realm, from_seq, to_seq) select $1, $2::bigint, $2::bigint',
      [number, seq + 1],
    )
    await sleep(20 + Math.random() * 250)
    await client.query('commit')
  }
  await client.end()
  return seq
}

type Read = { readonly changes: Change[]; readonly incomplete: string[] }

/** Follows the feed in small pages, and looks whether the entries are in the journal by then. */
async function follow(from: string, isOver: () => boolean, late: ReadonlySet<string>): Promise<Read> {
  const [changes, incomplete]: [Change[], string[]] = [[], []]
  const client = new pg.Client({ connectionString: made.database.superuserUrl })
  await client.connect()
  const last = new Map<string, bigint>()
  for (let cursor = from; ; ) {
    const isLast = isOver()
    const found = await page(cursor, 7)
    for (const change of found.data.filter(({ realmId }) => !late.has(realmId))) {
      const [after, to] = [last.get(change.realmId) ?? 0n, BigInt(change.toSeq)]
      if (to <= after) continue
      last.set(change.realmId, to)
      const { rows: counts } = await client.query<{ count: string }>(
        `select count(*) from exchequer.journal j join exchequer.realms r using (realm)
          where r.id = $1 and j.seq > $2 and j.seq <= $3`,
        [change.realmId, after, to],
      )
      if (BigInt(counts[0]?.count ?? 0) !== to - after) incomplete.push(`${change.realmId} ${change.toSeq}`)
    }
    changes.push(...found.data)
    cursor = found.cursor
    if (found.nextCursor !== null || !isLast) continue
    await client.end()
    return { changes, incomplete }
  }
}

describe('two processes that write at the same time', () => {
  it('miss no change and keep its order, whatever commits late', async () => {
    const servers = await Promise.all(
      [1, 2].map(() => startServerProcess(environment(made.database, { OPERATOR_FEED: 'on' }))),
    )
    const realms = await Promise.all(Array.from({ length: 6 }, open))
    const late = await Promise.all([open(), open()])
    let [isWritten, isSettled] = [false, false]
    const from = await end()
    const following = follow(from, () => isSettled, new Set(late.map(({ id }) => id)))
    const lateOnes = Promise.all(late.map(({ id }) => commitLate(id, () => isWritten)))
    const untilMs = performance.now() + 3_000
    const writing = [...realms, ...realms].map(async (one, place) => {
      const url = servers[place % 2]?.baseUrl ?? ''
      const path = `${url}/api/v4/realms/${one.id}/members/${place}/tokenBalance`
      const headers = { authorization: `Bearer ${one.key}`, 'content-type': 'application/json' }
      while (performance.now() < untilMs)
        await fetch(path, { method: 'PATCH', headers, body: '{"tokens":1}' }).then((sent) => sent.text())
    })
    await Promise.all(writing)
    isWritten = true
    const counts = await lateOnes
    await end()
    isSettled = true
    const { changes, incomplete } = await following
    for (const server of servers) await server.stop()
    const stored = await rows(
      `select r.id as "realmId", c.from_seq as "fromSeq", c.to_seq as "toSeq"
        from changes c join realms r using (realm) where c.xid >= $1::xid8 order by c.xid, c.realm`,
      [xidOf(from)],
    )
    assert.deepEqual(incomplete, [])
    assert.deepEqual(changes, stored)
    const written = stored.filter(({ realmId }) => realms.some(({ id }) => id === realmId))
    assert.ok(written.length > 100, `only ${written.length} changes were written`)
    for (const count of counts) assert.ok(count > 10, `only ${count} transactions committed late`)
    for (const { id } of realms) await assertCovered(id, written)
  })
})

/** The changes of a realm name each entry once. */
async function assertCovered(realmId: string, written: readonly Change[]): Promise<void> {
  const own = written.filter((one) => one.realmId === realmId)
  const seqs = own.flatMap(({ fromSeq, toSeq }) =>
    Array.from({ length: Number(toSeq) - Number(fromSeq) + 1 }, (_, nth) => Number(fromSeq) + nth),
  )
  const [{ seq }] = await rows('select h.seq from heads h join realms r using (realm) where r.id = $1', [
    realmId,
  ])
  assert.deepEqual(
    seqs.sort((a, b) => a - b),
    Array.from({ length: Number(seq) }, (_, nth) => nth + 1),
  )
}
