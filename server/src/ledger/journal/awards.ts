import type { RealmScoped } from '../../db/rowSecurity.ts'
import { refuse } from '../../errors.ts'
import { entryTypes } from '../rules/entryTypes.ts'
import { noAward } from '../rules/refusals.ts'
import { type AwardRow, listAwards, readAward } from './awardStore.ts'
import type { HoldPage } from './holdStore.ts'

/** Points that are, or were, promised to a member. */
export type AwardView = {
  readonly seq: bigint
  /** Null for a member that was removed. */
  readonly member: string | null
  readonly point: string
  readonly amount: bigint
  /** When it is granted without a request; null for never. */
  readonly grantUs: bigint | null
  /** The entry that ended it; null while it is pending. */
  readonly endedBy: bigint | null
  readonly status: AwardStatus
  /** The code of the error that kept it from being granted when it was due. */
  readonly postponedBy: string | null
}

export type AwardStatus = 'pending' | 'granted' | 'cancelled'

/** Reads awards. Commands create and end them. */
export class PendingAwards {
  readonly #db: RealmScoped

  constructor(db: RealmScoped) {
    this.#db = db
  }

  async get(realm: number, seq: bigint): Promise<AwardView> {
    const row = await readAward(this.#db.within([realm]), realm, seq)
    const { code, detail } = noAward(seq)
    if (!row) throw refuse(code, detail)
    return viewOf(row)
  }

  /** Pending awards, newest first: of a member, none for an unknown one; or of the whole realm. */
  async list(realm: number, asked: HoldPage & { readonly member?: string }): Promise<AwardView[]> {
    return (await listAwards(this.#db.within([realm]), realm, asked)).map(viewOf)
  }
}

function viewOf(row: AwardRow): AwardView {
  const { seq, member, point, amount, grant_us: grantUs, ended_seq: endedBy } = row
  const postponedBy = endedBy === null ? row.postponed_by : null
  return { seq, member, point, amount, grantUs, endedBy, status: statusOf(row), postponedBy }
}

/** By the entry that ended it. */
function statusOf({ ended_seq: endedBy, ended_kind: kind }: AwardRow): AwardStatus {
  if (endedBy === null) return 'pending'
  return kind === entryTypes.grant.number ? 'granted' : 'cancelled'
}
