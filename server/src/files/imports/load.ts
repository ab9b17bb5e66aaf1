import { hash as digest } from 'node:crypto'
import { type Actor, record } from '../../audit/index.ts'
import type { Database } from '../../db/database.ts'
import { brokenConstraint } from '../../db/failures.ts'
import { bind, bindForWrite, writeTransaction } from '../../db/rowSecurity.ts'
import type { Session } from '../../db/session.ts'
import { refuse } from '../../errors.ts'
import type { StoredAside } from '../../ledger/index.ts'
import { originHash } from '../../realms/index.ts'
import { insertAwards, insertHolds } from './asideStore.ts'
import { Loader, type OpenLines, pageSize } from './loader.ts'
import { insertHead, insertPoints, insertRealm, insertSettings, insertSteps } from './loadStore.ts'
import {
  type Counts,
  type LoadedHold,
  linesOf,
  parseHeader,
  parseLine,
  pointsOf,
  type RealmHeader,
} from './realmFile.ts'
import {
  findRealm,
  hideRealm,
  insertChange,
  insertDepartures,
  insertSweeps,
  lockLoading,
  readHead,
  showRealm,
} from './showStore.ts'

/** The id of a realm while it is being loaded: the same for the same file, so that a load can be resumed. */
const loadingId = (header: string): string => `loading-${digest('sha256', header, 'hex').slice(0, 24)}`

/** A realm whose rows are all loaded, and that is not visible yet. */
export type LoadResult = {
  readonly realm: number
  readonly header: RealmHeader
  readonly counts: Counts
  /** What is stored when the realm becomes visible. */
  readonly open: { readonly holds: readonly StoredAside[]; readonly awards: readonly StoredAside[] }
  /** Makes the realm visible, once it was verified. */
  readonly show: () => Promise<void>
  /** Leaves it hidden forever: its journal can't be deleted, and another attempt starts over. */
  readonly giveUp: () => Promise<void>
  /** Ends the load, whatever its result: until then no other process loads the same file. */
  readonly close: () => Promise<void>
}

export type LoadOptions = {
  readonly db: Database
  readonly by: Actor
  readonly onPage?: (rows: number) => void
  /** Whether the operator feed is written: one row, when the realm becomes visible. */
  readonly feed?: boolean
}

/**
 * Loads an exported realm in pages, each a transaction that leaves the ledger correct: if the process ends,
 * the realm stays as far as it came, under a temporary id, and loading the same file continues there.
 */
export async function loadRealm(chunks: AsyncIterable<string>, options: LoadOptions): Promise<LoadResult> {
  const { db } = options
  const lines = linesOf(chunks)
  const first = await lines.next()
  const header = parseHeader(first.done ? '' : first.value)
  const id = loadingId(first.value ?? '')
  const session = await db.open({})
  try {
    return await loadLines(lines, { session, header, id, ...options })
  } catch (error) {
    await session.close()
    throw error
  }
}

type Load = LoadOptions & {
  readonly session: Session
  readonly header: RealmHeader
  /** The realm's id while it is being loaded. */
  readonly id: string
}

/** Under the lock of the file: a second load at the same time would write to a realm that is in use. */
async function loadLines(lines: AsyncIterable<string>, load: Load): Promise<LoadResult> {
  const { db, by, onPage, feed = false, session, header, id } = load
  if (!(await lockLoading(session, id))) {
    throw refuse('already_exists', 'Another process is loading this file. Wait until it has ended.')
  }
  if ((await findRealm(db, header.realmId)) !== undefined) throw exists(header)
  const realm = (await findRealm(db, id)) ?? (await makeRealm(db, header, id))
  const loader = new Loader(session, { realm, header, head: await readHead(db.within([realm]), realm) })
  let number = 1
  for await (const line of lines) {
    number += 1
    if (line === '') continue
    await loader.add(parseLine(line, number))
    if (number % pageSize === 0) onPage?.(number)
  }
  const { counts, open } = await loader.end()
  return {
    realm,
    header,
    counts,
    open: {
      holds: open.holds.map((one) => storedOf(one, pointsOf(header))),
      awards: open.awards.map((one) => storedOf(one, pointsOf(header))),
    },
    show: () => show(db, { realm, id, header, open, by, feed }),
    giveUp: async () => {
      if (!(await hideRealm(db.writing([realm]), realm, id))) throw notLoading(header)
    },
    close: () => session.close(),
  }
}

const notLoading = ({ realmId }: RealmHeader) =>
  new Error(`realm ${realmId} is no longer being loaded: another process has ended the load`)

function storedOf(
  { seq, account, realmPointId, tokens }: Omit<LoadedHold, 'expiresUs'>,
  points: ReadonlyMap<string, number>,
): StoredAside {
  return {
    seq: BigInt(seq),
    account,
    point: points.get(realmPointId) ?? -1,
    amount: BigInt(tokens),
    ended_seq: null,
  }
}

const exists = ({ realmId }: RealmHeader) =>
  refuse('already_exists', `Realm ${realmId} already exists. A realm keeps its id: its hashes cover it.`)

/** The head is where the journal will begin. */
function makeRealm(db: Database, header: RealmHeader, id: string): Promise<number> {
  return db.transaction(async (unbound) => {
    const realm = await insertRealm(unbound, id, header.settings)
    await bind(unbound, [realm])
    await insertHead(unbound, realm, { hash: originHash(header.realmId), nextAccount: header.nextAccount })
    const tx = await bindForWrite(unbound, [realm])
    await insertPoints(tx, realm, header.points)
    await insertSteps(tx, realm, header.points)
    await insertSettings(tx, realm, header)
    return realm
  })
}

function* pagesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += pageSize) yield all.slice(from, from + pageSize)
}

type Showing = {
  readonly realm: number
  readonly id: string
  readonly header: RealmHeader
  readonly open: OpenLines
  readonly by: Actor
  readonly feed: boolean
}

/** What is open comes last: from then on it can end by itself, which writes to the journal. */
async function show(db: Database, { realm, id, header, open, by, feed }: Showing): Promise<void> {
  const points = pointsOf(header)
  try {
    await writeTransaction(db, [realm], async (tx) => {
      for (const rows of pagesOf(open.holds)) await insertHolds(tx, realm, { rows, points })
      for (const rows of pagesOf(open.awards)) await insertAwards(tx, realm, { rows, points })
      await insertDepartures(tx, realm, header.nextAccount)
      if (!(await showRealm(tx, realm, { id, header }))) throw notLoading(header)
      await insertSweeps(tx, realm)
      if (feed) await insertChange(tx, realm)
      const subject = `realm ${header.realmId} as of ${header.seq}:${header.hash}`
      await record(tx, by, { realm, action: 'realm.import', subject })
    })
  } catch (error) {
    throw brokenConstraint(error) === 'realms_id_unique' ? exists(header) : error
  }
}
