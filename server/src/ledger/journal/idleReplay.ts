import type { Queryable } from '../../db/session.ts'
import { dateOf, type IdleRule, isIdle, isIdleRule, type LapseStep } from '../../realms/index.ts'
import { ownerOf } from '../rules/accounts.ts'
import { type Active, isMembers, issuance } from '../rules/command.ts'
import { idleDay, isIdleDue, stepAt } from '../rules/dating.ts'
import { entryTypes, numbersWith } from '../rules/entryTypes.ts'
import type { AccountColumn } from './columns.ts'
import { type EntryRow, type LinkedEntry, readSomeEntries } from './journalStore.ts'
import type { Steps } from './lotsReplay.ts'
import { type MergeLink, readMergeLinks } from './mergeCheckStore.ts'
import { MergedAccounts } from './mergedAccounts.ts'
import { Wrong } from './wrong.ts'

/** The fields of an entry that determine who was active. */
export type IdleEntry = Pick<
  EntryRow,
  'seq' | 'at_us' | 'kind' | 'point' | 'from_account' | 'to_account' | 'from_balance' | 'link'
>

const { adjust, capture, lapse, merge, reversal } = entryTypes
const earning = new Set(numbersWith('isEarned'))

/** The last entry of each account of one type: its time and its seq. */
type Columns = Readonly<Record<'earned' | 'spent' | 'restored' | 'first', AccountColumn>>

export type IdleOptions = {
  readonly steps: Steps
  readonly merges: readonly MergeLink[]
  /** Whether the replay begins with entry 1. */
  readonly isWhole: boolean
  readonly newColumn: () => AccountColumn
}

/** The merges of a realm, if any of its rules depends on them. */
export const mergesFor = async (db: Queryable, realm: number, steps: Steps): Promise<readonly MergeLink[]> =>
  [...steps.values()].some(isIdle) ? readMergeLinks(db, realm) : []

/**
 * Computes again who was active last, where a rule lapses the whole balance of members who were not. A replay
 * that does not begin with entry 1 knows of the entries before it only those that a lapse names.
 */
export class IdleReplay {
  #steps: Steps
  #merged: MergedAccounts
  readonly #isWhole: boolean
  readonly #newColumn: () => AccountColumn
  readonly #columns = new Map<number, Columns>()
  #linked: ReadonlyMap<bigint, LinkedEntry> = new Map()

  constructor({ steps, merges, isWhole, newColumn }: IdleOptions) {
    this.#steps = steps
    this.#merged = new MergedAccounts(merges)
    this.#isWhole = isWhole
    this.#newColumn = newColumn
  }

  /** By now. A rule lapses nothing in the month in which it is the first: what was before is not needed. */
  setRules(steps: Steps, merges: readonly MergeLink[]): void {
    this.#steps = steps
    this.#merged = new MergedAccounts(merges)
  }

  /** Reads the entries that lapses and reversals of a page name. */
  async load(db: Queryable, realm: number, rows: readonly LinkedEntry[]): Promise<void> {
    const wanted = new Set(
      rows.flatMap(({ kind, link, point, from_account: from }) => {
        const isNamed = kind === lapse.number || (kind === reversal.number && from === issuance)
        return isNamed && link !== null && isIdle(this.#steps.get(point)) ? [link] : []
      }),
    )
    const own = rows.filter(({ seq }) => wanted.delete(seq)).map((row) => [row.seq, row] as const)
    const others = wanted.size > 0 ? await readSomeEntries(db, realm, [...wanted]) : []
    this.#linked = new Map([...others, ...own])
  }

  add(row: IdleEntry): void {
    const steps = this.#steps.get(row.point)
    const step = steps && stepAt(steps, row.seq)
    if (row.kind === lapse.number) {
      if (!step?.rule) throw new Wrong(`entry ${row.seq}`, 'its points lapsed, but no rule applied to them')
      if (isIdleRule(step.rule)) this.#check(row, step, step.rule)
    }
    if (isIdle(steps)) this.#note(row)
  }

  #check(row: IdleEntry, step: LapseStep, rule: IdleRule): void {
    const { seq, link, from_account: account, from_balance: left, at_us: atUs } = row
    const wrong = (why: string) => new Wrong(`entry ${seq}`, why)
    if (left !== 0n) throw wrong(`a lapse takes the whole balance, but ${left} are left`)
    const accounts = this.#merged.of(account, seq)
    const found = link === null ? undefined : this.#linked.get(link)
    if (!found || found.point !== row.point || !isOf(found, accounts))
      throw wrong(`it names entry ${link ?? 'none'}, by which the member was not active`)
    const last = this.#lastOf(row.point, accounts, rule)
    if (this.#isWhole ? last?.seq !== link : (last?.seq ?? 0n) > found.seq)
      throw wrong(`it names entry ${link}, but the member was active last by entry ${last?.seq ?? 'none'}`)
    if (!isIdleDue(step, found.at_us, atUs))
      throw wrong(`it lapsed before ${dateOf(idleDay(step, found.at_us) ?? 0)}, which is its day`)
  }

  /** The last activity of a member by a rule; for accounts without any, their first points. */
  #lastOf(point: number, accounts: readonly number[], { idle }: IdleRule): Active | undefined {
    const columns = this.#columns.get(point)
    if (!columns) return undefined
    const { earned, spent, restored, first } = columns
    const counted = [restored, ...idle.by.map((type) => ({ earned, spent })[type])]
    const found = accounts.flatMap((account) => {
      const own = latest(counted.map((column) => column.get(account)))
      // Before the first entry of a replay there may be others.
      const last = own ?? (this.#isWhole ? first.get(account) : undefined)
      return last ? [last] : []
    })
    const last = latest(found)
    return last && { seq: last.seq, atUs: last.balance }
  }

  #note(row: IdleEntry): void {
    const { seq, at_us: atUs, kind, point, from_account: from, to_account: to, link } = row
    const columns = this.#columns.get(point) ?? this.#newColumns(point)
    if (isMembers(to)) {
      if (earning.has(kind)) columns.earned.set(to, atUs, seq)
      const isBack = kind === reversal.number && from === issuance
      if (isBack && this.#linked.get(link ?? 0n)?.kind === lapse.number) columns.restored.set(to, atUs, seq)
      if (kind !== merge.number && !columns.first.get(to)) columns.first.set(to, atUs, seq)
    }
    if (isSpending(row)) columns.spent.set(ownerOf(from), atUs, seq)
  }

  #newColumns(point: number): Columns {
    const [earned, spent] = [this.#newColumn(), this.#newColumn()]
    const columns = { earned, spent, restored: this.#newColumn(), first: this.#newColumn() }
    this.#columns.set(point, columns)
    return columns
  }
}

const isSpending = ({ kind, from_account: from }: Pick<IdleEntry, 'kind' | 'from_account'>): boolean =>
  (kind === adjust.number && isMembers(from)) || kind === capture.number

/** Whether an entry gave one of these accounts points, or spent some of them. */
const isOf = (entry: LinkedEntry, accounts: readonly number[]): boolean =>
  entry.kind !== merge.number &&
  (accounts.includes(entry.to_account) ||
    (isSpending(entry) && accounts.includes(ownerOf(entry.from_account))))

function latest<T extends { readonly seq: bigint }>(some: readonly (T | undefined)[]): T | undefined {
  return some.reduce((last, one) => (one && (!last || one.seq > last.seq) ? one : last), undefined)
}
