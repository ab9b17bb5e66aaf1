import { setTimeout as sleep } from 'node:timers/promises'
import { type Actor, installation, record } from '../audit/index.ts'
import { countRealmRows, deleteRealmRows, listRealmTables } from '../cells/rows/index.ts'
import type { Database } from '../db/database.ts'
import type { Queryable } from '../db/session.ts'
import { RefusalError, refuse, wrongCell } from '../errors.ts'
import {
  beginPurge,
  endPurge,
  findDeparted,
  findMove,
  lockHead,
  lockRealm,
  mayPurge,
  type PurgeRow,
} from './purgeStore.ts'
import { readSuspension } from './store.ts'

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
const firstTables = ['heads', 'settings', 'holds', 'awards', 'endpoints', 'readings', 'roles', 'invitations']

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
  readonly #isCopy: boolean

  /** `isCopy`: what the directory has of a realm that was purged in another cell. */
  constructor(db: Database, id: string, { isCopy = false }: { readonly isCopy?: boolean } = {}) {
    this.#db = db
    this.#id = id
    this.#isCopy = isCopy
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
      for (const table of await listRealmTables(session)) {
        const count = await countRealmRows(session, { realm, table, most: countCap })
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
      const tables = inOrder(await listRealmTables(session))
      const others = tables.filter((table) => !keyTables.includes(table))
      let deleted = await deleteRealmRows(session, { realm, tables: others, watch })
      for (let leftMs = await this.#leftMs(); leftMs > 0; leftMs = await this.#leftMs()) {
        watch.onWait(leftMs)
        await sleep(Math.min(leftMs, lookEveryMs))
      }
      deleted += await deleteRealmRows(session, { realm, tables, watch })
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
    // Only the directory, which is in cell 0, knows where a realm is.
    if (row.own === 0 && row.cell !== 0 && !this.#isCopy)
      throw refuse('wrong_cell', `Realm ${this.#id} is in cell ${row.cell}. Run the command there.`)
    if (row.purged_head !== null) return { ...row, head: row.purged_head }
    const target = await findMove(tx, row.realm)
    if (target !== undefined) throw refuse('forbidden', moving(this.#id, target))
    // The head is in its cell, whose audit log has it; here the realm is not suspended, and may have left.
    if (this.#isCopy) return { ...row, head: `in cell ${row.cell}` }
    const cell = await findDeparted(tx, row.realm)
    if (cell !== undefined) throw refuse('forbidden', movedAway(this.#id, cell))
    const suspension = await readSuspension(tx, row.realm)
    if (suspension && suspension.suspended_at === null)
      throw refuse('forbidden', `Realm ${this.#id} is not suspended. Suspend it first, and export it.`)
    const head = await lockHead(tx, row.realm)
    if (head === undefined) throw new RefusalError(wrongCell)
    return { ...row, head }
  }
}

const purged = (id: string, at: Date) =>
  refuse('realm_not_found', `Realm ${id} was purged at ${at.toISOString()}.`)

const moving = (id: string, cell: number): string =>
  `Realm ${id} is moving to cell ${cell}. Finish the move first, or give it up: realm move ${id} --give-up`

const movedAway = (id: string, cell: number): string =>
  `Realm ${id} has moved to cell ${cell}. To delete what it left here, run: realm move ${id} --purge`

function inOrder(tables: readonly string[]): string[] {
  const first = firstTables.filter((table) => tables.includes(table))
  return [...first, ...tables.filter((table) => !first.includes(table))]
}
