import type { RealmScoped } from '../../db/rowSecurity.ts'
import { refuse } from '../../errors.ts'
import { entryTypes } from '../rules/entryTypes.ts'
import { noHold } from '../rules/refusals.ts'
import {
  type HoldPage,
  type HoldView,
  listHolds,
  listRealmHolds,
  readHold,
  readSpendable,
} from './holdStore.ts'

/** Points of a member that are, or were, reserved. */
export type Hold = {
  readonly seq: bigint
  /** Null for a member that was removed. */
  readonly member: string | null
  readonly point: string
  readonly amount: bigint
  readonly expiresUs: bigint
  /** The entry that ended the hold; null while it is open. */
  readonly endedBy: bigint | null
  readonly status: HoldStatus
}

export type HoldStatus = 'open' | 'captured' | 'released' | 'expired'

/** Reads holds. Commands create and end them. */
export class Holds {
  readonly #db: RealmScoped

  constructor(db: RealmScoped) {
    this.#db = db
  }

  async get(realm: number, seq: bigint): Promise<Hold> {
    const view = await readHold(this.#db.within([realm]), realm, seq)
    const { code, detail } = noHold(seq)
    if (!view) throw refuse(code, detail)
    return holdOf(view)
  }

  /** The spendable balance of a hold's member in the same point type, as of an entry. */
  spendable(realm: number, hold: bigint, seq: bigint): Promise<bigint> {
    return readSpendable(this.#db.within([realm]), realm, { hold, seq })
  }

  /** A member's open holds, newest first. Empty for an unknown member. */
  async of(realm: number, asked: HoldPage & { readonly member: string }): Promise<Hold[]> {
    return (await listHolds(this.#db.within([realm]), realm, asked)).map(holdOf)
  }

  /** The open holds of a realm, newest first. */
  async all(realm: number, asked: HoldPage): Promise<Hold[]> {
    return (await listRealmHolds(this.#db.within([realm]), realm, asked)).map(holdOf)
  }
}

function holdOf(view: HoldView): Hold {
  const { seq, member, point, amount, expires_us: expiresUs, ended_seq: endedBy } = view
  return { seq, member, point, amount, expiresUs, endedBy, status: statusOf(view) }
}

/** By the entry that ended it. */
function statusOf({ ended_seq: endedBy, ended_kind: kind }: HoldView): HoldStatus {
  if (endedBy === null) return 'open'
  if (kind === entryTypes.capture.number) return 'captured'
  return kind === entryTypes.expiry.number ? 'expired' : 'released'
}
