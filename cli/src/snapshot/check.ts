import { claimedAccount } from '@exchequer/sdk/verify'
import type { FileEntry, Line } from '../realmFile.ts'
import { Wrong } from '../wrong.ts'
import { leafOf, treeOf } from './tree.ts'

/** A tree as exported by the server: OpenZeppelin's format, plus its snapshot. */
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

/** A snapshot in the export. */
export type SnapshotLine = {
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

export type SnapshotCheckResult = {
  readonly root: string
  readonly members: number
  readonly tokens: string
  readonly apart: number
  /** Members whose wallets were erased: their leaves are accepted as they are. */
  readonly erased: number
  /** Members whose wallets are no longer linked to them as verified. */
  readonly relinked: number
  /** Whether the journal still names the snapshot the points were deducted for; null when none were. */
  readonly named: boolean | null
}

export function parseTree(text: string): TreeFile {
  try {
    const file = JSON.parse(text) as Partial<TreeFile>
    if (file.tree && file.values && file.snapshot) return file as TreeFile
  } catch {
    // Reported below.
  }
  throw new Wrong('the tree', 'this is not a tree; create one with: exchequer snapshots export ID')
}

/** Checks a tree against an exported realm, line by line as the realm is verified. */
export class SnapshotCheck {
  readonly #file: TreeFile
  /** Each account's balance, or deduction for the claim, by the journal. */
  readonly #amounts = new Map<number, bigint>()
  readonly #members = new Set<number>()
  readonly #proved = new Set<string>()
  readonly #claimants: Claimant[] = []
  readonly #taken: SnapshotLine[] = []
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

  /** A claim is all entries from its first on that name it, and no others. */
  #claim(entry: FileEntry, firstSeq: string): void {
    const { snapshot } = this.#file
    const seq = BigInt(entry.seq)
    const where = `entry ${entry.seq}`
    if (seq < BigInt(firstSeq)) return
    const isFirst = entry.seq === firstSeq
    const isOurs = entry.type === 'claim' && entry.link === (isFirst ? null : firstSeq)
    if (seq > BigInt(snapshot.seq)) {
      if (isOurs) throw new Wrong(where, `it belongs to this claim too, but the tree ends at ${snapshot.seq}`)
      return
    }
    if (!isOurs || entry.realmPointId !== snapshot.realmPointId)
      throw new Wrong(where, `it is not part of a claim of ${snapshot.realmPointId} from ${firstSeq} on`)
    if (isFirst) this.#named = entry.details !== undefined
    const said = isFirst && entry.details ? entry.details.reference : snapshot.id
    if (said !== snapshot.id) throw new Wrong(where, `it was deducted for ${said}, not for ${snapshot.id}`)
    this.#entries += 1n
    this.#set(entry.fromAccount, entry.tokens)
  }

  #set(account: number, amount: string | number | null): void {
    if (account > 0 && account < claimedAccount && amount !== null) this.#amounts.set(account, BigInt(amount))
  }

  end(realmId: string): SnapshotCheckResult {
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
      throw new Wrong('the tree', `its root is ${tree[0]}, but the journal gives ${made[0]}`)
    for (const { value, treeIndex } of values)
      if (leafOf(...value) !== tree[treeIndex])
        throw new Wrong(`value ${value[0]}`, 'it does not match its leaf')
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

  /** Each account and wallet is listed once. A leaf without them is left of an erased member. */
  #checkOnce(): void {
    const seen = new Set<number | string>()
    for (const { account, address, frozen, leaf: kept } of this.#claimants) {
      for (const one of [account, ...(address === null ? [] : [address.toLowerCase()])]) {
        if (seen.has(one)) throw new Wrong(nameOf(one), 'it is in the snapshot twice')
        seen.add(one)
      }
      if (frozen && this.#file.snapshot.firstSeq === null)
        throw new Wrong(`account ${account}`, 'it is left out as frozen, which is possible only in a claim')
      if (kept !== null && (address !== null || this.#members.has(account)))
        throw new Wrong(`account ${account}`, 'it has the leaf of an erased member, but was not erased')
    }
  }

  /** The export and the tree agree on the snapshot, and its points were deducted only for it. */
  #checkTaken(inTree: readonly Claimant[]): void {
    const { id, realmPointId, seq, hash, firstSeq } = this.#file.snapshot
    const [taken, another] = this.#taken.filter((one) => one.id === id)
    if (!taken || another) throw new Wrong('the export', `it does not have exactly one snapshot ${id}`)
    const pairs = [
      ['first entry', taken.firstSeq, firstSeq],
      ['last entry', taken.seq, seq],
      ['hash', taken.hash, hash],
      ['point type', taken.realmPointId, realmPointId],
      ['count of members', taken.members, inTree.length],
      ['sum', taken.tokens, tokensOf(inTree)],
    ]
    for (const [what, exported, found] of pairs)
      if (exported !== found)
        throw new Wrong(
          `snapshot ${id}`,
          `its ${what} is ${exported} in the export, but ${found} in the tree`,
        )
    if (firstSeq === null) return
    if (this.#entries !== BigInt(seq) - BigInt(firstSeq) + 1n || this.#entries < 1n)
      throw new Wrong(`snapshot ${id}`, `it has no entries from ${firstSeq} to ${seq}`)
    const other = this.#taken.find((one) => one.id !== id && one.firstSeq === firstSeq)
    if (other) throw new Wrong(`snapshot ${id}`, `the same points were deducted for ${other.id}`)
  }

  /** Each amount matches the journal, and no current member is missing. */
  #checkAmounts(inTree: readonly Claimant[]): void {
    const { firstSeq } = this.#file.snapshot
    const listed = firstSeq === null ? this.#claimants : inTree
    for (const { account, tokens } of listed)
      if (this.#amounts.get(account) !== BigInt(tokens))
        throw new Wrong(
          `account ${account}`,
          `${this.#amounts.get(account) ?? 0} by the journal, ${tokens} in the snapshot`,
        )
    const there = new Set(listed.map(({ account }) => account))
    for (const [account, amount] of this.#amounts)
      if (amount > 0n && !there.has(account) && (firstSeq !== null || this.#members.has(account)))
        throw new Wrong(`account ${account}`, `${amount} by the journal, but it is not in the snapshot`)
  }
}

const nameOf = (one: number | string): string => (typeof one === 'number' ? `account ${one}` : one)

const tokensOf = (some: readonly Claimant[]): string =>
  String(some.reduce((sum, { tokens }) => sum + BigInt(tokens), 0n))

const isIn = ({ address, frozen, leaf: kept }: Claimant): boolean =>
  kept !== null || (address !== null && !frozen)

const leaf = ({ address, tokens, leaf: kept }: Claimant): string =>
  kept === null ? leafOf(address ?? '', tokens) : `0x${kept}`
