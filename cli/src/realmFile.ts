import { hash as digest } from 'node:crypto'
import { Chain, type ChainEntry, type Checkpoint, type Sha256 } from '@exchequer/sdk/verify'
import type { Claimant, SnapshotLine } from './snapshot/check.ts'
import { Wrong } from './wrong.ts'

/** Lines of an exported realm; docs/import-export.md describes them. */
type Header = {
  readonly format?: string
  readonly version?: number
  readonly realmId: string
  readonly seq: string
  readonly hash: string
}
/** The optional counts are absent when there are none. */
type Counts = {
  members: number
  wallets: number
  entries: number
  holds: number
  identities?: number
  awards?: number
  batches?: number
  erasures?: number
  snapshots?: number
  claimants?: number
}
/** What the history is compared with, for the realm of the file. */
export type AgainstRealm = (realmId: string) => Promise<Checkpoint | undefined>

export type FileEntry = Omit<ChainEntry, 'details'> & { readonly details?: Said }
type Said = {
  readonly salt: string
  readonly reason: string | null
  readonly reference: string | null
  /** The JSON text that is hashed. */
  readonly metadata: string | null
  readonly actorId: string | null
}
type Hold = {
  readonly account: number
  readonly realmPointId: string
  readonly tokens: string
  readonly endedBy: string | null
}
export type Line = {
  readonly member?: { readonly account: number }
  readonly wallet?: {
    readonly account: number
    readonly address: string
    readonly verifiedAt: string | null
  }
  readonly identity?: object
  readonly entry?: FileEntry
  /** Details of a batch whose first entry was erased, and the erased entries. */
  readonly batch?: object
  readonly erasure?: object
  readonly hold?: Hold
  readonly award?: Hold
  readonly snapshot?: SnapshotLine
  readonly claimant?: Claimant
  readonly end?: true
  readonly counts?: Counts
}

export type Verification = Counts & {
  readonly realmId: string
  readonly seq: string
  readonly hash: string
  readonly erased: number
}

/** The counter of each line type. */
const counted = {
  member: 'members',
  wallet: 'wallets',
  identity: 'identities',
  entry: 'entries',
  batch: 'batches',
  erasure: 'erasures',
  hold: 'holds',
  award: 'awards',
  snapshot: 'snapshots',
  claimant: 'claimants',
} as const
const lineNames = Object.keys(counted) as (keyof typeof counted)[]

/** Node's own hash: Web Crypto is slow for short texts. */
export const sha256: Sha256 = (bytes) => digest('sha256', bytes, 'hex')

/** The text that the hash of the details covers. */
function saidText({ reason, reference, metadata, actorId }: Said): string {
  const fields = [
    reason === null ? undefined : `"reason":${JSON.stringify(reason)}`,
    reference === null ? undefined : `"reference":${JSON.stringify(reference)}`,
    metadata === null ? undefined : `"metadata":${metadata}`,
    actorId === null ? undefined : `"actorId":"${actorId}"`,
  ]
  return `{${fields.filter((field) => field !== undefined).join(',')}}`
}

const entryOf = ({ details, ...entry }: FileEntry): ChainEntry => ({
  ...entry,
  details: details ? { salt: details.salt, text: saidText(details) } : null,
})

function parsed<T>(line: string, number: number): T {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value as T
  } catch {
    // Reported below.
  }
  throw new Wrong(`line ${number}`, 'this is not a line of an exported realm')
}

type Open = Map<string, bigint>

/** Adds up what has not ended, by point type and account. */
function addOpen(open: Open, { realmPointId, account, tokens, endedBy }: Hold): void {
  if (endedBy !== null) return
  const name = `${realmPointId} ${account}`
  open.set(name, (open.get(name) ?? 0n) + BigInt(tokens))
}

type OpenWords = { readonly nouns: string; readonly one: string; readonly state: string }

/** What the journal says and what the lines of holds, or awards, add up to. */
function compareOpen(
  balances: ReturnType<Chain['held']>,
  open: Open,
  { nouns, one, state }: OpenWords,
): void {
  for (const { point, account, balance } of balances) {
    const sum = open.get(`${point} ${account}`) ?? 0n
    if (sum !== balance)
      throw new Wrong(
        `account ${account}`,
        `${balance} ${point} are ${state}, but its ${one} ${nouns} add up to ${sum}`,
      )
    open.delete(`${point} ${account}`)
  }
  const [loose] = open.keys()
  if (loose !== undefined)
    throw new Wrong(`the ${nouns}`, `one of ${loose} is ${one}, but nothing is ${state}`)
}

/** Verifies an exported realm line by line: chain, balances, holds, awards, and completeness. */
export class RealmFile {
  readonly #against: AgainstRealm
  readonly #look: (line: Line) => void
  readonly #counts: Counts = { members: 0, wallets: 0, entries: 0, holds: 0 }
  readonly #openHolds = new Map<string, bigint>()
  readonly #pendingAwards = new Map<string, bigint>()
  #header: Header | undefined
  #chain: Chain | undefined
  #endCounts: Counts | undefined
  #number = 0

  /** `look` gets each line after the first, once it is verified. */
  constructor(against: AgainstRealm = async () => undefined, look: (line: Line) => void = () => {}) {
    this.#against = against
    this.#look = look
  }

  /** Entries checked, and entries in total. */
  get progress(): { readonly done: number; readonly of: number } {
    return { done: this.#counts.entries, of: Number(this.#header?.seq ?? 0) }
  }

  /** The next lines; their entries are checked together. */
  async lines(texts: readonly string[]): Promise<void> {
    const lines: Line[] = []
    try {
      for (const text of texts) {
        this.#number += 1
        if (this.#chain) lines.push(this.#parse(text))
        else this.#chain = await this.#begin(text)
      }
    } finally {
      // When a line can't be parsed, an earlier entry may be wrong: report that first.
      await this.#check(lines)
    }
  }

  #parse(text: string): Line {
    const where = `line ${this.#number}`
    if (this.#endCounts) throw new Wrong(where, 'it comes after the last line')
    const line = parsed<Line>(text, this.#number)
    if (line.end && line.counts) this.#endCounts = line.counts
    else if (!lineNames.some((name) => line[name]))
      throw new Wrong(where, 'this is not a line of an exported realm')
    return line
  }

  async #check(lines: readonly Line[]): Promise<void> {
    await this.#chain?.add(lines.flatMap(({ entry }) => (entry ? [entryOf(entry)] : [])))
    for (const line of lines) {
      const name = lineNames.find((one) => line[one])
      if (name) this.#counts[counted[name]] = (this.#counts[counted[name]] ?? 0) + 1
      if (line.hold) addOpen(this.#openHolds, line.hold)
      if (line.award) addOpen(this.#pendingAwards, line.award)
      this.#look(line)
    }
  }

  async #begin(text: string): Promise<Chain> {
    const header = parsed<Header>(text, 1)
    if (header.format !== 'exchequer-realm')
      throw new Wrong('line 1', 'this is not an exported realm; create one with: exchequer export realm')
    if (header.version !== 1) throw new Wrong('line 1', `export version ${header.version} is not supported`)
    this.#header = header
    return Chain.start(header.realmId, { against: await this.#against(header.realmId), sha256 })
  }

  end(): Verification {
    const [header, chain, endCounts] = [this.#header, this.#chain, this.#endCounts]
    if (!header || !chain) throw new Wrong('line 1', 'the file is empty')
    if (!endCounts) throw new Wrong('the end', 'the last line is missing: the file was cut off')
    for (const name of Object.values(counted))
      if (endCounts[name] !== this.#counts[name])
        throw new Wrong(
          'the end',
          `the file has ${this.#counts[name]} ${name}, but its last line says ${endCounts[name]}`,
        )
    chain.finish({ seq: BigInt(header.seq), hash: header.hash })
    compareOpen(chain.held(), this.#openHolds, { nouns: 'holds', one: 'open', state: 'on hold' })
    compareOpen(chain.pending(), this.#pendingAwards, { nouns: 'awards', one: 'pending', state: 'pending' })
    const { realmId, seq, hash } = header
    return { ...this.#counts, realmId, seq, hash, erased: chain.erased }
  }
}
