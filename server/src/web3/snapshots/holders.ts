import type { Queryable, Writable } from '../../db/session.ts'
import { RefusalError, refuse, unavailable } from '../../errors.ts'
import { type HolderRow, readHolders } from './holderStore.ts'
import { forgetMember, type MemberRow, type NewMember, readOfAccount } from './memberStore.ts'
import type { NewSnapshot } from './store.ts'
import { leafOf } from './tree.ts'

/** Members with points that one snapshot can have: docs/claim.md says how long that takes. */
export const membersCap = 100_000

type At = { readonly point: number; readonly chain: string; readonly seq: bigint }

/**
 * All members who have points of a type at an entry. Read in pages, so a wallet that moved meanwhile could
 * appear twice: that is rejected.
 */
export async function holdersAt(db: Queryable, realm: number, at: At): Promise<HolderRow[]> {
  const all: HolderRow[] = []
  const wallets = new Set<string>()
  for await (const rows of readHolders(db, realm, at)) {
    all.push(...rows)
    if (all.length > membersCap)
      throw refuse(
        'snapshot_limit',
        `More than ${membersCap} members have these points. Nothing was taken.`,
        {
          limit: membersCap,
        },
      )
    for (const { address } of rows) {
      if (address === null) continue
      if (wallets.has(address)) throw movedMeanwhile()
      wallets.add(address)
    }
  }
  return all
}

export const movedMeanwhile = (): RefusalError =>
  new RefusalError({
    ...unavailable,
    detail: 'Members or their wallets changed while they were read. Nothing was taken; try again.',
  })

export const emptySnapshot = (point: string): RefusalError =>
  refuse('empty_snapshot', `No member with points of type ${point} has proved a wallet for this chain.`)

type Totals = Pick<
  NewSnapshot,
  'members' | 'tokens' | 'unproved' | 'unproved_tokens' | 'frozen' | 'frozen_tokens'
>

/** The sums of members in the tree, and of those without a leaf. */
export function totalsOf(all: readonly NewMember[]): Totals {
  const of = (some: readonly NewMember[]) =>
    [some.length, String(some.reduce((sum, { amount }) => sum + amount, 0n))] as const
  const [members, tokens] = of(all.filter(isIn))
  const [unproved, unprovedTokens] = of(all.filter(({ address }) => address === null))
  const [frozen, frozenTokens] = of(all.filter((one) => one.frozen && one.address !== null))
  return { members, tokens, unproved, unproved_tokens: unprovedTokens, frozen, frozen_tokens: frozenTokens }
}

const isIn = ({ address, frozen }: Pick<NewMember, 'address' | 'frozen'>): boolean =>
  address !== null && !frozen

/** The leaf of a member in the tree; for an erased member it is all that was stored. */
export function leafIn({ address, frozen, amount, leaf }: MemberRow): Buffer | undefined {
  if (leaf) return leaf
  return address === null || frozen ? undefined : leafOf(address, amount)
}

/**
 * Erases which wallet an account had in snapshots, except for the leaf: without it the proofs of other
 * members could not be computed again.
 */
export async function forgetSnapshots(tx: Writable, realm: number, account: number): Promise<void> {
  for (const { snapshot: id, address, amount, frozen } of await readOfAccount(tx, realm, account)) {
    const leaf = address === null || frozen ? undefined : leafOf(address, amount)
    await forgetMember(tx, { realm, id }, { account, leaf })
  }
}
