import { setTimeout as sleep } from 'node:timers/promises'
import { query } from '../chaos/books.ts'
import type { Single } from '../chaos/stage.ts'
import type { Checks } from '../security/checks.ts'
import { Receiver } from '../support/receiver.ts'
import { addHook, type HookRealm, hookRealm } from './deliveries.ts'

const idleEndpoints = 100
const idleSeconds = 15
const listSize = 500
/** Sessions that have become idle report what they did after ten seconds. */
const countedMs = 12_000

async function fill(realm: HookRealm, entries: number): Promise<void> {
  let left = entries
  const one = async () => {
    while (left > 0) {
      const count = Math.min(left, listSize)
      left -= count
      const changes = Array.from({ length: count }, (_, n) => ({ memberId: String(1 + n), tokens: 1 }))
      const { status, text } = await realm.send('POST /changes', { changes })
      if (status !== 200) throw new Error(`entries could not be made: ${text.slice(0, 300)}`)
    }
  }
  await Promise.all([one(), one(), one(), one()])
}

/** How fast an endpoint that begins far behind catches up. */
export async function checkBacklog(
  stage: Single,
  { entries, leastRate }: { readonly entries: number; readonly leastRate: number },
  checks: Checks,
): Promise<void> {
  const realm = await hookRealm(stage)
  await fill(realm, entries)
  const receiver = await Receiver.start()
  let count = 0
  receiver.respond = (_, response) => {
    count += 1
    receiver.got.length = 0
    response.writeHead(204).end()
  }
  const startMs = performance.now()
  await addHook(realm, receiver, { from: '1', window: 64 })
  const mostMs = (entries / leastRate) * 4_000 + 10_000
  while (count < entries && performance.now() - startMs < mostMs) await sleep(10)
  const rate = count / ((performance.now() - startMs) / 1_000)
  console.log(`  ${count} of ${entries} events at ${Math.round(rate)} a second, at least ${leastRate}`)
  checks.check(count >= entries, 'the whole backlog was delivered')
  checks.check(rate >= leastRate, `a backlog is delivered at ${leastRate} events a second`)
  receiver.close()
}

async function transactionsPerSecond({ superuserUrl }: Single): Promise<number> {
  const count = async () => {
    const text = `select xact_commit + xact_rollback as count from pg_stat_database
      where datname = current_database()`
    const [row] = await query<{ count: bigint | string }>(superuserUrl, text)
    return Number(row?.count ?? 0)
  }
  const before = await count()
  await sleep(idleSeconds * 1_000)
  return ((await count()) - before) / idleSeconds
}

/** What endpoints cost while nothing happens, in all processes. */
export async function checkIdle(stage: Single, checks: Checks): Promise<void> {
  const realm = await hookRealm(stage)
  const receiver = await Receiver.start()
  await sleep(countedMs)
  const before = await transactionsPerSecond(stage)
  for (let n = 0; n < idleEndpoints / 10; n++) {
    const own = n === 0 ? realm : await hookRealm(stage)
    for (let place = 0; place < 10; place++) await addHook(own, receiver)
  }
  await sleep(countedMs)
  const after = await transactionsPerSecond(stage)
  console.log(`  ${before.toFixed(1)} transactions a second before, ${after.toFixed(1)} with them`)
  checks.atMost(after - before, 1, `statements a second for ${idleEndpoints} idle endpoints`)
  receiver.close()
}
