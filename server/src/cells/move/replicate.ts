import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Queryable, Session } from '../../db/session.ts'
import { hasMarks, putMark, turnArrival } from './cellStore.ts'
import { checkSchemas } from './check.ts'
import { awaitTransactions } from './copy.ts'
import { listOpen } from './directoryStore.ts'
import { arriving, type Mover, retryLock, waitUntil } from './link.ts'
import {
  createPublication,
  createSlot,
  createSubscription,
  dropPublication,
  dropSlot,
  dropSubscription,
  hasSubscription,
  type LinkPart,
  listCarried,
  listLinks,
  readProgress,
  readSlot,
} from './replicationStore.ts'
import { linkName, linkOf, MoveError } from './steps.ts'

const lookEveryMs = 200
const sayEveryMs = 2_000
/** Each waits for 2 s: a vacuum or an index that is being built holds these locks for long. */
const lockTries = 30
/** A mark that arrives within this time shows that the pause will be short. */
const followsMs = 1_000
const markTimeoutMs = 600_000
/** The pause waits as long for open transactions. */
const openTransactionsMs = 5_000

/** Publishes the realm's rows on the source. */
export async function publish(mover: Mover, copiedTo: bigint): Promise<void> {
  await retryLock(lockTries, () => createPublication(mover.source, mover, copiedTo))
  await checkSchemas(mover)
}

/** The slot of the move. One that was lost can't be created again: rows between the two would be missing. */
async function putSlot({ source, target, ...link }: Mover): Promise<void> {
  const walStatus = await readSlot(source, link)
  const isGone = walStatus === undefined && (await hasSubscription(target, link))
  if (walStatus === 'lost' || isGone)
    throw new MoveError(
      `The replication slot in cell ${link.from} was lost, by a failover or by max_slot_wal_keep_size. ` +
        `Give up and begin again: realm move ${link.id} --give-up`,
    )
  if (walStatus === undefined) await createSlot(source, link)
}

/** Copies all rows to the target, and waits until every table follows. */
export async function subscribe(mover: Mover): Promise<void> {
  const { source, target, sourceUrl, options, to } = mover
  await putSlot(mover)
  await arriving(mover, async (tx) => {
    if (!(await hasSubscription(tx, mover))) await createSubscription(tx, mover, sourceUrl)
  })
  const { length: carried } = await listCarried(source)
  let saidAtMs = performance.now()
  for (;;) {
    const { tables, behind, errors } = await readProgress(target, mover)
    if (tables !== carried)
      throw new MoveError(`Cell ${to} replicates ${tables} tables instead of ${carried}: give up the move.`)
    if (behind === 0) return
    await sleep(lookEveryMs)
    if (performance.now() - saidAtMs < sayEveryMs) continue
    saidAtMs = performance.now()
    await mover.check()
    await putSlot(mover)
    const failed = errors ? `, ${errors} errors: see the log of PostgreSQL in cell ${to}` : ''
    options.say(`${tables - behind} of ${tables} tables copied${failed}`)
  }
}

/** Waits until the target follows closely, so that the pause is short. */
export async function follow(mover: Mover): Promise<void> {
  const { source, target, realm, from, to } = mover
  for (let tookMs = Number.POSITIVE_INFINITY; tookMs > followsMs; ) {
    await mover.check()
    const beganMs = performance.now()
    const mark = randomUUID()
    await putMark(source, realm, mark)
    const arrived = await waitUntil(() => hasMarks(target, realm, [mark]), {
      withinMs: markTimeoutMs,
      everyMs: 20,
    })
    if (!arrived) throw new MoveError(`Cell ${to} does not follow: see the log of PostgreSQL there.`)
    tookMs = performance.now() - beganMs
  }
  if (!(await awaitTransactions(source, openTransactionsMs)))
    throw new MoveError(
      `A transaction in cell ${from} has been open for 5 s. Run the same command when it has ended.`,
    )
  await arriving(mover, (tx) => turnArrival(tx, mover, { from: ['arriving', 'ready'], to: 'ready' }))
}

async function dropPart(session: Session, { what, name }: LinkPart): Promise<void> {
  if (what === 'subscription') await dropSubscription(session, name)
  else if (what === 'publication') await dropPublication(session, name)
  else if (!(await waitUntil(() => dropSlot(session, name), { withinMs: 20_000, everyMs: 100 })))
    throw new MoveError(`Replication slot ${name} is still in use. Run the same command again.`)
}

/** Drops what replicates this move, on both sides. */
export async function disconnect({ source, target, realm, place }: Mover): Promise<void> {
  const name = linkName({ realm, place })
  await dropPart(target, { what: 'subscription', name })
  await dropPart(source, { what: 'slot', name })
  await dropPart(source, { what: 'publication', name })
}

/** What moves that have ended left behind in a cell: a slot that no move uses keeps WAL. */
export async function listStrays(cell: Queryable, directory: Queryable): Promise<LinkPart[]> {
  const parts = (await listLinks(cell)).filter(({ name }) => linkOf(name))
  const realms = parts.flatMap(({ name }) => linkOf(name)?.realm ?? [])
  const open = new Set((await listOpen(directory, [...new Set(realms)])).map(linkName))
  return parts.filter(({ name }) => !open.has(name))
}

export async function dropStrays({ source, target, directory }: Mover): Promise<void> {
  for (const session of [target, source])
    for (const part of await listStrays(session, directory)) await dropPart(session, part)
}
