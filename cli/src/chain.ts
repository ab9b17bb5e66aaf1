import { createHash } from 'node:crypto'

/** An entry with every value that its hash covers; docs/journal.md describes them. */
export type ChainEntry = {
  readonly encoding: number
  readonly seq: string
  readonly atUs: string
  readonly kind: number
  readonly key: string | number
  readonly point: string
  readonly from: number
  readonly to: number
  readonly amount: string | number
  readonly fromBalance: string | number | null
  readonly toBalance: string | number | null
  readonly request: string | null
  readonly fingerprint: string | null
  readonly detailsHash: string | null
  readonly link: string | null
  readonly hash: string
  /** What was said of it, where it is still there. */
  readonly said: { readonly salt: string; readonly text: string } | null
}

/** What is wrong, and where. */
export class Wrong extends Error {
  readonly where: string

  constructor(where: string, why: string) {
    super(why)
    this.where = where
  }
}

export type Checkpoint = { readonly seq: bigint; readonly hash: string }

/** Where points come from, and where those go that a snapshot takes: docs/journal.md. */
export const issuance = 0
export const claimed = 2_147_483_647
const withoutBalance: ReadonlySet<number> = new Set([issuance, claimed])

const sha256 = (...parts: readonly (string | Buffer)[]): string =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex')

/** A realm's journal from its first entry on: every number, hash and balance is computed again. */
export class Chain {
  seq = 0n
  hash: string
  /** Entries of which it is told no more what was said. */
  erased = 0
  #atUs = 0n
  readonly #against: Checkpoint | undefined
  readonly #balances = new Map<string, Map<number, bigint>>()

  constructor(realmId: string, against?: Checkpoint) {
    this.hash = sha256(`exchequer 1 ${realmId}`)
    this.#against = against
  }

  add(entry: ChainEntry): void {
    const { seq, atUs, hash } = entry
    const where = `entry ${this.seq + 1n}`
    if (BigInt(seq) !== this.seq + 1n)
      throw new Wrong(where, `it is missing: ${seq} comes behind ${this.seq}`)
    if (BigInt(atUs) < this.#atUs) throw new Wrong(where, 'its time is before that of the entry before it')
    if (entry.encoding !== (entry.link === null ? 1 : 2))
      throw new Wrong(where, `it is written in a way (${entry.encoding}) that is not known here`)
    if (this.#hashOf(entry) !== hash) throw new Wrong(where, 'it is not what its hash says')
    this.#checkSaid(where, entry)
    this.#move(where, entry)
    this.seq += 1n
    this.hash = hash
    this.#atUs = BigInt(atUs)
    if (this.#against?.seq === this.seq && this.#against.hash !== hash)
      throw new Wrong(where, `its hash is ${hash}, and the one to check against ${this.#against.hash}`)
  }

  #hashOf(entry: ChainEntry): string {
    const { encoding, seq, atUs, kind, key, point, from, to, amount, link } = entry
    const fields = [encoding, this.hash, seq, atUs, kind, key, point, from, to, amount]
    const { fromBalance, toBalance, request, fingerprint, detailsHash } = entry
    const optional = [fromBalance, toBalance, request, fingerprint, detailsHash].map((field) => field ?? '-')
    return sha256([...fields, ...optional, ...(link === null ? [] : [link])].join(' '))
  }

  #checkSaid(where: string, { said, detailsHash }: ChainEntry): void {
    if (!said) {
      if (detailsHash !== null) this.erased += 1
      return
    }
    if (sha256(Buffer.from(said.salt, 'hex'), said.text) !== detailsHash)
      throw new Wrong(where, 'what was said of it is not what its hash says')
  }

  #move(where: string, { point, from, to, amount, fromBalance, toBalance }: ChainEntry): void {
    const tokens = BigInt(amount)
    if (tokens <= 0n || from === to) throw new Wrong(where, 'it moves nothing')
    const sides = [
      { account: from, told: fromBalance, by: -tokens },
      { account: to, told: toBalance, by: tokens },
    ]
    for (const { account, told, by } of sides) {
      if (withoutBalance.has(account) && told === null) continue
      const balance = this.balance(point, account) + by
      if (told === null || balance !== BigInt(told) || balance < 0n)
        throw new Wrong(
          where,
          `account ${account} has ${balance} ${point} after it, and it says ${told ?? 'nothing'}`,
        )
      this.#of(point).set(account, balance)
    }
  }

  balance(point: string, account: number): bigint {
    return this.#balances.get(point)?.get(account) ?? 0n
  }

  /** What is held, by kind of points and account. */
  *held(): Generator<{ readonly point: string; readonly account: number; readonly balance: bigint }> {
    for (const [point, accounts] of this.#balances)
      for (const [account, balance] of accounts) if (account < 0) yield { point, account: -account, balance }
  }

  #of(point: string): Map<number, bigint> {
    const there = this.#balances.get(point) ?? new Map<number, bigint>()
    this.#balances.set(point, there)
    return there
  }

  /** At the end: it must be the one that is told. */
  finish({ seq, hash }: Checkpoint): void {
    if (this.seq !== seq)
      throw new Wrong(`entry ${this.seq + 1n}`, `it is missing: there should be ${seq} entries`)
    if (this.hash !== hash)
      throw new Wrong('the head', `its hash is ${hash}, and that of the last entry ${this.hash}`)
    if (this.#against && this.#against.seq > this.seq)
      throw new Wrong(
        'the head',
        `there are ${this.seq} entries, fewer than the ${this.#against.seq} to check against`,
      )
  }
}
