import type { Session, Writable } from '../../db/session.ts'
import { RefusalError } from '../../errors.ts'
import { changeConfigVersion, type RealmConfig } from '../../realms/index.ts'
import { ownerOf } from '../rules/accounts.ts'
import { seal } from '../rules/chain.ts'
import type { MergeEntry, MergeSide } from '../rules/command.ts'
import { decideMerge } from '../rules/decide.ts'
import { memberHasHolds } from '../rules/refusals.ts'
import { balanceKey, emptyContext, type RealmState } from '../rules/state.ts'
import { alone, type ClaimTools, commit, lockAlone, neverAsked } from './claim.ts'
import { type RealmDecision, writeHeads, writeRows } from './commit.ts'
import { type MergeBalance, readMergeBalances } from './mergeStore.ts'
import type { HeadRow } from './store.ts'

/** Two members, as found under the head lock. To undo a merge: its entries. */
export type MergePlan = {
  readonly from: MergeSide
  readonly to: MergeSide
  readonly undoes?: readonly MergeEntry[]
}

export type MergedPoints = { readonly point: string; readonly tokens: bigint; readonly newBalance: bigint }

/** What the entries of a merge moved, and the journal's last entry then. */
export type MergeResult = {
  readonly afterSeq: bigint
  readonly entries: number
  readonly points: readonly MergedPoints[]
}

export type Merging<Plan extends MergePlan> = {
  readonly realm: number
  readonly key: number
  readonly requestId: string
  /** Only what would happen: nothing is stored. */
  readonly dry: boolean
  /** Finds the members, under the head lock; throws a refusal. */
  readonly plan: (tx: Writable) => Promise<Plan>
  /** Stores whatever else goes with it, in the same transaction; before the entries are written. */
  readonly keep: (tx: Writable, plan: Plan, result: MergeResult) => Promise<unknown>
}

/**
 * Merges two members, or undoes it, in one transaction under the head lock: its entries, and everything else
 * that moves with them. The head gets another configuration version, so that no process decides with what it
 * remembers of either member.
 */
export function merge<Plan extends MergePlan>(
  merging: Merging<Plan>,
  tools: ClaimTools,
): Promise<{ readonly plan: Plan; readonly result: MergeResult }> {
  const { realm, dry, keep } = merging
  return alone(tools.db, async (session) => {
    const { head, tx, config } = await lockAlone(session, realm, tools.configs)
    const plan = await merging.plan(tx)
    const decided = await decide(session, merging, { head, config, plan })
    const result = resultOf(head, decided)
    if (dry) return { plan, result }
    await keep(tx, plan, result)
    if (decided.sealed.length > 0) {
      await Promise.all(session.together(() => writeRows(session, [decided], neverAsked)))
      await writeHeads(tx, [decided], tools.feed)
    }
    await changeConfigVersion(tx, realm)
    await commit(session)
    return { plan, result }
  })
}

type Asked = { readonly realm: number; readonly key: number; readonly requestId: string }
type Found = { readonly head: HeadRow; readonly config: RealmConfig; readonly plan: MergePlan }

async function decide(session: Session, asked: Asked, found: Found): Promise<RealmDecision> {
  const { realm, key, requestId } = asked
  const { head, config, plan } = found
  const { from, to, undoes } = plan
  const balances = await readMergeBalances(session, realm, { from: from.account, to: to.account })
  const held = balances.find(({ account, balance }) => account < 0 && balance > 0n)
  if (held && !undoes)
    throw new RefusalError(memberHasHolds(ownerOf(held.account) === from.account ? from.id : to.id))
  const state = stateOf(head, config, balances)
  const said = { retry: undefined, details: undefined, undoes }
  const decision = decideMerge(state, { kind: 'merge', realm, key, requestId, from, to, ...said })
  return {
    realm,
    hash: head.hash,
    state,
    commands: [],
    decision,
    sealed: seal(head.hash, decision.entries),
  }
}

function stateOf(head: HeadRow, config: RealmConfig, balances: readonly MergeBalance[]): RealmState {
  const stored = ({ account, point, balance, seq, lots }: MergeBalance) =>
    [balanceKey(account, point), { balance, seq, lots }] as const
  return {
    config,
    seq: head.seq,
    atUs: head.at_us,
    nextAccount: head.next_account,
    nowUs: head.now_us,
    accounts: new Map(),
    frozen: new Set(),
    balances: new Map(balances.map(stored)),
    remembered: new Map(),
    context: emptyContext,
  }
}

const resultOf = (head: HeadRow, { decision }: RealmDecision): MergeResult => ({
  afterSeq: decision.entries.at(-1)?.seq ?? head.seq,
  entries: decision.entries.length,
  points: decision.entries.map(({ point, amount, toBalance }) => ({
    point: point.id,
    tokens: amount,
    newBalance: toBalance ?? 0n,
  })),
})
