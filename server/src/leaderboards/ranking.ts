/**
 * Accounts of one chunk at most. Inserting or removing shifts the others of one chunk: a few hundred bytes.
 */
const chunkCap = 512

type Chunk = { readonly accounts: Int32Array; length: number }

/** The position of an account: by score, greatest first; among equals the lowest account. */
export type Place = { readonly score: number; readonly account: number }

/**
 * Scores of accounts, and their order with ranks: pure, in memory, about 15 bytes per account. Chunks of
 * sorted accounts, with their counts. Scores are whole numbers up to 2^53; only those above 0 are listed.
 */
export class Ranking {
  #scores = new Float64Array(1024)
  readonly #chunks: Chunk[] = []
  readonly #hidden = new Set<number>()
  #size = 0

  /** How many are listed. */
  get size(): number {
    return this.#size
  }

  /** Approximate memory. */
  get bytes(): number {
    return this.#scores.byteLength + this.#chunks.length * (chunkCap * 4 + 200) + this.#hidden.size * 40
  }

  scoreOf(account: number): number {
    return this.#scores[account] ?? 0
  }

  isListed(account: number): boolean {
    return this.scoreOf(account) > 0 && !this.#hidden.has(account)
  }

  set(account: number, score: number): void {
    const before = this.scoreOf(account)
    if (before === score) return
    const shown = !this.#hidden.has(account)
    if (shown && before > 0) this.#take(account)
    this.#grow(account)
    this.#scores[account] = score
    if (shown && score > 0) this.#put(account)
  }

  add(account: number, by: number): void {
    this.set(account, this.scoreOf(account) + by)
  }

  /** Hides these accounts, keeping their scores, and lists all others. */
  hide(accounts: ReadonlySet<number>): void {
    for (const account of this.#hidden) {
      if (accounts.has(account)) continue
      this.#hidden.delete(account)
      if (this.scoreOf(account) > 0) this.#put(account)
    }
    for (const account of accounts) {
      if (this.isListed(account)) this.#take(account)
      this.#hidden.add(account)
    }
  }

  /** How many accounts are before this position. */
  before(place: Place): number {
    const at = this.#chunkOf(place)
    let count = 0
    for (let index = 0; index < at; index++) count += this.#chunks[index]?.length ?? 0
    const chunk = this.#chunks[at]
    return chunk ? count + this.#indexIn(chunk, place) : count
  }

  /** How many have a greater score. */
  greater(score: number): number {
    return this.before({ score, account: 0 })
  }

  /** `count` accounts in their order, from a position on. */
  slice(from: number, count: number): number[] {
    const found: number[] = []
    let skip = Math.max(0, from)
    for (const { accounts, length } of this.#chunks) {
      if (found.length >= count) break
      if (skip < length) found.push(...accounts.subarray(skip, Math.min(length, skip + count - found.length)))
      skip = Math.max(0, skip - length)
    }
    return found
  }

  /** Whether an account is before a position. */
  #precedes(account: number, { score, account: other }: Place): boolean {
    const own = this.#scores[account] ?? 0
    return own > score || (own === score && account < other)
  }

  /** The last chunk that begins before a position; the first when none does. */
  #chunkOf(place: Place): number {
    let low = 0
    let high = this.#chunks.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (this.#precedes(this.#chunks[middle]?.accounts[0] ?? 0, place)) low = middle
      else high = middle
    }
    return low
  }

  #indexIn({ accounts, length }: Chunk, place: Place): number {
    let low = 0
    let high = length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#precedes(accounts[middle] ?? 0, place)) low = middle + 1
      else high = middle
    }
    return low
  }

  #put(account: number): void {
    this.#size += 1
    const place = { score: this.scoreOf(account), account }
    const at = this.#chunkOf(place)
    const chunk = this.#chunks[at]
    if (!chunk) {
      const accounts = new Int32Array(chunkCap)
      accounts[0] = account
      this.#chunks.push({ accounts, length: 1 })
      return
    }
    const index = this.#indexIn(chunk, place)
    chunk.accounts.copyWithin(index + 1, index, chunk.length)
    chunk.accounts[index] = account
    chunk.length += 1
    if (chunk.length === chunkCap) this.#split(at, chunk)
  }

  /** Splits a full chunk in two, so that there is always room. */
  #split(at: number, chunk: Chunk): void {
    const half = chunkCap / 2
    const accounts = new Int32Array(chunkCap)
    accounts.set(chunk.accounts.subarray(half))
    chunk.length = half
    this.#chunks.splice(at + 1, 0, { accounts, length: chunkCap - half })
  }

  #take(account: number): void {
    const place = { score: this.scoreOf(account), account }
    // The chunk that begins with the account does not begin before it.
    let at = this.#chunkOf(place)
    if (this.#chunks[at + 1]?.accounts[0] === account) at += 1
    const chunk = this.#chunks[at]
    const index = chunk ? this.#indexIn(chunk, place) : 0
    if (!chunk || chunk.accounts[index] !== account) throw new Error(`account ${account} is not at its place`)
    this.#size -= 1
    chunk.accounts.copyWithin(index, index + 1, chunk.length)
    chunk.length -= 1
    if (chunk.length === 0) this.#chunks.splice(at, 1)
  }

  #grow(account: number): void {
    if (account < this.#scores.length) return
    const scores = new Float64Array(Math.max(account + 1, Math.ceil(this.#scores.length * 1.5)))
    scores.set(this.#scores)
    this.#scores = scores
  }
}
