import { type Actor, record } from '../../audit/index.ts'
import type { Database } from '../../db/database.ts'
import { writeTransaction } from '../../db/rowSecurity.ts'
import { invalid, refuse } from '../../errors.ts'
import { parseAddress } from '../../wallets/index.ts'
import type { Chains } from '../chains/index.ts'
import type { Due } from './readingStore.ts'
import { isOnePage, isSameReading, pick, type Rule, readMeanwhile, tries } from './rules.ts'
import {
  type CollectionRow,
  deleteCollection,
  deleteSome,
  insertCollection,
  listCollections,
  lockCollections,
  makeAllDue,
  makeDue,
  type NewCollection,
  pieceSize,
  readMember,
} from './store.ts'
import { type Collection, collectionOf, type Holding, holdingsOf, type StaleBefore } from './view.ts'
import { Worker } from './worker.ts'

export type { Rule } from './rules.ts'
export type { Collection, Holding } from './view.ts'
export { holdingsEverySeconds } from './worker.ts'

/** Per realm. */
const collectionsCap = 50
/** Most chains produce blocks every few seconds; a chain with little use may produce none for minutes. */
const oldBlockSeconds = 600

export type HoldingsOptions = {
  readonly db: Database
  readonly chains: Chains
  /** How often each chain of a realm is read. */
  readonly everySeconds: number
  /** The minimum time between two readings that new wallets cause. */
  readonly spacingSeconds: number
  readonly onFault: (error: unknown, due: Due) => void
  readonly onLooked?: (() => void) | undefined
}

export type CollectionInput = {
  readonly id: string
  readonly name?: string | undefined
  readonly chain?: string | undefined
  readonly standard?: NewCollection['standard'] | undefined
  /** Null for none. */
  readonly address?: string | null | undefined
  readonly tokenId?: string | null | undefined
  /** Only if this id does not exist yet. */
  readonly isCreation?: boolean
}

/** Members by id, in the order they joined; `next` is the account to continue from. */
export type PickedMembers = {
  readonly at: Collection
  readonly ids: readonly string[]
  readonly next: number | null
}

/** What members hold on chains: read in the background, returned as last read. */
export class Holdings {
  readonly #options: HoldingsOptions
  readonly #worker: Worker

  constructor(options: HoldingsOptions) {
    this.#options = options
    this.#worker = new Worker(options)
  }

  close(): Promise<void> {
    return this.#worker.close()
  }

  /** What a member holds of each collection, as last read. Does not wait for a chain. */
  async of(realm: number, member: string): Promise<Holding[]> {
    const db = this.#options.db.within([realm])
    let collections = await listCollections(db, realm)
    for (let tried = 0; collections.length > 0 && tried < tries; tried++) {
      const rows = await readMember(db, realm, member)
      const now = await listCollections(db, realm)
      if (isSameReading(collections, now)) return holdingsOf(collections, rows, this.#staleBefore())
      collections = now
    }
    if (collections.length === 0) return []
    throw readMeanwhile()
  }

  async list(realm: number): Promise<Collection[]> {
    const rows = await listCollections(this.#options.db.within([realm]), realm)
    return rows.map((row) => collectionOf(row, this.#staleBefore()))
  }

  /** The same from a number on. */
  async page(
    realm: number,
    asked: { readonly after: number; readonly limit: number },
  ): Promise<{ readonly number: number; readonly collection: Collection }[]> {
    const rows = await listCollections(this.#options.db.within([realm]), realm, asked)
    return rows.map((row) => ({ number: row.number, collection: collectionOf(row, this.#staleBefore()) }))
  }

  /** The members who hold enough, as last read: at one block, which is returned. */
  async pick(
    realm: number,
    asked: { readonly rule: Rule; readonly after: number; readonly limit: number },
  ): Promise<PickedMembers> {
    const { row, holders, next } = await pick(this.#options.db, realm, asked)
    return { at: collectionOf(row, this.#staleBefore()), ids: holders.map(({ id }) => id), next }
  }

  /** Whether no page after this position ends before its limit and before the last member. */
  isOnePage(realm: number, after: number): Promise<boolean> {
    return isOnePage(this.#options.db, realm, after)
  }

  async get(realm: number, id: string): Promise<Collection> {
    const found = (await this.list(realm)).find((one) => one.id === id)
    if (!found) throw notFound(id)
    return found
  }

  /** Creates a collection, or renames it. Returns whether it is new. */
  async put(realm: number, wanted: CollectionInput, by: Actor): Promise<boolean> {
    return writeTransaction(this.#options.db, [realm], async (tx) => {
      await lockCollections(tx, realm)
      const there = await listCollections(tx, realm)
      const known = there.find(({ id }) => id === wanted.id)
      if (wanted.isCreation && known)
        throw refuse('precondition_failed', `Collection ${wanted.id} already exists.`)
      const made = checked(merged(wanted, known), this.#options.chains)
      if (there.length >= collectionsCap && !known)
        throw invalid('', `A realm has ${collectionsCap} collections at most. Remove one first.`)
      if (!(await insertCollection(tx, realm, made))) {
        throw refuse(
          'already_exists',
          `Collection ${made.id} exists with another token. Remove it first, or choose another id.`,
        )
      }
      await makeDue(tx, realm, made.chain)
      await record(tx, by, { realm, action: 'collection.put', subject: made.id })
      return !known
    })
  }

  async remove(realm: number, id: string, by: Actor): Promise<void> {
    const { db } = this.#options
    const number = await writeTransaction(db, [realm], async (tx) => {
      await lockCollections(tx, realm)
      const found = await deleteCollection(tx, realm, id)
      if (found === undefined) throw notFound(id)
      await record(tx, by, { realm, action: 'collection.remove', subject: id })
      return found
    })
    while ((await deleteSome(db.writing([realm]), realm, number)) === pieceSize);
  }

  /** A wallet is new: the realm's chains are read soon, in the background. */
  soon(realm: number): void {
    if (this.#options.chains.ids.length === 0) return
    const { db, spacingSeconds } = this.#options
    makeAllDue(db.writing([realm]), realm, spacingSeconds).catch(() => {})
  }

  /** Two missed readings plus a minute: then something is wrong. A block may be older: some chains pause. */
  #staleBefore(): StaleBefore {
    const seconds = this.#options.everySeconds * 2 + 60
    const before = (some: number) => new Date(Date.now() - some * 1000)
    return { read: before(seconds), block: before(Math.max(seconds, oldBlockSeconds)) }
  }
}

const notFound = (id: string) => refuse('collection_not_found', `The realm has no collection ${id}.`)

type Merged = {
  readonly [Field in Exclude<keyof CollectionInput, 'isCreation'>]-?: Exclude<CollectionInput[Field], null>
}

/** For an existing collection, an omitted field stays as it is. */
function merged(wanted: CollectionInput, known: CollectionRow | undefined): Merged {
  const { id, name = known?.name, chain = known?.chain, standard = known?.standard } = wanted
  const { address = known?.address, tokenId = known?.token_id } = wanted
  return { id, name, chain, standard, address: address ?? undefined, tokenId: tokenId ?? undefined }
}

const neededOf = (field: string): string =>
  `There is no such collection yet: to create one, send its ${field}.`

function checked(wanted: Merged, chains: Chains): NewCollection {
  const { id, name, chain, standard, address, tokenId } = wanted
  if (chain === undefined) throw invalid('/chain', neededOf('chain'))
  if (standard === undefined) throw invalid('/standard', neededOf('standard'))
  if (!chains.get(chain)) {
    const allowed = chains.ids.length > 0 ? chains.ids.join(', ') : 'none'
    throw invalid('/chain', `The operator allows these chains: ${allowed}.`)
  }
  const parsed = address === undefined ? undefined : parseAddress(address, chain)
  if (standard === 'native' ? address !== undefined : !parsed) {
    const words =
      standard === 'native' ? 'A chain’s own coin has no address.' : 'Expected the contract’s address.'
    throw invalid('/address', words)
  }
  if ((standard === 'erc1155') !== (tokenId !== undefined) || (tokenId !== undefined && !fitsWord(tokenId)))
    throw invalid('/tokenId', 'Expected a token’s id for erc1155, in decimal digits, and for no other.')
  return { id, name: name ?? id, chain, standard, address: parsed?.shown ?? null, tokenId: tokenId ?? null }
}

const fitsWord = (digits: string): boolean => BigInt(digits) < 1n << 256n
