import { claimedAccount } from '@exchequer/sdk/verify'
import type { FileEntry, Line } from '../realmFile.ts'
import { Wrong } from '../wrong.ts'
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

/** What the export says of a snapshot. */
export type Taken = {
  readonly id: string
  readonly realmPointId: string
  readonly seq: string
  readonly hash: string
  readonly firstSeq: string | null
  readonly members: number
  readonly tokens: string
}

export type Claimant = {
  readonly snapshot: string
  readonly account: number
  readonly tokens: string
  readonly frozen: boolean
  readonly address: string | null
  readonly leaf: string | null
}

export type Checked = {
  readonly root: string
  readonly members: number
  readonly tokens: string
  readonly apart: number
  /** Whose wallets were forgotten: their leaves are taken as they are. */
  readonly erased: number
  /** Whose wallets are no longer linked to them as proved. */
  readonly relinked: number
  /** Whether the journal itself still says for which snapshot the points were taken; null where none were. */
  readonly named: boolean | null
}

export function parseTree(text: string): TreeFile {
  try {
    const file = JSON.parse(text) as Partial<TreeFile>
    if (file.tree && file.values && file.snapshot) return file as TreeFile
  } catch {
    // Told below.
  }
  throw new Wrong('the tree', 'this is not a tree; create one with: exchequer snapshots export ID')
}

/** Holds a tree against an exported realm, whose lines it is shown while they are verified. */
export class SnapshotCheck {
  readonly #file: TreeFile
  /** What each account had, or had taken from it, by the journal. */
  readonly #amounts = new Map<number, bigint>()
  readonly #members = new Set<number>()
  readonly #proved = new Set<string>()
  readonly #claimants: Claimant[] = []
  readonly #taken: Taken[] = []
  #entries = 0n
  #named: boolean | null = null
  #hash: string | undefined

  constructor(file: TreeFile) {
    this.#file = file
  }

  look({ member, wallet, entry, claimant, snapshot: taken }: Line): void {
    const { snapshot } = this.#file
    if (member) this.#members.add(member.account)
    if (wallet?.verifiedAt) this.#proved.add(`${wallet.account} ${wallet.address}`)
    if (taken) this.#taken.push(taken)
    if (claimant?.snapshot === snapshot.id) this.#claimants.push(claimant)
    if (!entry) return
    if (entry.seq === snapshot.seq) this.#hash = entry.hash
    if (snapshot.firstSeq === null) this.#balances(entry)
    else this.#claim(entry, snapshot.firstSeq)
  }

  #balances(entry: FileEntry): void {
    const { realmPointId, seq } = this.#file.snapshot
    if (entry.realmPointId !== realmPointId || BigInt(entry.seq) > BigInt(seq)) return
    this.#set(entry.fromAccount, entry.fromBalance)
    this.#set(entry.toAccount, entry.toBalance)
  }

  /** One claim is all entries from its first on that name it, and no other. */
  #claim(entry: FileEntry, firstSeq: string): void {
    const { snapshot } = this.#file
    const seq = BigInt(entry.seq)
    const where = `entry ${entry.seq}`
    if (seq < BigInt(firstSeq)) return
    const isFirst = entry.seq === firstSeq
    const isOurs = entry.type === 'claim' && entry.link === (isFirst ? null : firstSeq)
    if (seq > BigInt(snapshot.seq)) {
      if (isOurs) throw new Wrong(where, `it is of this claim too, and the tree ends at ${snapshot.seq}`)
      return
    }
    if (!isOurs || entry.realmPointId !== snapshot.realmPointId)
      throw new Wrong(where, `it is no part of a claim of ${snapshot.realmPointId} from ${firstSeq} on`)
    if (isFirst) this.#named = entry.details !== undefined
    const said = isFirst && entry.details ? entry.details.reference : snapshot.id
    if (said !== snapshot.id) throw new Wrong(where, `it was taken for ${said}, not for ${snapshot.id}`)
    this.#entries += 1n
    this.#set(entry.fromAccount, entry.tokens)
  }

  #set(account: number, amount: string | number | null): void {
    if (account > 0 && account < claimedAccount && amount !== null) this.#amounts.set(account, BigInt(amount))
  }

  end(realmId: string): Checked {
    const { snapshot, tree, values } = this.#file
    if (snapshot.realmId !== realmId) throw new Wrong('the realm', `the tree is of ${snapshot.realmId}`)
    if (this.#hash !== snapshot.hash)
      throw new Wrong(`entry ${snapshot.seq}`, 'the tree was taken at another one, or the export is older')
    if (this.#claimants.length === 0) throw new Wrong('the export', `it has no snapshot ${snapshot.id}`)
    this.#checkOnce()
    const inTree = this.#claimants.filter(isIn)
    this.#checkTaken(inTree)
    this.#checkAmounts(inTree)
    const made = treeOf(inTree.map((one) => leaf(one)))
    if (made.length !== tree.length || made.some((node, at) => node !== tree[at]))
      throw new Wrong('the tree', `its root is ${tree[0]}, and that of the journal ${made[0]}`)
    for (const { value, treeIndex } of values)
      if (leafOf(...value) !== tree[treeIndex]) throw new Wrong(`value ${value[0]}`, 'it is not its leaf')
    return {
      root: made[0] ?? '',
      members: inTree.length,
      tokens: tokensOf(inTree),
      apart: this.#claimants.length - inTree.length,
      erased: inTree.filter(({ address }) => address === null).length,
      relinked: inTree.filter((one) => one.address !== null && !this.#isProved(one)).length,
      named: this.#named,
    }
  }

  #isProved = ({ account, address }: Claimant): boolean => this.#proved.has(`${account} ${address}`)

  /** An account and a wallet stand in it once. A leaf alone is what is left of someone who is no member. */
  #checkOnce(): void {
    const seen = new Set<number | string>()
    for (const { account, address, frozen, leaf: kept } of this.#claimants) {
      for (const one of [account, ...(address === null ? [] : [address.toLowerCase()])]) {
        if (seen.has(one)) throw new Wrong(nameOf(one), 'it is in the snapshot twice')
        seen.add(one)
      }
      if (frozen && this.#file.snapshot.firstSeq === null)
        throw new Wrong(`account ${account}`, 'it stands apart as frozen, which is so of a claim alone')
      if (kept !== null && (address !== null || this.#members.has(account)))
        throw new Wrong(`account ${account}`, 'it has the leaf of one who was erased, and was not')
    }
  }

  /** What the export says of the snapshot is what the tree says, and its points were taken for it alone. */
  #checkTaken(inTree: readonly Claimant[]): void {
    const { id, realmPointId, seq, hash, firstSeq } = this.#file.snapshot
    const [taken, another] = this.#taken.filter((one) => one.id === id)
    if (!taken || another) throw new Wrong('the export', `it has not one snapshot ${id}`)
    const pairs = [
      ['first entry', taken.firstSeq, firstSeq],
      ['last entry', taken.seq, seq],
      ['hash', taken.hash, hash],
      ['kind of points', taken.realmPointId, realmPointId],
      ['count of members', taken.members, inTree.length],
      ['sum', taken.tokens, tokensOf(inTree)],
    ]
    for (const [what, told, found] of pairs)
      if (told !== found) throw new Wrong(`snapshot ${id}`, `its ${what} is ${told} there, and ${found} here`)
    if (firstSeq === null) return
    if (this.#entries !== BigInt(seq) - BigInt(firstSeq) + 1n || this.#entries < 1n)
      throw new Wrong(`snapshot ${id}`, `it has no entries from ${firstSeq} to ${seq}`)
    const other = this.#taken.find((one) => one.id !== id && one.firstSeq === firstSeq)
    if (other) throw new Wrong(`snapshot ${id}`, `the same points were taken for ${other.id}`)
  }

  /** Each has what the journal says, and of those who are still members nobody is missing. */
  #checkAmounts(inTree: readonly Claimant[]): void {
    const { firstSeq } = this.#file.snapshot
    const told = firstSeq === null ? this.#claimants : inTree
    for (const { account, tokens } of told)
      if (this.#amounts.get(account) !== BigInt(tokens))
        throw new Wrong(
          `account ${account}`,
          `${this.#amounts.get(account) ?? 0} by the journal, ${tokens} in the snapshot`,
        )
    const there = new Set(told.map(({ account }) => account))
    for (const [account, amount] of this.#amounts)
      if (amount > 0n && !there.has(account) && (firstSeq !== null || this.#members.has(account)))
        throw new Wrong(`account ${account}`, `${amount} by the journal, and it is not in the snapshot`)
  }
}

const nameOf = (one: number | string): string => (typeof one === 'number' ? `account ${one}` : one)

const tokensOf = (some: readonly Claimant[]): string =>
  String(some.reduce((sum, { tokens }) => sum + BigInt(tokens), 0n))

const isIn = ({ address, frozen, leaf: kept }: Claimant): boolean =>
  kept !== null || (address !== null && !frozen)

const leaf = ({ address, tokens, leaf: kept }: Claimant): string =>
  kept === null ? leafOf(address ?? '', tokens) : `0x${kept}`
