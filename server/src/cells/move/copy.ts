import type { Queryable } from '../../db/session.ts'
import { lastEntry, putArrival, putMoving, putRealm, readHead, readRealm } from './cellStore.ts'
import { checkMove } from './check.ts'
import { setCopied } from './directoryStore.ts'
import { arriving, type Mover, waitUntil } from './link.ts'
import { tableCopier } from './pageStore.ts'
import { isPast, readXmax } from './replicationStore.ts'
import { MoveError } from './steps.ts'

/** Fewer entries are copied by PostgreSQL itself, under one snapshot of a few minutes. */
const largeRealm = 5_000_000n
const pageSize = 20_000n
const sayEveryMs = 1_000

/** How long a move waits for transactions of others, while nothing is paused. */
const openTransactionsMs = 60_000

/**
 * Copies entries up to `copiedTo` by pages, each a short transaction. These rows never change, and their
 * details can't be erased while the realm is in `moving`. It goes on after the last entry that is there.
 */
async function copyPages(mover: Mover, copiedTo: bigint): Promise<void> {
  const { source, target, realm, options } = mover
  const journal = await tableCopier(source, 'journal')
  const details = await tableCopier(source, 'details')
  let saidAtMs = performance.now()
  let after = (await lastEntry(target, realm))?.seq ?? 0n
  while (after < copiedTo) {
    const upTo = after + pageSize < copiedTo ? after + pageSize : copiedTo
    const entries = await journal.rows(realm, { after, upTo })
    const texts = await details.rows(realm, { after, upTo })
    await arriving(mover, async () => {
      await target.copy(journal.write, entries)
      if (texts !== '') await target.copy(details.write, texts)
    })
    after = upTo
    if (performance.now() - saidAtMs < sayEveryMs) continue
    saidAtMs = performance.now()
    await mover.check()
    options.say(`${after} of ${copiedTo} entries copied`)
  }
}

/** Waits until every transaction that is open now has ended; whether they did. */
export async function awaitTransactions(db: Queryable, withinMs: number): Promise<boolean> {
  const xmax = await readXmax(db)
  return waitUntil(() => isPast(db, xmax), { withinMs, everyMs: 5 })
}

/** From here on no erasure deletes details up to this entry, also none that had begun. */
async function keepDetails(mover: Mover, copiedTo: bigint): Promise<void> {
  await putMoving(mover.source, mover, copiedTo)
  if (await awaitTransactions(mover.source, openTransactionsMs)) return
  throw new MoveError(
    `A transaction in cell ${mover.from} has been open for a minute. Run the same command when it has ended.`,
  )
}

/** Checks both cells, prepares the target, and copies old entries of a large realm. */
export async function copy(mover: Mover, copiedBefore: bigint): Promise<void> {
  const { source, target, directory, realm, from, options } = mover
  let copiedTo = copiedBefore
  if (copiedTo === 0n) {
    await checkMove(mover)
    const row = await readRealm(source, realm)
    if (row) await putRealm(target, realm, row)
    await putArrival(target, mover, { from, state: 'arriving' })
    const entries = (await readHead(source, realm))?.seq ?? 0n
    if (entries < (options.copyFrom ?? largeRealm)) return
    copiedTo = entries
    await keepDetails(mover, copiedTo)
    await setCopied(directory, mover, copiedTo)
  }
  await copyPages(mover, copiedTo)
}
