import type { Session } from '../../db/session.ts'
import { countRealmRows, listRealmTables } from '../rows/index.ts'
import { readDeparted, readHead, readRealm } from './cellStore.ts'
import type { Mover } from './link.ts'
import { readServer, type Server } from './replicationStore.ts'
import { MoveError } from './steps.ts'
import { ofDirectory, shared } from './tables.ts'

/** Entries have the time of their cell, which never goes back within a realm. */
const clockLimitMs = 1_000
const leastVersion = 150_000
/** The first with a role that may create subscriptions. */
const subscriberRole = 160_000

type Probe = Server & {
  /** How far its clock is ahead of this process's. */
  readonly aheadMs: number
}

async function probe(session: Session): Promise<Probe> {
  const beganMs = Date.now()
  const server = await readServer(session)
  return { ...server, aheadMs: server.now_ms - (beganMs + Date.now()) / 2 }
}

/** Why no realm can be moved between these two, undefined when it can. */
export function findObstacle(source: Probe, target: Probe, { from, to }: Pick<Mover, 'from' | 'to'>) {
  const both = [
    [source, from],
    [target, to],
  ] as const
  for (const [server, cell] of both) {
    if (server.cell !== cell)
      return `CELL_URLS names the database of cell ${server.cell} as cell ${cell}. Correct it.`
    if (server.version < leastVersion)
      return `PostgreSQL of cell ${cell} is older than 15. Upgrade it: a move needs row filters.`
    if (!server.is_owner)
      return `The role of cell ${cell} does not own the schema. Use the owner's role in CELL_URLS.`
    if (!server.may_see_standbys)
      return `The role of cell ${cell} may not see standbys. Run: grant pg_read_all_stats to …`
  }
  if (source.migrations !== target.migrations)
    return `Cells ${from} and ${to} have different schemas. Run migrate on both.`
  if (source.wal_level !== 'logical')
    return `PostgreSQL of cell ${from} has wal_level = ${source.wal_level}. Set it to logical and restart.`
  if (source.prepared > 0)
    return `PostgreSQL of cell ${from} has ${source.prepared} prepared transactions. End them first.`
  if (source.slots >= source.slot_limit)
    return `PostgreSQL of cell ${from} has no free replication slot. Raise max_replication_slots.`
  if (!source.may_replicate)
    return `The role of cell ${from} may not replicate. Run: alter role … replication`
  if (!target.may_subscribe)
    return target.version < subscriberRole
      ? `PostgreSQL of cell ${to} is 15, where only a superuser may subscribe. Use one in CELL_URLS.`
      : `The role of cell ${to} may not subscribe. Run: grant pg_create_subscription to …`
  const apartMs = Math.abs(source.aheadMs - target.aheadMs)
  if (apartMs > clockLimitMs)
    return `The clocks of cells ${from} and ${to} differ by ${Math.round(apartMs)} ms. Synchronize them.`
  return undefined
}

async function checkTarget({ target, realm, id, to }: Mover): Promise<void> {
  const row = await readRealm(target, realm)
  if (row && (row.id !== id || row.purged))
    throw new MoveError(`Cell ${to} has another realm with number ${realm}: ${row.id}.`)
  const departed = await readDeparted(target, realm)
  if (departed && departed.purged_at === null)
    throw new MoveError(
      `Cell ${to} still has the rows that realm ${id} left there at ${departed.departed_at.toISOString()}. ` +
        `Delete them first: realm move ${id} --purge`,
    )
  for (const table of await listRealmTables(target)) {
    if (ofDirectory.has(table) || (to === 0 && table === shared)) continue
    if ((await countRealmRows(target, { realm, table, most: 1 })) > 0)
      throw new MoveError(`Cell ${to} has rows of realm ${id} in ${table}. Nothing was moved.`)
  }
}

/** Again when the realm is published: from then on no migration runs in these cells. */
export async function checkSchemas({ source, target, from, to }: Mover): Promise<void> {
  const [here, there] = [await readServer(source), await readServer(target)]
  if (here.migrations === there.migrations) return
  throw new MoveError(`A migration ran in cell ${from} or ${to}. Run migrate on both, then this again.`)
}

/** Checks everything that can be checked before anything is written. */
export async function checkMove(mover: Mover): Promise<void> {
  const { source, target, realm, id, from } = mover
  const obstacle = findObstacle(await probe(source), await probe(target), mover)
  if (obstacle !== undefined) throw new MoveError(obstacle)
  if (!(await readHead(source, realm))) throw new MoveError(`Realm ${id} has no head in cell ${from}.`)
  await checkTarget(mover)
}
