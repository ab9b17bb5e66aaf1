import type { Walled } from '../db/wall.ts'
import { refuse } from '../errors.ts'
import { type HoldPage, type HoldView, listHolds, listRealmHolds, readHold } from './holdStore.ts'
import { noHold } from './words.ts'

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
}

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

  /** A member's open holds, the newest first. Nobody's are none. */
  async of(realm: number, asked: HoldPage & { readonly member: string }): Promise<Hold[]> {
    return (await listHolds(this.#db.within([realm]), realm, asked)).map(holdOf)
  }

  /** The open holds of a realm, the newest first. */
  async all(realm: number, asked: HoldPage): Promise<Hold[]> {
    return (await listRealmHolds(this.#db.within([realm]), realm, asked)).map(holdOf)
  }
}

function holdOf({ seq, member, point, amount, expires_us: expiresUs, ended_seq: endedBy }: HoldView): Hold {
  return { seq, member, point, amount, expiresUs, endedBy }
}
