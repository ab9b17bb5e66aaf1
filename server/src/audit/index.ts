import { bind, bindForWrite, type RealmScoped } from '../db/rowSecurity.ts'
import type { Queryable } from '../db/session.ts'
import { type ActPage, type ActRow, findLast, insertAct, insertOnPeople, listActs } from './store.ts'

export { AuditRetention, auditEverySeconds } from './retention.ts'

/** Who performs an action, and from where. */
export type Actor = {
  /** `operator`, `operator token 3 (ann)`, `key 4 (bot)`, `person 5` or `command line`. */
  readonly name: string
  /** A person's name is looked up when the log is read: the log is immutable, a person can be erased. */
  readonly person?: number | undefined
  /** The person responsible: that person, or the person who issued the key in use. */
  readonly behind?: number | undefined
  readonly address: string | null
  readonly requestId: string | null
}

/** The realm number of acts that belong to the installation and to no realm. */
export const installation = 0

export type Act = {
  readonly realm: number
  /** Resource and verb: `key.issue`. */
  readonly action: string
  readonly subject: string
}

/** Records who did what, in the transaction that does it: both commit or neither does. */
export async function record(tx: Queryable, by: Actor, { realm, action, subject }: Act): Promise<void> {
  const own = await bindForWrite(tx, [realm])
  await insertAct(own, [realm, by.name, action, subject, by.address, by.requestId, by.person ?? null])
}

/**
 * The same for an act on people, in the directory, wherever the realm is: they do not move with it, so no
 * fence is needed.
 */
export async function recordOnPeople(
  tx: Queryable,
  by: Actor,
  { realm, action, subject }: Act,
): Promise<void> {
  await bind(tx, [realm])
  await insertOnPeople(tx, [realm, by.name, action, subject, by.address, by.requestId, by.person ?? null])
}

/** An act as it is listed. */
export type AuditEntry = Omit<Act, 'realm'> & {
  readonly id: string
  readonly at: Date
  readonly actor: string
  readonly person: { readonly id: string; readonly name: string | null } | null
  readonly address: string | null
  readonly requestId: string | null
}

export type VerifyRun = { readonly at: Date; readonly ok: boolean }

/** The action that a verification is recorded as. */
export const verifyAction = (ok: boolean): string => (ok ? 'verify.ok' : 'verify.wrong')

/** Where people are stored, if that is another database: it has the acts on them, and their names. */
export type ActsOnPeople = {
  readonly db: RealmScoped
  readonly names: (people: readonly number[]) => Promise<ReadonlyMap<number, string | null>>
}

/** Newest first; an act that was copied to both databases is listed once. */
function merged(rows: readonly ActRow[], limit: number): ActRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const order = (a: ActRow, b: ActRow) =>
    a.at_us === b.at_us ? (a.id < b.id ? 1 : -1) : a.at_us < b.at_us ? 1 : -1
  return [...byId.values()].sort(order).slice(0, limit)
}

/** The audit log. */
export class Audit {
  readonly #db: RealmScoped
  readonly #people: ActsOnPeople | undefined

  constructor(db: RealmScoped, people?: ActsOnPeople) {
    this.#db = db
    this.#people = people
  }

  /** A realm's acts are in its cell, except for those on people; the installation's are in the directory. */
  async #rows(realm: number, asked: ActPage): Promise<ActRow[]> {
    const people = this.#people
    if (!people) return listActs(this.#db.within([realm]), realm, asked)
    const onPeople = await listActs(people.db.within([realm]), realm, asked)
    if (realm === installation) return onPeople
    const own = await listActs(this.#db.within([realm]), realm, asked)
    const names = await people.names([...new Set(own.flatMap(({ person }) => person ?? []))])
    const named = own.map((row) => ({ ...row, person_name: names.get(row.person ?? 0) ?? null }))
    return merged([...onPeople, ...named], asked.limit)
  }

  /** Newest first, those before a given position; each with its time in microseconds. */
  async page(realm: number, asked: ActPage): Promise<{ readonly kept: AuditEntry; readonly atUs: number }[]> {
    const rows = await this.#rows(realm, asked)
    return rows.map(({ request_id: requestId, person, person_name: name, at_us: atUs, ...row }) => ({
      kept: { ...row, person: person === null ? null : { id: String(person), name }, requestId },
      atUs: Number(atUs),
    }))
  }

  /** When the whole ledger was last verified, or found wrong, as the verify command recorded it. */
  async lastVerified(): Promise<VerifyRun | undefined> {
    const [right, wrong] = [verifyAction(true), verifyAction(false)]
    const row = await findLast(this.#db.within([installation]), installation, [right, wrong])
    return row && { at: row.at, ok: row.action === right }
  }
}
