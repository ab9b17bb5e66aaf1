import type { ActivityType } from '../../src/realms/index.ts'
import { dateOf, localDay } from './lapseModel.ts'

/** What happened to one account's points, as a person would note it. */
type Note = { readonly seq: bigint; readonly ms: number; readonly what: ActivityType | 'restored' | 'came' }

type Rule = { readonly months: number; readonly by: readonly ActivityType[] }

const dayMs = 86_400_000

const found = new Map<string, number>()

/** The day after the same date so many months later, or after the last date of that month. */
function dayAfterMonths(day: number, months: number): number {
  const key = `${day} ${months}`
  const after = found.get(key) ?? dayByDay(day, months)
  found.set(key, after)
  return after
}

function dayByDay(day: number, months: number): number {
  const [, , wanted = 1] = dateOf(day).split('-').map(Number)
  let at = day
  for (let month = 0; month < months; month += 1) {
    const from = dateOf(at).slice(0, 7)
    while (dateOf(at).slice(0, 7) === from) at += 1
  }
  const inMonth = dateOf(at).slice(0, 7)
  while (Number(dateOf(at).slice(8)) < wanted && dateOf(at + 1).startsWith(inMonth)) at += 1
  return at + 1
}

/** Members who keep a diary: nothing is looked up by type, index or number of an account. */
export class IdleModel {
  readonly #zone: string
  readonly #diaries = new Map<string, Note[]>()
  readonly #balances = new Map<string, number>()
  /** Whose diaries a member has besides its own. */
  readonly #inherited = new Map<string, string[]>()
  #rule: Rule | null = null
  /** By all rules so far: no member loses points before this day, active or not. */
  #floor = 0
  #before: Rule | null = null

  constructor(zone: string) {
    this.#zone = zone
  }

  get floor(): number {
    return this.#floor
  }

  get hasRule(): boolean {
    return this.#rule !== null
  }

  balance(member: string): number {
    return this.#balances.get(member) ?? 0
  }

  change(member: string, by: number): void {
    this.#balances.set(member, this.balance(member) + by)
  }

  note(member: string, note: Note): void {
    this.#diaries.set(member, [...(this.#diaries.get(member) ?? []), note])
  }

  setRule(rule: Rule | null, { today, notBefore }: { today: number; notBefore: number }): void {
    const starts = rule !== null && this.#rule === null
    const known = this.#before
    const isHarder =
      rule !== null &&
      known !== null &&
      (rule.months < known.months || !known.by.every((type) => rule.by.includes(type)))
    if (rule && starts) this.#floor = Math.max(this.#floor, dayAfterMonths(today, rule.months))
    if (rule && known && isHarder) this.#floor = Math.max(this.#floor, dayAfterMonths(today, known.months))
    this.#floor = Math.max(this.#floor, notBefore)
    this.#rule = rule
    this.#before = rule ?? this.#before
  }

  merge(from: string, to: string): void {
    this.change(to, this.balance(from))
    this.#balances.set(from, 0)
    const others = [from, ...(this.#inherited.get(from) ?? [])]
    this.#inherited.set(to, [...(this.#inherited.get(to) ?? []), ...others])
    this.#inherited.delete(from)
  }

  unmerge({
    from,
    to,
    had,
    units,
  }: {
    from: string
    to: string
    had: readonly string[]
    units: number
  }): void {
    this.change(to, -units)
    this.change(from, units)
    const back = [from, ...had]
    this.#inherited.set(
      to,
      (this.#inherited.get(to) ?? []).filter((one) => !back.includes(one)),
    )
    this.#inherited.set(from, [...had])
  }

  inherited(member: string): readonly string[] {
    return this.#inherited.get(member) ?? []
  }

  /** The note by which the member was active last. */
  last(member: string): Note | undefined {
    const { by = [] } = this.#rule ?? {}
    const counts = ({ what }: Note) => what === 'restored' || by.some((type) => type === what)
    const notes = [member, ...this.inherited(member)].flatMap((one) => {
      const diary = this.#diaries.get(one) ?? []
      const counted = diary.filter(counts)
      return counted.length > 0 ? counted.slice(-1) : diary.filter(({ what }) => what !== 'spent').slice(0, 1)
    })
    return notes.sort((a, b) => (a.seq < b.seq ? -1 : 1)).at(-1)
  }

  /** The day on which the member's points lapse; undefined without a rule, and without points. */
  day(member: string): number | undefined {
    const last = this.last(member)
    if (!this.#rule || !last || this.balance(member) === 0) return undefined
    const day = dayAfterMonths(localDay(last.ms, this.#zone), this.#rule.months)
    return Math.max(day, this.#floor)
  }

  isDue(member: string, ms: number): boolean {
    const day = this.day(member)
    return day !== undefined && localDay(ms, this.#zone) * dayMs >= day * dayMs
  }
}

/** An entry that may be reversed, a merge that may be undone, and a balance as it was found. */
export type Some = { readonly member: string; readonly units: number }

export type EntryNote = {
  readonly seq: bigint
  readonly type: 'earned' | 'spent' | 'transfer' | 'lapse'
  readonly member: string
  readonly recipient?: string
  readonly units: number
}

export type MergeNote = {
  number: number
  from: string
  to: string
  had: readonly string[]
  seq: bigint
  units: number
}

export type Known = { readonly seq: bigint; readonly heldSeq: bigint | null; readonly step: number }
export const isSame = (some: Known, others: Known): boolean =>
  some.seq === others.seq && some.heldSeq === others.heldSeq && some.step === others.step
