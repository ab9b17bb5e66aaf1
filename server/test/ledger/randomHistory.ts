import type { Ledger } from '../../src/ledger/index.ts'
import { forUs, post } from '../files/exports/books.ts'

type HistoryOptions = {
  readonly realm: number
  readonly members: readonly string[]
  /** This one has entries in the first part alone. */
  readonly quiet: string
  readonly seed: number
}

const kinds = [
  'adjust',
  'adjust',
  'transfer',
  'batch',
  'hold',
  'hold',
  'capture',
  'release',
  'reverse',
  'award',
  'award',
  'grant',
  'cancel',
] as const

/** Writes entries of all types, at random but the same for the same seed; each command succeeds. */
export class RandomHistory {
  readonly #ledger: Ledger
  readonly #options: HistoryOptions
  #state: number
  readonly #holds: bigint[] = []
  readonly #awards: bigint[] = []
  readonly #reversible: bigint[] = []
  #seq = 0n
  #isLater = false

  constructor(ledger: Ledger, options: HistoryOptions) {
    this.#ledger = ledger
    this.#options = options
    this.#state = options.seed
  }

  /** At least so many more entries. */
  async write(count: number): Promise<void> {
    if (this.#seq === 0n) await this.#open()
    else this.#isLater = true
    const end = this.#seq + BigInt(count)
    while (this.#seq < end) await this.#step(this.#pick(kinds))
  }

  /** Everyone has enough for everything that follows. */
  async #open(): Promise<void> {
    for (const member of this.#options.members) {
      for (const point of ['gold', 'silver'])
        await this.#post({ kind: 'adjust', member, tokens: 1_000_000n, point, reason: 'a welcome' })
    }
  }

  async #step(kind: (typeof kinds)[number]): Promise<void> {
    const [member, recipient] = this.#two()
    const point = this.#pick(['gold', 'silver'])
    const tokens = BigInt(2 + this.#below(50))
    const reason = this.#below(3) === 0 ? 'a quest' : undefined
    const said = { point, ...(reason && { reason }) }
    if (kind === 'adjust') {
      const sign = this.#below(3) === 0 ? -1n : 1n
      const seqs = await this.#post({ kind, member, tokens: sign * tokens, ...said })
      if (member !== this.#options.quiet) this.#reversible.push(...seqs)
    } else if (kind === 'transfer') await this.#post({ kind, member, recipient, tokens, ...said })
    else if (kind === 'batch') {
      const changes = [member, recipient].map((one) => ({ member: one, tokens, point }))
      await this.#post({ kind, changes, ...(reason && { reason }) })
    } else if (kind === 'hold') {
      const own = member === this.#options.quiet ? recipient : member
      this.#holds.push(...(await this.#post({ kind, member: own, tokens, forUs, ...said })))
    } else if (kind === 'award') {
      const own = member === this.#options.quiet ? recipient : member
      this.#awards.push(...(await this.#post({ kind, member: own, tokens, ...said })))
    } else if (kind === 'grant' || kind === 'cancel') {
      // The oldest stays pending.
      const [award] = this.#awards.length > 2 ? this.#awards.splice(1, 1) : []
      if (award !== undefined) await this.#post({ kind, award })
    } else if (kind === 'reverse') {
      const entry = this.#reversible.shift()
      if (entry !== undefined) await this.#post({ kind, entry })
    } else await this.#end(kind)
  }

  async #end(kind: 'capture' | 'release'): Promise<void> {
    // The oldest stays open.
    const [hold] =
      this.#holds.length > 2 ? this.#holds.splice(1 + this.#below(this.#holds.length - 1), 1) : []
    if (hold === undefined) return
    if (kind === 'release') await this.#post({ kind, hold })
    else await this.#post({ kind, hold, tokens: this.#below(2) === 0 ? 1n : undefined })
  }

  async #post(asked: Parameters<typeof post>[2]): Promise<readonly bigint[]> {
    const seqs = await post(this.#ledger, this.#options.realm, asked)
    this.#seq = seqs.at(-1) ?? this.#seq
    return seqs
  }

  #two(): [string, string] {
    const { members: all, quiet } = this.#options
    const members = this.#isLater ? all.filter((member) => member !== quiet) : all
    const first = this.#below(members.length)
    const second = (first + 1 + this.#below(members.length - 1)) % members.length
    return [members[first] ?? '', members[second] ?? '']
  }

  #pick<const T>(from: readonly T[]): T {
    return from[this.#below(from.length)] as T
  }

  #below(limit: number): number {
    this.#state = (this.#state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return Math.floor((this.#state / 4_294_967_296) * limit)
  }
}
