import type { ImportRow } from '../rows.ts'
import { type Checked, Digits, idOf, nameOf, pointsOf, twitchNameOf } from './exact.ts'
import type { Importer, RawRow } from './importer.ts'

export type CollectOptions = {
  readonly importer: Importer
  readonly pointType: string | undefined
  readonly allowRounded: boolean
}

type Member = {
  readonly row: ImportRow
  readonly amount: bigint
  readonly roundedDown: boolean
  /** The number of the row that it was first on. */
  readonly number: number
}

const problemCap = 100

/** The members that were read, and what is wrong with the others. */
export class Collected {
  readonly #options: CollectOptions
  readonly #members = new Map<string, Member>()
  readonly #seen = new Set<string>()
  /** The first of them, as sentences. */
  readonly problems: string[] = []
  problemCount = 0
  /** Members who were read again with other points: the leaderboard changed meanwhile. */
  changed = 0
  /** Rows, valid or not. */
  read = 0
  /** As many members as the service says that it has. */
  expected = 0

  constructor(options: CollectOptions) {
    this.#options = options
  }

  /** Whether the row is about a member that no row before was about. */
  add(raw: RawRow): boolean {
    this.read += 1
    const { importer, allowRounded } = this.#options
    const isFile = importer.url === undefined
    const checked: Checked<string> = importer.provider
      ? twitchNameOf(raw.id)
      : idOf(raw.id, { allowRounded, isCell: isFile })
    const shown = raw.id instanceof Digits ? raw.id.text : typeof raw.id === 'string' ? raw.id : ''
    const isNew = shown !== '' && !this.#seen.has(shown)
    this.#seen.add(shown)
    if ('problem' in checked) return this.#problem(checked.problem, isNew)
    const points = pointsOf(raw.points)
    if ('problem' in points) return this.#problem(`member ${checked.value}: ${points.problem}`, isNew)
    const { amount, roundedDown } = points.value
    const id = importer.provider ? `${importer.provider}:${checked.value}` : checked.value
    const before = this.#members.get(id)
    if (before && isFile && before.amount !== amount) {
      const words = `member ${id} is on row ${before.number} too, with other points`
      return this.#problem(words, isNew)
    }
    if (before && before.amount !== amount) this.changed += 1
    const number = before?.number ?? this.read
    this.#members.set(id, { row: this.#rowOf(id, amount, raw), amount, roundedDown, number })
    return isNew
  }

  #problem(words: string, isNew: boolean): boolean {
    this.problemCount += 1
    if (this.problems.length < problemCap) this.problems.push(`row ${this.read}: ${words}`)
    return isNew
  }

  #rowOf(id: string, amount: bigint, raw: RawRow): ImportRow {
    const { pointType } = this.#options
    const username = nameOf(raw.username)
    const displayName = nameOf(raw.displayName)
    const column = pointType === undefined ? 'balance' : (`balance:${pointType}` as const)
    return {
      id,
      ...(username === undefined ? {} : { username }),
      ...(displayName === undefined ? {} : { displayName }),
      ...(amount === 0n ? {} : { [column]: String(amount) }),
    }
  }

  /** How many balances were not whole numbers. */
  get roundedDown(): number {
    return [...this.#members.values()].filter(({ roundedDown }) => roundedDown).length
  }

  /** As NDJSON, which an import takes. */
  get text(): string {
    return [...this.#members.values()].map(({ row }) => `${JSON.stringify(row)}\n`).join('')
  }
}

export type Totals = {
  readonly members: number
  readonly points: bigint
  readonly largest: { readonly id: string; readonly points: bigint } | undefined
}

/** The ids of rows as text, and their totals. */
export function totalsOf(text: string): Totals & { readonly ids: readonly string[] } {
  const ids: string[] = []
  let points = 0n
  let largest: Totals['largest']
  for (const line of text.split('\n')) {
    if (line === '') continue
    const row = JSON.parse(line) as ImportRow
    ids.push(row.id)
    const balance = Object.entries(row).find(([name]) => name.startsWith('balance'))
    const own = BigInt(balance?.[1] ?? 0)
    points += own
    if (own > 0n && own > (largest?.points ?? 0n)) largest = { id: row.id, points: own }
  }
  return { members: ids.length, points, largest, ids }
}
