import type { DatedRule } from '../../src/realms/index.ts'

/** Each point by itself: it has the day on which it lapses, and nothing is computed from sums. */
type Unit = { readonly id: number; due: number }

type Made = {
  readonly type: 'credit' | 'debit' | 'transfer' | 'lapse'
  readonly member: string
  readonly recipient?: string
  readonly units: number
  dues: number[]
}

const dayMs = 86_400_000
const never = Number.POSITIVE_INFINITY
const grace = 2

/** `YYYY-MM-DD` of a day, counted from 1970-01-01. */
export const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

const formats = new Map<string, Intl.DateTimeFormat>()

/** The local date at a time, by a format of its own. */
export function localDay(ms: number, timeZone: string): number {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  formats.set(timeZone, format)
  const text = format.format(ms)
  return Date.parse(`${text}T00:00:00Z`) / dayMs
}

const found = new Map<string, number>()

export function modelDay(issued: number, rule: DatedRule): number {
  const key = `${issued} ${JSON.stringify(rule)}`
  const day = found.get(key) ?? dayByDay(issued, rule)
  found.set(key, day)
  return day
}

/** Day by day, without arithmetic on months. */
function dayByDay(issued: number, rule: DatedRule): number {
  if ('on' in rule) {
    for (let day = issued; ; day += 1) {
      const [, month, date] = dateOf(day).split('-')
      const isLastOfFebruary = `${month}-${date}` === '02-28' && dateOf(day + 1).endsWith('-03-01')
      if (rule.on.includes(`${month}-${date}`) || (isLastOfFebruary && rule.on.includes('02-29')))
        return day + 1
    }
  }
  const { after } = rule
  if ('days' in after) return issued + after.days + 1
  let day = issued
  const wanted = Number(dateOf(issued).slice(8))
  for (let month = 0; month < after.months; month += 1) {
    const from = dateOf(day).slice(0, 7)
    while (dateOf(day).slice(0, 7) === from) day += 1
  }
  const inMonth = dateOf(day).slice(0, 7)
  while (Number(dateOf(day).slice(8)) < wanted && dateOf(day + 1).slice(0, 7) === inMonth) day += 1
  if (after.months === 0) day = issued
  const unitOf = (one: number) => {
    const [year, month = 0] = dateOf(one).split('-').map(Number)
    if (after.roundTo === 'day') return one
    if (after.roundTo === 'month') return Number(year) * 12 + month
    if (after.roundTo === 'quarter') return Number(year) * 4 + Math.ceil(month / 3)
    return Number(year)
  }
  const unit = unitOf(day)
  while (unitOf(day) === unit) day += 1
  return day
}

export class LapseModel {
  readonly #accounts = new Map<string, Unit[]>()
  readonly #made = new Map<bigint, Made>()
  readonly #holds = new Map<bigint, { readonly member: string; units: Unit[] }>()
  #next = 0
  #rule: DatedRule | null = null
  #notBefore = 0
  #wasSet = false
  /** Points by how they went. */
  readonly sums = { issued: 0, spent: 0, lapsed: 0 }

  balance(member: string): number {
    return this.#of(member).length
  }

  /** As `day:amount`, soonest first; a point without a day has the server's greatest one. */
  lots(member: string): string {
    return textOf(this.#of(member).map(({ due }) => due))
  }

  held(): number {
    return [...this.#holds.values()].reduce((sum, { units }) => sum + units.length, 0)
  }

  /** Returns what the next rule stores: its base day, and the day before which nothing lapses. */
  setRule(
    rule: DatedRule | null,
    { today, notice, notBefore }: { today: number; notice: number; notBefore: number },
  ) {
    const isAgain = this.#wasSet && this.#rule === null && rule !== null
    const baseDay = rule && 'on' in rule ? today + notice : today
    this.#notBefore = Math.max(this.#notBefore, notBefore, isAgain ? modelDay(today, rule) : 0)
    if (rule) {
      const day = modelDay(baseDay, rule)
      for (const unit of this.#all()) if (unit.due === never) unit.due = day
      for (const made of this.#made.values()) made.dues = made.dues.map((due) => (due === never ? day : due))
    }
    this.#rule = rule
    this.#wasSet ||= rule !== null
    return { baseDay, notBefore: this.#notBefore }
  }

  credit(seq: bigint, member: string, { units, today }: { units: number; today: number }): void {
    this.#issue(seq, { member, units, due: this.#rule ? modelDay(today, this.#rule) : never })
    this.#made.set(seq, { type: 'credit', member, units, dues: Array(units).fill(this.#lastDue) })
  }

  #lastDue = 0

  #issue(_seq: bigint, { member, units, due }: { member: string; units: number; due: number }): void {
    this.#lastDue = due
    for (let count = 0; count < units; count += 1) this.#of(member).push({ id: this.#next++, due })
    this.sums.issued += units
  }

  debit(seq: bigint, member: string, units: number): void {
    const taken = this.#take(member, units)
    this.#made.set(seq, { type: 'debit', member, units, dues: taken.map(({ due }) => due) })
    this.sums.spent += units
  }

  transfer(seq: bigint, member: string, { recipient, units }: { recipient: string; units: number }): void {
    const taken = this.#take(member, units)
    this.#of(recipient).push(...taken)
    this.#made.set(seq, { type: 'transfer', member, recipient, units, dues: taken.map(({ due }) => due) })
  }

  hold(seq: bigint, member: string, units: number): void {
    this.#holds.set(seq, { member, units: this.#take(member, units) })
  }

  capture(seq: bigint, hold: bigint, { units, today }: { units: number; today: number }): void {
    const held = this.#end(hold)
    const spent = soonest(held.units).slice(0, units)
    const rest = held.units.filter((unit) => !spent.includes(unit))
    this.#of(held.member).push(...late(rest, today))
    const dues = spent.map(({ due }) => due)
    this.#made.set(seq, { type: 'debit', member: held.member, units, dues })
    this.sums.spent += units
  }

  release(hold: bigint, today: number): void {
    const { member, units } = this.#end(hold)
    this.#of(member).push(...late(units, today))
  }

  /** Whether what the entry moved is still there to be given back. */
  canReverse(seq: bigint): boolean {
    const { type, member, recipient = '', units } = this.#madeBy(seq)
    if (type === 'credit') return this.balance(member) >= units
    return type !== 'transfer' || this.balance(recipient) >= units
  }

  reverse(seq: bigint, today: number): void {
    const { type, member, recipient = '', units, dues } = this.#madeBy(seq)
    if (type === 'credit') {
      this.#takeThese(member, dues)
      this.sums.issued -= units
    } else if (type === 'debit') {
      const back = dues.map((due) => ({ id: this.#next++, due }))
      this.#of(member).push(...late(back, today))
      this.sums.spent -= units
    } else if (type === 'transfer') this.#of(member).push(...late(this.#takeThese(recipient, dues), today))
    else {
      this.#issue(seq, { member, units, due: this.#rule ? modelDay(today, this.#rule) : never })
      this.sums.issued -= units
      this.sums.lapsed -= units
    }
  }

  /** How many of the member's points are due. */
  due(member: string, today: number): number {
    if (!this.#rule || today < this.#notBefore) return 0
    return this.#of(member).filter(({ due }) => due <= today).length
  }

  lapse(seq: bigint, member: string, today: number): void {
    const due = this.#of(member).filter((unit) => unit.due <= today)
    this.#accounts.set(
      member,
      this.#of(member).filter((unit) => unit.due > today),
    )
    this.#made.set(seq, { type: 'lapse', member, units: due.length, dues: [] })
    this.sums.lapsed += due.length
  }

  #madeBy(seq: bigint): Made {
    const made = this.#made.get(seq)
    if (!made) throw new Error(`the model has no entry ${seq}`)
    return made
  }

  #end(hold: bigint) {
    const held = this.#holds.get(hold)
    if (!held) throw new Error(`the model has no hold ${hold}`)
    this.#holds.delete(hold)
    return held
  }

  #of(member: string): Unit[] {
    const units = this.#accounts.get(member) ?? []
    this.#accounts.set(member, units)
    return units
  }

  #all(): Unit[] {
    return [...this.#accounts.values(), ...[...this.#holds.values()].map(({ units }) => units)].flat()
  }

  #take(member: string, count: number): Unit[] {
    const taken = soonest(this.#of(member)).slice(0, count)
    this.#accounts.set(
      member,
      this.#of(member).filter((unit) => !taken.includes(unit)),
    )
    return taken
  }

  /** Those of these very days first, then the soonest. */
  #takeThese(member: string, dues: readonly number[]): Unit[] {
    const wanted = [...dues]
    const found = this.#of(member).filter(({ due }) => {
      const at = wanted.indexOf(due)
      if (at >= 0) wanted.splice(at, 1)
      return at >= 0
    })
    const others = this.#of(member).filter((unit) => !found.includes(unit))
    const taken = [...found, ...soonest(others).slice(0, dues.length - found.length)]
    this.#accounts.set(
      member,
      this.#of(member).filter((unit) => !taken.includes(unit)),
    )
    return taken
  }
}

const soonest = (units: readonly Unit[]): Unit[] => [...units].sort((a, b) => a.due - b.due || a.id - b.id)

function late(units: Unit[], today: number): Unit[] {
  for (const unit of units) unit.due = Math.max(unit.due, today + grace)
  return units
}

export function textOf(dues: readonly number[]): string {
  const byDay = new Map<number, number>()
  for (const due of dues) byDay.set(due, (byDay.get(due) ?? 0) + 1)
  return [...byDay]
    .sort(([a], [b]) => a - b)
    .map(([day, count]) => `${day === never ? 2_147_483_647 : day}:${count}`)
    .join(',')
}
