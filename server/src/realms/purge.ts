import { setTimeout as sleep } from 'node:timers/promises'
import { type Actor, installation, record } from '../audit/index.ts'
import type { Database } from '../db/database.ts'
import type { Queryable } from '../db/session.ts'
import { refuse } from '../errors.ts'
import {
  beginPurge,
  countRows,
  type Deleted,
  deletePiece,
  endPurge,
  listTables,
  lockHead,
  lockRealm,
  mayPurge,
  type PurgeRow,
} from './purgeStore.ts'
import { readSuspension } from './store.ts'

/** Rows deleted in one transaction. */
const pieceSize = 5_000
/** Rows are counted up to this many: counting a large realm would take minutes. */
export const countCap = 1_000_000
/** Processes know within a second that the realm's keys are revoked. */
const revokedMs = 2_000
/** Longer than a request, a delivery or a reading may take: until then rows may still be added. */
const settledMs = 60_000
const lookEveryMs = 1_000

/** Deleted at the end: a process that was stalled learns of a revocation from the row. */
const keyTables = ['keys', 'session_keys']
/** Deleted first: without them, workers find nothing to do in the realm. */
const firstTables = ['heads', 'settings', 'holds', 'endpoints', 'readings', 'roles', 'invitations']

/** What a purge would delete, or has deleted. */
export type PurgePlan = {
  readonly realm: number
  /** The head of the journal: SEQ:HASH. */
  readonly head: string
  /** Whether an earlier purge was interrupted. */
  readonly isBegun: boolean
  /** Rows by table, at most `countCap` of each; tables without any are left out. */
  readonly counts: ReadonlyMap<string, number>
}

export type PurgeWatch = {
  /** Called after each transaction. */
  readonly onPiece: (table: string, deleted: number) => void
  /** Called while the purge waits for work that began before it. */
  readonly onWait: (leftMs: number) => void
}

/** Deletes everything of a suspended realm. `db` must be opened with the role that owns the schema. */
export class Purge {
  readonly #db: Database
  readonly #id: string

  constructor(db: Database, id: string) {
    this.#db = db
    this.#id = id
  }

  /** Whether the role of the database may purge. */
  isAllowed(): Promise<boolean> {
    return mayPurge(this.#db)
  }

  /** What will be deleted. Changes nothing. */
  async plan(): Promise<PurgePlan> {
    const session = await this.#db.open({})
    try {
      const { realm, head, began } = await this.#db.transaction((tx) => this.#checked(tx))
      const counts = new Map<string, number>()
      for (const table of await listTables(session)) {
        const count = await countRows(session, { realm, table, most: countCap })
        if (count > 0) counts.set(table, count)
      }
      return { realm, head, isBegun: began, counts }
    } finally {
      await session.close()
    }
  }

  /** Begins the purge, or goes on with it; returns how many rows this call deleted. */
  async run(by: Actor, watch: PurgeWatch): Promise<number> {
    const realm = await this.#begin(by)
    const session = await this.#db.open({})
    try {
      const tables = inOrder(await listTables(session))
      const others = tables.filter((table) => !keyTables.includes(table))
      let deleted = await deleteAll(session, { realm, tables: others, watch })
      for (let leftMs = await this.#leftMs(); leftMs > 0; leftMs = await this.#leftMs()) {
        watch.onWait(leftMs)
        await sleep(Math.min(leftMs, lookEveryMs))
      }
      deleted += await deleteAll(session, { realm, tables, watch })
      await this.#db.transaction(async (tx) => {
        const { head } = await this.#checked(tx)
        await endPurge(tx, realm)
        const subject = `realm ${this.#id}, last ${head}`
        await record(tx, by, { realm: installation, action: 'realm.purged', subject })
      })
      return deleted
    } finally {
      await session.close()
    }
  }

  /** The realm stops to exist for its clients and for operators. */
  async #begin(by: Actor): Promise<number> {
    const { realm, began } = await this.#db.transaction(async (tx) => {
      const found = await this.#checked(tx)
      if (found.began) return found
      await beginPurge(tx, found.realm, found.head)
      const subject = `realm ${this.#id}, last ${found.head}`
      await record(tx, by, { realm: installation, action: 'realm.purge', subject })
      return found
    })
    if (!began) await sleep(revokedMs)
    return realm
  }

  async #leftMs(): Promise<number> {
    const { began_ms: beganMs } = await this.#db.transaction((tx) => this.#checked(tx))
    return settledMs - beganMs
  }

  /** The realm, locked. Only a suspended one can be purged, and only once. */
  async #checked(tx: Queryable): Promise<PurgeRow & { readonly head: string }> {
    const row = await lockRealm(tx, this.#id)
    if (!row) throw refuse('realm_not_found', `There is no realm ${this.#id}.`)
    if (row.purged_at) throw purged(this.#id, row.purged_at)
    if (row.purged_head !== null) return { ...row, head: row.purged_head }
    const suspension = await readSuspension(tx, row.realm)
    if (suspension && suspension.suspended_at === null)
      throw refuse('forbidden', `Realm ${this.#id} is not suspended. Suspend it first, and export it.`)
    return { ...row, head: (await lockHead(tx, row.realm)) ?? '0:' }
  }
}

const purged = (id: string, at: Date) =>
  refuse('realm_not_found', `Realm ${id} was purged at ${at.toISOString()}.`)

function inOrder(tables: readonly string[]): string[] {
  const first = firstTables.filter((table) => tables.includes(table))
  return [...first, ...tables.filter((table) => !first.includes(table))]
}

type Deletion = {
  readonly realm: number
  readonly tables: readonly string[]
  readonly watch: PurgeWatch
}

async function emptyTable(
  session: Queryable,
  table: string,
  { realm, watch }: Omit<Deletion, 'tables'>,
): Promise<number> {
  let count = 0
  for (let from: bigint | null = null; ; ) {
    const piece: Deleted = await deletePiece(session, { realm, table, most: pieceSize, from })
    if (piece.deleted === 0) return count
    count += piece.deleted
    from = piece.last_key
    watch.onPiece(table, piece.deleted)
  }
}

/** Until all tables are found empty one after the other: a deleted row may add one to another table. */
async function deleteAll(session: Queryable, { realm, tables, watch }: Deletion): Promise<number> {
  let deleted = 0
  for (let before = -1; before !== deleted; ) {
    before = deleted
    for (const table of tables) deleted += await emptyTable(session, table, { realm, watch })
  }
  return deleted
}
