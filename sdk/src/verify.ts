import {
  bySubtle,
  bytesOf,
  type ChainEntry,
  encodingOf,
  lineOf,
  type Sha256,
  saltedBytes,
  typeNumbers,
} from './entryHash.ts'
import type { JournalPage } from './journal.ts'

/** Proves a realm's journal without trusting the server: every number, hash and balance is computed again. */

export type { ChainEntry, Sha256 } from './entryHash.ts'

/** An entry and its hash, as an earlier check returned them. */
export type Checkpoint = { readonly seq: bigint; readonly hash: string }

export type ChainFault =
  | 'missing'
  | 'encoding'
  | 'type'
  | 'hash'
  | 'details'
  | 'time'
  | 'balance'
  | 'against'
  | 'head'
  | 'beyond'

/** The first error, and its entry. */
export class ChainError extends Error {
  override readonly name = 'ChainError'
  readonly fault: ChainFault
  readonly seq: bigint

  constructor(fault: ChainFault, seq: bigint, message: string) {
    super(message)
    this.fault = fault
    this.seq = seq
  }
}

/** Where points come from, and where claimable snapshots move them. Neither has a balance. */
export const issuanceAccount = 0
export const claimedAccount = 2_147_483_647

/** Held points of account a are on account -a, its pending ones on -2^30 - a. */
const pendingBase = 2 ** 30

type AccountBalance = { readonly point: string; readonly account: number; readonly balance: bigint }

/** `SEQ:HASH`, as an earlier check printed it; undefined for any other text. */
export function parseCheckpoint(text: string): Checkpoint | undefined {
  const [, seq, hash] = /^\s*([0-9]{1,19}):([0-9a-f]{64})\s*$/.exec(text) ?? []
  return seq === undefined || hash === undefined ? undefined : { seq: BigInt(seq), hash }
}

export type ChainOptions = {
  /** A checkpoint that must match, to detect a completely rewritten history. */
  readonly against?: Checkpoint | undefined
  readonly sha256?: Sha256 | undefined
}

/** A realm's journal from its first entry on, a list of entries at a time. */
export class Chain {
  seq = 0n
  hash: string
  /** Entries whose details were erased. */
  erased = 0
  #atUs = 0n
  readonly #sha256: Sha256
  readonly #against: Checkpoint | undefined
  readonly #balances = new Map<string, Map<number, bigint>>()

  private constructor(origin: string, sha256: Sha256, against: Checkpoint | undefined) {
    this.hash = origin
    this.#sha256 = sha256
    this.#against = against
    this.#compare()
  }

  /**
   * A journal without an entry yet.
   *
   * @example
   * ```ts
   * console.log((await Chain.start(realmId)).hash)
   * ```
   */
  static async start(realmId: string, { against, sha256 = bySubtle }: ChainOptions = {}): Promise<Chain> {
    return new Chain(await sha256(bytesOf(`exchequer 1 ${realmId}`)), sha256, against)
  }

  /**
   * The entries that follow. Throws a ChainError at the first invalid entry.
   *
   * @example
   * ```ts
   * await (await Chain.start(realmId)).add((await realm.journal().page()).data)
   * ```
   */
  async add(entries: readonly ChainEntry[]): Promise<void> {
    // In parallel: each hash covers the previous hash as given, which is checked as well.
    const hashes = await Promise.all(
      entries.map(async (entry, nth) => {
        const previous = nth === 0 ? this.hash : (entries[nth - 1]?.hash ?? '')
        return this.#sha256(bytesOf(lineOf(entry, previous)))
      }),
    )
    const details = await Promise.all(
      entries.map(async (entry) => entry.details && this.#sha256(saltedBytes(entry.details))),
    )
    for (const [nth, entry] of entries.entries()) {
      this.#check(entry, hashes[nth], details[nth] ?? null)
      this.#move(entry)
      this.seq += 1n
      this.hash = entry.hash
      this.#atUs = BigInt(entry.atUs)
      if (details[nth] == null && entry.detailsHash !== null) this.erased += 1
      this.#compare()
    }
  }

  #check(entry: ChainEntry, hash: string | undefined, details: string | null): void {
    const seq = this.seq + 1n
    if (BigInt(entry.seq) !== seq)
      throw new ChainError('missing', seq, `it is missing: ${entry.seq} follows ${this.seq}`)
    if (entry.encoding !== encodingOf(entry))
      throw new ChainError('encoding', seq, `its encoding ${entry.encoding} is unknown`)
    if (typeNumbers[entry.type] === undefined)
      throw new ChainError('type', seq, `its type ${entry.type} is unknown`)
    if (hash !== entry.hash) throw new ChainError('hash', seq, 'it does not match its hash')
    if (details !== null && details !== entry.detailsHash)
      throw new ChainError('details', seq, 'its details do not match its hash')
    if (BigInt(entry.atUs) < this.#atUs)
      throw new ChainError('time', seq, 'its time is earlier than that of the previous entry')
  }

  #move(entry: ChainEntry): void {
    const { realmPointId: point, fromAccount: from, toAccount: to, fromBalance, toBalance } = entry
    const tokens = BigInt(entry.tokens)
    if (tokens <= 0n || from === to) throw new ChainError('balance', this.seq + 1n, 'it moves nothing')
    const sides = [
      { account: from, given: fromBalance, by: -tokens },
      { account: to, given: toBalance, by: tokens },
    ]
    for (const { account, given, by } of sides) {
      if ((account === issuanceAccount || account === claimedAccount) && given === null) continue
      const balance = this.balance(point, account) + by
      if (given === null || balance !== BigInt(given) || balance < 0n)
        throw new ChainError(
          'balance',
          this.seq + 1n,
          `account ${account} has ${balance} ${point} after it, but the entry says ${given ?? 'nothing'}`,
        )
      const accounts = this.#balances.get(point) ?? new Map<number, bigint>()
      this.#balances.set(point, accounts.set(account, balance))
    }
  }

  #compare(): void {
    const { seq, hash } = this.#against ?? {}
    if (seq === this.seq && hash !== this.hash)
      throw new ChainError('against', seq, `its hash is ${this.hash}, but the one you gave is ${hash}`)
  }

  /**
   * What an account has of a point type after the entries so far.
   *
   * @example
   * ```ts
   * const chain = await Chain.start(realmId)
   * await chain.add((await realm.journal().page()).data)
   * console.log(chain.balance('gold', 1))
   * ```
   */
  balance(point: string, account: number): bigint {
    return this.#balances.get(point)?.get(account) ?? 0n
  }

  /**
   * What is held, by point type and account.
   *
   * @example
   * ```ts
   * const chain = await Chain.start(realmId)
   * await chain.add((await realm.journal().page()).data)
   * for (const { point, account, balance } of chain.held()) console.log(point, account, balance)
   * ```
   */
  *held(): Generator<AccountBalance> {
    for (const one of this.#below()) if (one.account > -pendingBase) yield { ...one, account: -one.account }
  }

  /**
   * What is promised and not granted yet, by point type and account.
   *
   * @example
   * ```ts
   * const chain = await Chain.start(realmId)
   * await chain.add((await realm.journal().page()).data)
   * for (const { point, account, balance } of chain.pending()) console.log(point, account, balance)
   * ```
   */
  *pending(): Generator<AccountBalance> {
    for (const one of this.#below())
      if (one.account < -pendingBase) yield { ...one, account: -one.account - pendingBase }
  }

  *#below(): Generator<AccountBalance> {
    for (const [point, accounts] of this.#balances)
      for (const [account, balance] of accounts) if (account < 0) yield { point, account, balance }
  }

  /**
   * At the end: the last entry must be the journal's head.
   *
   * @example
   * ```ts
   * const chain = await Chain.start(realmId)
   * const { data, head } = await realm.journal({ limit: 1000 }).page()
   * await chain.add(data)
   * chain.finish({ seq: BigInt(head.seq), hash: head.hash })
   * ```
   */
  finish(head: Checkpoint): void {
    if (this.seq !== head.seq)
      throw new ChainError('missing', this.seq + 1n, `it is missing: there should be ${head.seq} entries`)
    if (this.hash !== head.hash)
      throw new ChainError(
        'head',
        this.seq,
        `its hash is ${head.hash}, but that of the last entry is ${this.hash}`,
      )
    const { seq } = this.#against ?? head
    if (seq > this.seq)
      throw new ChainError(
        'beyond',
        seq,
        `there are ${this.seq} entries, fewer than the ${seq} to check against`,
      )
  }
}

export type VerifyOptions = ChainOptions & {
  readonly realmId: string
  /** A page of the journal after this cursor: `(cursor) => realm.journal({ cursor, limit: 1000 }).page()`. */
  readonly read: (cursor: string) => Promise<JournalPage>
  readonly onProgress?: (done: bigint, all: bigint) => void
}

export type VerifiedChain = Checkpoint & { readonly erased: number }

/** Checks a realm's whole journal, up to its head when first read. Throws a ChainError. */
export async function verifyChain(options: VerifyOptions): Promise<VerifiedChain> {
  const { realmId, read, onProgress } = options
  const chain = await Chain.start(realmId, options)
  let page = await read('0')
  const head = { seq: BigInt(page.head.seq), hash: page.head.hash }
  for (;;) {
    const entries = page.data.slice(0, Number(head.seq - chain.seq))
    await chain.add(entries)
    onProgress?.(chain.seq, head.seq)
    if (entries.length === 0 || chain.seq === head.seq) break
    page = await read(String(chain.seq))
  }
  chain.finish(head)
  return { seq: chain.seq, hash: chain.hash, erased: chain.erased }
}
