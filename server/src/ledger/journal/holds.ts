import type { Walled } from '../../db/rowSecurity.ts'
import { refuse } from '../../errors.ts'
import { noHold } from '../rules/refusals.ts'
import { kindNumbers } from '../rules/state.ts'
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
  /** Null for someone who is no longer a member. */
  readonly member: string | null
  readonly point: string
  readonly amount: bigint
  readonly expiresUs: bigint
  /** The entry that gave them up; null while they are held. */
  readonly endedBy: bigint | null
  readonly status: HoldStatus
}

export type HoldStatus = 'open' | 'captured' | 'released' | 'expired'

/** Reads of holds. They are made and ended by commands. */
export class Holds {
  readonly #db: Walled

  constructor(db: Walled) {
    this.#db = db
  }

  async get(realm: number, seq: bigint): Promise<Hold> {
    const view = await readHold(this.#db.within([realm]), realm, seq)
    const { code, detail } = noHold(seq)
    if (!view) throw refuse(code, detail)
    return holdOf(view)
  }

  /** What the member of a hold can spend of the same points, as of an entry. */
  spendable(realm: number, hold: bigint, seq: bigint): Promise<bigint> {
    return readSpendable(this.#db.within([realm]), realm, { hold, seq })
  }

  /** A member's open holds, the newest first. Nobody's are none. */
  async of(realm: number, asked: HoldPage & { readonly member: string }): Promise<Hold[]> {
    return (await listHolds(this.#db.within([realm]), realm, asked)).map(holdOf)
  }

  /** The open holds of a realm, the newest first. */
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
  if (kind === kindNumbers.capture) return 'captured'
  return kind === kindNumbers.expiry ? 'expired' : 'released'
}
