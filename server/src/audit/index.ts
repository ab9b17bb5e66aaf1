import { bind, type Walled } from '../db/rowSecurity.ts'
import type { Queryable } from '../db/session.ts'
import { type ActPage, findLast, insertAct, listActs } from './store.ts'

export { AuditRetention } from './retention.ts'

/** Who does something, and from where. */
export type Actor = {
  /** `operator`, `operator token 3 (ann)`, `key 4 (bot)`, `person 5` or `command line`. */
  readonly name: string
  /** Their name is looked up when it is asked for: the log can't be changed, a person can be forgotten. */
  readonly person?: number | undefined
  /** Who is behind it: that person, or the one who issued the key that is used. */
  readonly behind?: number | undefined
  readonly address: string | null
  readonly requestId: string | null
}

/** The installation, where an act is of no realm. */
export const installation = 0

export type Act = {
  readonly realm: number
  /** A noun and a verb: `key.issue`. */
  readonly action: string
  readonly subject: string
}

/** Keeps who did what. In the transaction that does it: neither is without the other. */
export async function record(tx: Queryable, by: Actor, { realm, action, subject }: Act): Promise<void> {
  await bind(tx, [realm])
  await insertAct(tx, [realm, by.name, action, subject, by.address, by.requestId, by.person ?? null])
}

/** An act as it is listed. */
export type Kept = Omit<Act, 'realm'> & {
  readonly id: string
  readonly at: Date
  readonly actor: string
  readonly person: { readonly id: string; readonly name: string | null } | null
  readonly address: string | null
  readonly requestId: string | null
}

export type Verified = { readonly at: Date; readonly ok: boolean }

/** As which act a verification is kept. */
export const verifyAction = (ok: boolean): string => (ok ? 'verify.ok' : 'verify.wrong')

/** The log of who did what. */
export class Audit {
  readonly #db: Walled

  constructor(db: Walled) {
    this.#db = db
  }

  /** The newest first, those before a place; each with when it was, in microseconds. */
  async page(realm: number, asked: ActPage): Promise<{ readonly kept: Kept; readonly atUs: number }[]> {
    const rows = await listActs(this.#db.within([realm]), realm, asked)
    return rows.map(({ request_id: requestId, person, person_name: name, at_us: atUs, ...row }) => ({
      kept: { ...row, person: person === null ? null : { id: String(person), name }, requestId },
      atUs: Number(atUs),
    }))
  }

  /** When all books were last verified, or some were found wrong, as the verify command kept it. */
  async lastVerified(): Promise<Verified | undefined> {
    const [right, wrong] = [verifyAction(true), verifyAction(false)]
    const row = await findLast(this.#db.within([installation]), installation, [right, wrong])
    return row && { at: row.at, ok: row.action === right }
  }
}
