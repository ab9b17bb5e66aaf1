import { Wrong } from '../chain.ts'
import type { Line } from '../realmFile.ts'
import { leafOf, treeOf } from './tree.ts'

/** A tree as the server hands it out: OpenZeppelin's form, and what it is of. */
export type TreeFile = {
  readonly tree: readonly string[]
  readonly values: readonly { readonly value: readonly [string, string]; readonly treeIndex: number }[]
  readonly snapshot: {
    readonly realmId: string
    readonly id: string
    readonly realmPointId: string
    readonly seq: string
    readonly hash: string
    readonly firstSeq: string | null
  }
}

export type Claimant = {
  readonly snapshot: string
  readonly account: number
  readonly amount: string
  readonly frozen: boolean
  readonly address: string | null
  readonly leaf: string | null
}

const claimed = 2_147_483_647
const claimKind = 9

export type Checked = {
  readonly root: string
  readonly members: number
  readonly tokens: string
  readonly apart: number
  /** Whose wallets were forgotten: their leaves are taken as they are. */
  readonly erased: number
  /** Whose wallets are no longer linked to them as proved. */
  readonly relinked: number
}

export function parseTree(text: string): TreeFile {
  try {
    const file = JSON.parse(text) as Partial<TreeFile>
    if (file.tree && file.values && file.snapshot) return file as TreeFile
  } catch {
    // Told below.
  }
  throw new Wrong('the tree', 'this is none; make one with: exchequer snapshot tree ID')
}

/** Holds a tree against an exported realm, whose lines it is shown while they are verified. */
export class SnapshotCheck {
  readonly #file: TreeFile
  /** What each account had, or had taken from it, by the journal. */
  readonly #amounts = new Map<number, bigint>()
  readonly #members = new Set<number>()
  readonly #proved = new Set<string>()
  readonly #claimants: Claimant[] = []
  #hash: string | undefined

  constructor(file: TreeFile) {
    this.#file = file
  }

  look({ member, wallet, entry, claimant }: Line): void {
    const { snapshot } = this.#file
    if (member) this.#members.add(member.account)
    if (wallet?.verified_at) this.#proved.add(`${wallet.account} ${wallet.address}`)
    if (claimant?.snapshot === snapshot.id) this.#claimants.push(claimant)
    if (!entry || BigInt(entry.seq) > BigInt(snapshot.seq)) return
    if (entry.seq === snapshot.seq) this.#hash = entry.hash
    if (entry.point !== snapshot.realmPointId) return
    if (snapshot.firstSeq === null) {
      this.#set(entry.from_account, entry.from_balance)
      this.#set(entry.to_account, entry.to_balance)
    } else if (entry.kind === claimKind && BigInt(entry.seq) >= BigInt(snapshot.firstSeq))
      this.#set(entry.from_account, entry.amount)
  }

  #set(account: number, amount: string | null): void {
    if (account > 0 && account < claimed && amount !== null) this.#amounts.set(account, BigInt(amount))
  }

  end(realmId: string): Checked {
    const { snapshot, tree, values } = this.#file
    if (snapshot.realmId !== realmId) throw new Wrong('the realm', `the tree is of ${snapshot.realmId}`)
    if (this.#hash !== snapshot.hash)
      throw new Wrong(`entry ${snapshot.seq}`, 'the tree was taken at another one, or the export is older')
    if (this.#claimants.length === 0) throw new Wrong('the export', `it has no snapshot ${snapshot.id}`)
    const inTree = this.#claimants.filter(isIn)
    this.#checkAmounts(inTree)
    const made = treeOf(inTree.map((one) => leaf(one)))
    if (made.length !== tree.length || made.some((node, at) => node !== tree[at]))
      throw new Wrong('the tree', `its root is ${tree[0]}, and that of the journal ${made[0]}`)
    for (const { value, treeIndex } of values)
      if (leafOf(...value) !== tree[treeIndex]) throw new Wrong(`value ${value[0]}`, 'it is not its leaf')
    return {
      root: made[0] ?? '',
      members: inTree.length,
      tokens: String(inTree.reduce((sum, { amount }) => sum + BigInt(amount), 0n)),
      apart: this.#claimants.length - inTree.length,
      erased: inTree.filter(({ address }) => address === null).length,
      relinked: inTree.filter((one) => one.address !== null && !this.#isProved(one)).length,
    }
  }

  #isProved = ({ account, address }: Claimant): boolean => this.#proved.has(`${account} ${address}`)

  /** Each has what the journal says, and of those who are still members nobody is missing. */
  #checkAmounts(inTree: readonly Claimant[]): void {
    const { firstSeq } = this.#file.snapshot
    const told = firstSeq === null ? this.#claimants : inTree
    for (const { account, amount } of told)
      if (this.#amounts.get(account) !== BigInt(amount))
        throw new Wrong(
          `account ${account}`,
          `${this.#amounts.get(account) ?? 0} by the journal, ${amount} in the snapshot`,
        )
    const there = new Set(told.map(({ account }) => account))
    for (const [account, amount] of this.#amounts)
      if (amount > 0n && !there.has(account) && (firstSeq !== null || this.#members.has(account)))
        throw new Wrong(`account ${account}`, `${amount} by the journal, and it is not in the snapshot`)
  }
}

const isIn = ({ address, frozen, leaf: kept }: Claimant): boolean =>
  kept !== null || (address !== null && !frozen)

const leaf = ({ address, amount, leaf: kept }: Claimant): string =>
  kept === null ? leafOf(address ?? '', amount) : `0x${kept}`
