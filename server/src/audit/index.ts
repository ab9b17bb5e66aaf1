import { bind, type RealmScoped } from '../db/rowSecurity.ts'
import type { Queryable } from '../db/session.ts'
import { type ActPage, findLast, insertAct, listActs } from './store.ts'

export { AuditRetention } from './retention.ts'

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
  await bind(tx, [realm])
  await insertAct(tx, [realm, by.name, action, subject, by.address, by.requestId, by.person ?? null])
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

/** The audit log. */
export class Audit {
  readonly #db: RealmScoped

  constructor(db: RealmScoped) {
    this.#db = db
  }

  /** Newest first, those before a given position; each with its time in microseconds. */
  async page(realm: number, asked: ActPage): Promise<{ readonly kept: AuditEntry; readonly atUs: number }[]> {
    const rows = await listActs(this.#db.within([realm]), realm, asked)
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
