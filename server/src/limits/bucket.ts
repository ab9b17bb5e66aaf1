import type { Limit } from './limit.ts'
import { exchangeEveryMs, Pace } from './pace.ts'

/** What another process reports about its share of the same bucket. */
export type Other = {
  readonly process: string
  /** Tokens spent since it began to count. */
  readonly spent: number
  /** Recent requests per second, rejected ones included. */
  readonly asked: number
  /** What it believes is left for all processes. */
  readonly level: number
  readonly ageMs: number
}

/** A process that missed this many reports no longer counts as requesting anything. */
const asksFor = 3
/** The part of its difference to the others' view that a process gives up with each exchange. */
const yielding = 0.2

/**
 * The tokens left of a limit for all processes, as this one estimates it: the level grows by the rate, less
 * what the others are expected to spend, and is corrected when they report what they did spend.
 */
export class Bucket {
  readonly limit: Limit
  readonly #pace: Pace
  /** Since this process began to count. */
  spent = 0
  level: number
  #growthPerMs: number
  #countedAtMs: number
  /** Tokens that overflowed since the others last reported: they may have spent them. */
  #spilt = 0
  #asked = 0
  #askedSinceMs: number
  #askedPerS = 0
  #reportedSpent = 0
  #saidAtMs = Number.NEGATIVE_INFINITY
  #expectedPerMs = 0
  /** The part of the level that is left to the others until their next report. */
  #reserve = 0
  #heardAtMs: number
  #seen = new Map<string, number>()

  constructor(limit: Limit, nowMs: number, pace = new Pace()) {
    this.limit = limit
    this.#pace = pace
    this.level = limit.burst
    this.#growthPerMs = limit.rate / 1000
    this.#countedAtMs = nowMs
    this.#askedSinceMs = nowMs
    this.#heardAtMs = nowMs
  }

  /** Milliseconds until a token is available; 0 when there is one. Every call counts as demand. */
  ask(nowMs: number): number {
    this.#asked += 1
    this.#count(nowMs)
    const short = 1 + this.#reserve - this.level
    if (short <= 0) return 0
    // Where the others use everything, this process gets its share as soon as they learn of its demand.
    const leastPerMs = (this.limit.rate / 1000) * this.#pace.unheard
    return short / Math.max(this.#growthPerMs, leastPerMs)
  }

  take(): void {
    this.level -= 1
    this.spent += 1
  }

  /** What an accepted request costs beyond its token. Later requests wait until the level has recovered. */
  charge(count: number): void {
    this.#asked += count
    this.level -= count
    this.spent += count
  }

  isFull(nowMs: number): boolean {
    this.#count(nowMs)
    return this.level >= this.limit.burst
  }

  /**
   * Whether demand is high enough that other processes should know; true once per interval, not on each call.
   */
  isBusy(nowMs: number): boolean {
    const { everyMs, unheard } = this.#pace
    if (nowMs - this.#saidAtMs < everyMs / 2) return false
    if (nowMs - this.#askedSinceMs > 2 * everyMs) this.#measure(nowMs)
    const perS = this.limit.rate * unheard
    const busy = this.#asked > (perS * everyMs) / 1000 || this.#askedPerS > perS
    if (busy) this.#saidAtMs = nowMs
    return busy
  }

  /** What this process reports to the others now. */
  report(nowMs: number): { spent: number; asked: number; level: number } {
    this.#count(nowMs)
    // A rate over a shorter time is meaningless.
    const leastSpanMs = this.#pace.everyMs / 2
    if (nowMs - this.#askedSinceMs >= leastSpanMs) this.#measure(nowMs)
    const spanMs = Math.max(nowMs - this.#askedSinceMs, leastSpanMs)
    const asked = Math.max(this.#askedPerS, (this.#asked * 1000) / spanMs)
    return { spent: this.spent, asked, level: this.level }
  }

  /** Applies the others' reports, and what this process reported in the same exchange. */
  hear(others: readonly Other[], reported: { spent: number; asked: number }, nowMs: number): void {
    this.#count(nowMs)
    const { rate, burst } = this.limit
    const { everyMs } = this.#pace
    const recent = others.filter((other) => other.ageMs < asksFor * everyMs)
    const seen = new Map(others.map((other) => [other.process, other.spent]))
    let spent = 0
    let met = Number.POSITIVE_INFINITY
    for (const other of others) {
      const before = this.#seen.get(other.process)
      if (before === undefined || other.spent < before) met = Math.min(met, levelNow(other, this.limit))
      else spent += other.spent - before
    }
    const expected = this.#expectedPerMs * (nowMs - this.#heardAtMs)
    const spilt = Math.min(this.#spilt, (rate * everyMs) / 1000)
    // Of a process seen for the first time we know only the level it believes in, and it does not know what
    // this process spent since its last report.
    const unreported = Math.min(this.spent - this.#reportedSpent, burst - this.level)
    const known = Math.min(this.level + spilt + expected - spent, met - unreported)
    const debtCap = burst + (rate * everyMs) / exchangeEveryMs
    this.level = Math.max(Math.min(agreed(known, recent), burst), -debtCap)
    this.#seen = seen
    this.#reportedSpent = reported.spent
    this.#spilt = 0
    this.#heardAtMs = nowMs
    this.#expect(recent, reported.asked)
  }

  /** No other process reports: the limit applies to this process alone. */
  beAlone(nowMs: number): void {
    this.#count(nowMs)
    this.#seen.clear()
    this.#spilt = 0
    this.#heardAtMs = nowMs
    this.#expect([], 0)
  }

  /** When demand exceeds the rate, each process gets a share in proportion to its demand. */
  #expect(others: readonly Other[], own: number): void {
    const { rate } = this.limit
    const asked = others.reduce((sum, other) => sum + other.asked, 0)
    const part = asked + own > rate ? rate / (asked + own) : 1
    this.#expectedPerMs = (asked * part) / 1000
    // Without a reserve each of many processes would spend the whole level before it hears of the others. For
    // a single other process nothing is reserved: its clients may have just moved to this one.
    const many = 1 - 1 / Math.max(1, others.length)
    this.#reserve = part < 1 ? (Math.max(0, this.level) * many * asked) / (asked + own) : 0
    this.#growthPerMs = rate / 1000 - this.#expectedPerMs
  }

  #count(nowMs: number): void {
    const level = this.level + (nowMs - this.#countedAtMs) * this.#growthPerMs
    this.#countedAtMs = nowMs
    const { burst } = this.limit
    if (level > burst) this.#spilt += level - burst
    this.level = level > burst ? burst : level
  }

  #measure(nowMs: number): void {
    this.#askedPerS = (this.#asked * 1000) / (nowMs - this.#askedSinceMs)
    this.#asked = 0
    this.#askedSinceMs = nowMs
  }
}

/**
 * All processes count the same tokens. A process that underestimates the level would do so forever, as the
 * others spend the difference. So the estimates converge, slowly, as reports are half a second old.
 */
function agreed(level: number, others: readonly Other[]): number {
  const mean = others.reduce((sum, other) => sum + other.level, level) / (others.length + 1)
  return level + (mean - level) * yielding
}

function levelNow({ level, ageMs }: Other, { rate, burst }: Limit): number {
  return Math.min(burst, level + (rate * ageMs) / 1000)
}
