import type { Database } from '../../db/database.ts'
import { writeTransaction } from '../../db/rowSecurity.ts'
import type { Queryable } from '../../db/session.ts'
import {
  type Block,
  blockAt,
  type Chain,
  readAmounts,
  type Token,
  UnreadableAnswer,
} from '../chains/index.ts'
import {
  type ChangedAmount,
  dropAmounts,
  extend,
  finish,
  forget,
  type LeasedReading,
  listHeld,
  listWallets,
  putAmounts,
} from './readingStore.ts'
import { type CollectionRow, listCollections, lockCollections } from './store.ts'

/** Wallets read in one call: one word of the answer each, and about 10,000 gas. */
const pageSize = 600
const callsAtOnce = 4
/** Changed amounts, in memory until all are written at once. */
const changedCap = 2_000_000
const writtenAtOnce = 5_000
/** How often a block may be replaced while it is read. */
const tries = 3
export const leaseSeconds = 60

/** Whether it is the same collection that was read: its number and id may have been reused. */
const isSame = (was: CollectionRow, now: CollectionRow): boolean =>
  was.number === now.number &&
  was.id === now.id &&
  was.standard === now.standard &&
  was.address === now.address &&
  was.token_id === now.token_id

/** Sorts after every EVM wallet: g comes after f. */
const behindAll = '0xg'

const tokenOf = ({ standard, address, token_id: id }: CollectionRow): Token => ({
  standard,
  address,
  tokenId: id === null ? null : BigInt(id),
})

/**
 * Reads what a realm's wallets hold on one chain, all of it at one block, and stores the changes in one
 * transaction. If the block was replaced meanwhile, everything is read again at a new block.
 */
export class Reading {
  readonly #db: Database
  readonly #chain: Chain
  readonly #lease: LeasedReading

  constructor(db: Database, chain: Chain, lease: LeasedReading) {
    this.#db = db
    this.#chain = chain
    this.#lease = lease
  }

  async run(): Promise<void> {
    const collections = await this.#collections(this.#db.within([this.#lease.realm]))
    if (collections.length === 0 && (await this.#isDropped())) return
    for (let tried = 0; tried < tries; tried++) {
      const block = await blockAt(this.#chain)
      if (!block) throw new Error('the chain has no block')
      const found = await this.#compare(collections, block)
      const now = await blockAt(this.#chain, block.number)
      if (now?.hash === block.hash) return this.#write(collections, found, block)
    }
    throw new Error('blocks were replaced while they were read')
  }

  async #collections(db: Queryable): Promise<CollectionRow[]> {
    const all = await listCollections(db, this.#lease.realm)
    return all.filter(({ chain }) => chain === this.#lease.chain)
  }

  /** Without a collection the chain is not read, until there is one. */
  #isDropped(): Promise<boolean> {
    const { realm } = this.#lease
    return writeTransaction(this.#db, [realm], async (tx) => {
      await lockCollections(tx, realm)
      if ((await this.#collections(tx)).length > 0) return false
      await forget(tx, this.#lease)
      return true
    })
  }

  /** The amounts that differ from the last reading. */
  async #compare(collections: readonly CollectionRow[], block: Block): Promise<Found> {
    const db = this.#db.within([this.#lease.realm])
    const changed: ChangedAmount[] = []
    const failed = new Set<number>()
    for (let after = ''; after !== behindAll && failed.size < collections.length; ) {
      const wallets = await listWallets(db, this.#lease, { after, limit: pageSize })
      const upTo = wallets.length < pageSize ? behindAll : (wallets.at(-1) ?? behindAll)
      const page = { wallets, block, range: { after, upTo } }
      const left = collections.filter(({ number }) => !failed.has(number))
      for (let first = 0; first < left.length; first += callsAtOnce) {
        const some = left.slice(first, first + callsAtOnce)
        const found = await Promise.all(some.map((one) => this.#comparePage(one, page).catch(skipUnreadable)))
        for (const [index, one] of found.entries()) {
          if (one) changed.push(...one)
          else failed.add(some[index]?.number ?? 0)
        }
        await extend(this.#db.writing([this.#lease.realm]), this.#lease, leaseSeconds)
      }
      if (changed.length > changedCap) throw new Error(`more than ${changedCap} amounts have changed`)
      after = upTo
    }
    return { changed: changed.filter(({ collection }) => !failed.has(collection)), failed: [...failed] }
  }

  async #comparePage(collection: CollectionRow, page: Page): Promise<ChangedAmount[]> {
    const { realm } = this.#lease
    const { wallets, block, range } = page
    const amounts =
      wallets.length > 0 ? await readAmounts(this.#chain, tokenOf(collection), { block, wallets }) : []
    const { number } = collection
    const held = await listHeld(this.#db.within([realm]), { realm, collection: number }, range)
    const changed: ChangedAmount[] = []
    for (const [index, match] of wallets.entries()) {
      const amount = amounts[index] ?? 0n
      if ((held.get(match) ?? 0n) !== amount) changed.push({ match, collection: number, amount })
      held.delete(match)
    }
    // Wallets that are no longer linked.
    for (const match of held.keys()) changed.push({ match, collection: number, amount: 0n })
    return changed
  }

  /** Only collections that were read and still exist; new ones wait for the next reading. */
  #write(read: readonly CollectionRow[], found: Found, block: Block): Promise<void> {
    const { realm } = this.#lease
    return writeTransaction(this.#db, [realm], async (tx) => {
      await lockCollections(tx, realm)
      const now = await this.#collections(tx)
      const there = read.filter((was) => now.some((one) => isSame(was, one))).map(({ number }) => number)
      const changed = found.changed.filter(({ collection }) => there.includes(collection))
      for (const piece of inPieces(changed.filter(({ amount }) => amount > 0n)))
        await putAmounts(tx, realm, piece)
      for (const piece of inPieces(changed.filter(({ amount }) => amount === 0n)))
        await dropAmounts(tx, realm, piece)
      const failed = there.filter((number) => found.failed.includes(number))
      const succeeded = there.filter((number) => !found.failed.includes(number))
      await finish(tx, this.#lease, { block, read: succeeded, failed })
    })
  }
}

function* inPieces(rows: readonly ChangedAmount[]): Generator<readonly ChangedAmount[]> {
  for (let at = 0; at < rows.length; at += writtenAtOnce) yield rows.slice(at, at + writtenAtOnce)
}

/** What changed, and the collections whose contracts returned no amounts. */
type Found = { readonly changed: readonly ChangedAmount[]; readonly failed: readonly number[] }

function skipUnreadable(error: unknown): undefined {
  if (!(error instanceof UnreadableAnswer)) throw error
}

type Page = {
  readonly wallets: readonly string[]
  readonly block: Block
  readonly range: { readonly after: string; readonly upTo: string }
}
