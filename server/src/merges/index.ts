import { type Actor, record } from '../audit/index.ts'
import type { Database } from '../db/database.ts'
import type { Queryable, Writable } from '../db/session.ts'
import { type RefusalError, refuse } from '../errors.ts'
import { type MergeResult, type MergeTools, mergeMembers, readMergeEntries } from '../ledger/index.ts'
import { identitiesCap } from '../members/identities/index.ts'
import { addNotices } from '../notices/index.ts'
import { forgetProofs } from '../web3/proofs/index.ts'
import { assertMayMerge, type Consent, findParty, isAlias } from './rules.ts'
import {
  findAlias,
  insertMerge,
  listMerges,
  type MergeRow,
  type Moved,
  movePossessions,
  nextNumber,
  type Party,
  readMerge,
  returnPossessions,
} from './store.ts'

export { type Consent, isUnclaimed } from './rules.ts'
export { forgetMerges, type MergedAccount, type MergeRow, mergedInto } from './store.ts'

/** Accounts that were merged into one member: each is three look-ups more for its history. */
export const mergedCap = 16

/** A request to merge: who asks, with which key, and whether only to show what would happen. */
export type MergeRequest = {
  readonly realm: number
  readonly key: number
  readonly requestId: string
  readonly by: Actor
  readonly dry: boolean
}

/** Who is merged into whom, as they are named in the request, and what the caller allows. */
export type MergeParties = { readonly from: string; readonly to: string; readonly consent: Consent }

/** What happened, or would happen; without a number in a dry run. */
export type MergeOutcome = {
  readonly number: number | undefined
  readonly from: string
  readonly to: string
  readonly identities: number
  readonly wallets: number
  readonly frozen: boolean
  readonly hidden: boolean
  readonly result: MergeResult
}

type Options = MergeTools & {
  /** Called once a merge is stored: leaderboards have to follow, also without an entry. */
  readonly onMerged: (realm: number) => void
  /** Leaderboards start over when a merge is undone. */
  readonly onUndo: (tx: Writable, realm: number) => Promise<void>
}

export const mergeNotFound = (number: number): RefusalError =>
  refuse('merge_not_found', `The realm has no merge ${number}.`)

const ended = (number: number, why: string): RefusalError =>
  refuse('merge_ended', `Merge ${number} can't be undone: ${why}.`)

/** Merges members, and undoes it. */
export class Merges {
  readonly #db: Database
  readonly #options: Options

  constructor(options: Options) {
    this.#db = options.db
    this.#options = options
  }

  async merge(asked: MergeRequest, wanted: MergeParties): Promise<MergeOutcome> {
    const { realm, key, requestId, by, dry } = asked
    let number: number | undefined
    const { plan, result } = await mergeMembers(
      {
        realm,
        key,
        requestId,
        dry,
        plan: (tx) => planOf(tx, realm, wanted),
        keep: async (tx, two, { afterSeq, entries }) => {
          number = await nextNumber(tx, realm)
          const { from, to } = two
          const made = { number, from: from.account, to: to.account, afterSeq, entries, key, undoes: null }
          await movePossessions(tx, realm, { from, to, number })
          await forgetProofs(tx, realm, from.account)
          await insertMerge(tx, realm, { ...made, moved: movedOf(two) })
          await record(tx, by, { realm, action: 'member.merge', subject: `${from.id} into member ${to.id}` })
          const notice = { type: 'member.merged', account: to.account, data: { number } } as const
          await addNotices(tx, realm, [notice])
        },
      },
      this.#options,
    )
    if (!dry) this.#options.onMerged(realm)
    return mergedOf(plan, number, result)
  }

  async undo(asked: MergeRequest, number: number): Promise<MergeOutcome> {
    const { realm, key, requestId, by, dry } = asked
    let made: number | undefined
    const { plan, result } = await mergeMembers(
      {
        realm,
        key,
        requestId,
        dry,
        plan: (tx) => undoPlanOf(tx, realm, number),
        keep: async (tx, { from, to, moved }, { afterSeq, entries }) => {
          made = await nextNumber(tx, realm)
          const row = { number: made, from: from.account, to: to.account, afterSeq, entries, key }
          await insertMerge(tx, realm, { ...row, undoes: number, moved: {} })
          await returnPossessions(tx, realm, { from: from.account, id: from.id, to: to.account, moved })
          await this.#options.onUndo(tx, realm)
          const subject = `${from.id} out of member ${to.id}`
          await record(tx, by, { realm, action: 'member.unmerge', subject })
          const data = { number, undone: true }
          await addNotices(tx, realm, [{ type: 'member.merged', account: to.account, data }])
        },
      },
      this.#options,
    )
    if (!dry) this.#options.onMerged(realm)
    const { moved } = plan
    return {
      number: made,
      from: plan.from.id,
      to: plan.to.id,
      identities: moved.identities?.length ?? 0,
      wallets: moved.wallets?.length ?? 0,
      frozen: moved.from?.frozen ?? false,
      hidden: moved.from?.hidden ?? false,
      result,
    }
  }

  async get(realm: number, number: number): Promise<MergeRow> {
    const row = await readMerge(this.#db.within([realm]), realm, number)
    if (!row || row.undoes !== null) throw mergeNotFound(number)
    return row
  }

  /** The latest first; of one member if it is named. */
  async list(
    realm: number,
    { member, before, limit }: { readonly member: string | null; before: number; limit: number },
  ): Promise<readonly MergeRow[]> {
    const own = this.#db.within([realm])
    const account = member === null ? null : (await findParty(own, realm, member)).account
    return listMerges(own, realm, { account, before, limit })
  }

  /** The member that a numeric id belongs to since a merge. */
  async survivorOf(realm: number, id: string): Promise<string | undefined> {
    const own = this.#db.within([realm])
    return (await isAlias(own, realm, id)) ? (await findParty(own, realm, id)).id : undefined
  }
}

type Two = { readonly from: Party; readonly to: Party }

async function planOf(
  tx: Queryable,
  realm: number,
  { from: name, to: into, consent }: MergeParties,
): Promise<Two> {
  const to = await findParty(tx, realm, into)
  const from = await findParty(tx, realm, name)
  if (from.account === to.account)
    throw refuse('same_member', `${name} and ${into} are the same member, ${to.id}.`)
  if (await isAlias(tx, realm, name))
    throw refuse('already_merged', `Member ${name} was merged into member ${from.id}.`)
  assertMayMerge({ from, to, name }, consent)
  const ofBoth = [...from.identities, ...to.identities]
  const aliases = ofBoth.filter((identity) => identity.startsWith('id:')).length
  if (aliases + 1 > mergedCap)
    throw refuse('merge_limit', `Member ${to.id} would have more than ${mergedCap} merged members.`, {
      limit: mergedCap,
    })
  if (ofBoth.length - aliases > identitiesCap)
    throw refuse('identity_limit', `Member ${to.id} would have more than ${identitiesCap} identities.`, {
      limit: identitiesCap,
    })
  return { from, to }
}

const movedOf = ({ from, to }: Two): Moved => ({
  identities: from.identities,
  wallets: from.wallets,
  from: { frozen: from.frozen, hidden: from.hidden, joinedAt: from.joined_at },
  to: { frozen: to.frozen, hidden: to.hidden },
})

const mergedOf = ({ from, to }: Two, number: number | undefined, result: MergeResult): MergeOutcome => ({
  number,
  from: from.id,
  to: to.id,
  identities: from.identities.length,
  wallets: from.wallets.length,
  frozen: from.frozen || to.frozen,
  hidden: from.hidden || to.hidden,
  result,
})

async function undoPlanOf(tx: Queryable, realm: number, number: number) {
  const row = await readMerge(tx, realm, number)
  if (!row || row.undoes !== null) throw mergeNotFound(number)
  if (row.undone_by !== null) throw ended(number, 'it was undone already')
  const alias = await findAlias(tx, realm, row.from_account)
  if (!alias) throw ended(number, 'the member was removed')
  if (alias.account !== row.to_account)
    throw ended(number, 'its member was merged into another one since; undo that merge first')
  const undoes = await readMergeEntries(tx, realm, { afterSeq: row.after_seq, entries: row.entries })
  const from = { account: row.from_account, id: alias.subject }
  const to = { account: row.to_account, id: row.to_id ?? '' }
  return { from, to, undoes, moved: row.moved }
}
