import type { Session } from '../../db/session.ts'
import { deleteCarriedActs, deleteRealmRows, listRealmTables } from '../rows/index.ts'
import { beginPurge, endPurge, forgetMoving, holdRealm, readDeparted, readHead } from './cellStore.ts'
import { findRealm, type MoveId, readHanded } from './directoryStore.ts'
import type { Mover } from './link.ts'
import { disconnect } from './replicate.ts'
import { listLinks } from './replicationStore.ts'
import { MoveError } from './steps.ts'
import { deletedAtOnce, ofDirectory, shared } from './tables.ts'

/** A realm's rows in a cell that it has left. */
export type Copy = {
  readonly id: string
  readonly cell: number
  /** Where the rows are, with the role that owns the schema. */
  readonly session: Session
  /** Where the realm is now. */
  readonly home: Session
  readonly directory: Session
  readonly say: (line: string) => void
}

/**
 * Refuses while anything replicates the realm, as the deletes would be replicated too, and unless the realm
 * is in another cell with all entries that it left with, or was purged there for good.
 */
async function checkCopy({ session, home, directory, id, cell }: Copy, realm: number): Promise<MoveId> {
  const departed = await readDeparted(session, realm)
  if (!departed || (await readHead(session, realm)))
    throw new MoveError(`Realm ${id} has not left cell ${cell}. Nothing was deleted.`)
  for (const one of [session, home]) {
    const [link] = await listLinks(one, realm)
    if (link)
      throw new MoveError(
        `The rows of realm ${id} are still replicated (${link.what} ${link.name}). Nothing was deleted.`,
      )
  }
  const placed = await findRealm(directory, id)
  if (!placed || placed.cell === cell || placed.place < departed.place)
    throw new MoveError(`The directory still names cell ${cell} for realm ${id}. Nothing was deleted.`)
  const head = await readHead(home, realm)
  if (!placed.purged && (!head || head.seq < departed.seq))
    throw new MoveError(`Cell ${placed.cell} lacks entries of realm ${id}. Nothing was deleted.`)
  return { realm, place: departed.place }
}

async function deleteTables(
  copy: Copy,
  realm: number,
  isWanted: (table: string) => boolean,
): Promise<number> {
  const { session, home, cell, say } = copy
  const all = await listRealmTables(session)
  const isOwn = (table: string) => !ofDirectory.has(table) && (cell !== 0 || table !== shared)
  const tables = all.filter((table) => isOwn(table) && isWanted(table))
  let saidAtMs = performance.now()
  const onPiece = (table: string, deleted: number) => {
    if (performance.now() - saidAtMs < 1_000) return
    saidAtMs = performance.now()
    say(`${table}: ${deleted} more rows deleted`)
  }
  const acts = cell === 0 && isWanted(shared) ? await deleteCarriedActs(session, home, realm) : 0
  return acts + (await deleteRealmRows(session, { realm, tables, watch: { onPiece } }))
}

const isDeletedAtOnce = (table: string): boolean => deletedAtOnce.includes(table)

/** Deletes what is about members, and holds, in the cell that the realm has left. */
export async function purgeAtOnce(copy: Copy, realm: number): Promise<void> {
  const move = await checkCopy(copy, realm)
  await holdRealm(copy.session, realm)
  if (await beginPurge(copy.session, move)) await deleteTables(copy, realm, isDeletedAtOnce)
}

/** Deletes everything of the realm in a cell that it has left; how many rows. It can then come back. */
export async function purgeCopy(copy: Copy, realm: number): Promise<number> {
  const move = await checkCopy(copy, realm)
  await holdRealm(copy.session, realm)
  if (!(await beginPurge(copy.session, move))) return 0
  const deleted = await deleteTables(copy, realm, () => true)
  await endPurge(copy.session, move)
  return deleted
}

/** Deletes what a move that was given up has written in the target. */
export async function purgeArrival(mover: Mover): Promise<void> {
  const { target: session, source: home, directory, realm, id, to: cell, options } = mover
  await deleteTables({ session, home, directory, id, cell, say: options.say }, realm, () => true)
}

/** Ends the replication, verifies the chain on the target, and deletes what must not stay on the source. */
export async function finish(mover: Mover): Promise<void> {
  const { source, target, targetDb, directory, realm, id, from, to, options } = mover
  await disconnect(mover)
  await forgetMoving(source, mover)
  // From the directory: the source may have lost it in a failover. If both have, it was compared on landing.
  const handed = await readHanded(directory, mover)
  const wrong = await options.verify(targetDb, realm, handed)
  if (wrong !== undefined)
    throw new MoveError(
      `The journal of realm ${id} in cell ${to} is wrong: ${wrong}. Nothing was deleted in cell ${from}.`,
    )
  const copy = { id, cell: from, session: source, home: target, directory, say: options.say }
  await purgeAtOnce(copy, realm)
}
