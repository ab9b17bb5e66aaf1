import type { Queryable } from '../../db/session.ts'
import { Refused, refuse, unavailable } from '../../errors.ts'
import { type HolderRow, readHolders } from './holderStore.ts'
import { forgetMember, type MemberRow, type NewMember, readOfAccount } from './memberStore.ts'
import type { NewSnapshot } from './store.ts'
import { leafOf } from './tree.ts'

/** Members with points that one snapshot can have: docs/claim.md says how long that takes. */
export const membersCap = 100_000

type At = { readonly point: number; readonly chain: string; readonly seq: bigint }

/** Everyone who has points of a kind at an entry. They are read in pages: a wallet is nobody's twice. */
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

export const movedMeanwhile = (): Refused =>
  new Refused({
    ...unavailable,
    detail: 'Members or their wallets changed while they were read. Nothing was taken; try again.',
  })

export const nobody = (point: string): Refused =>
  refuse('empty_snapshot', `Nobody who has points of the kind ${point} has proved a wallet for this chain.`)

type Totals = Pick<
  NewSnapshot,
  'members' | 'tokens' | 'unproved' | 'unproved_tokens' | 'frozen' | 'frozen_tokens'
>

/** Who is in the tree, and who stands apart. */
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

/** The leaf of someone in the tree; of one that was erased it is all that was kept. */
export function leafIn({ address, frozen, amount, leaf }: MemberRow): Buffer | undefined {
  if (leaf) return leaf
  return address === null || frozen ? undefined : leafOf(address, amount)
}

/**
 * Forgets which wallet an account had in snapshots, but for the leaf: without it nobody else's proof could be
 * made again.
 */
export async function forgetSnapshots(tx: Queryable, realm: number, account: number): Promise<void> {
  for (const { snapshot: id, address, amount, frozen } of await readOfAccount(tx, realm, account)) {
    const leaf = address === null || frozen ? undefined : leafOf(address, amount)
    await forgetMember(tx, { realm, id }, { account, leaf })
  }
}
