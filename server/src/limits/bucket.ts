import type { Limit } from './limit.ts'
import { Pace, tellEveryMs } from './pace.ts'

/** What another process tells of its share of the same bucket. */
export type Other = {
  readonly process: string
  /** Since it began to count. */
  readonly spent: number
  /** Of late, each second, refusals included. */
  readonly asked: number
  /** What it thinks is left for all. */
  readonly level: number
  readonly ageMs: number
}

/** A process that was to tell so many times and did not asks for nothing any more. */
const asksFor = 3
/** How much of a difference to what others believe is given up each time. */
const yielding = 0.2

/**
 * The tokens that are left of a limit for all processes, as far as this one knows: it grows by the rate, less
 * what the others are expected to spend, and is put right when they tell what they did spend.
 */
export class Bucket {
  readonly limit: Limit
  readonly #pace: Pace
  /** Since this process began to count. */
  spent = 0
  level: number
  #growthPerMs: number
  #countedAtMs: number
  /** What did not fit any more since the others were last heard: they may have spent that. */
  #spilt = 0
  #asked = 0
  #askedSinceMs: number
  #askedPerS = 0
  #told = 0
  #saidAtMs = Number.NEGATIVE_INFINITY
  #expectedPerMs = 0
  /** What of the level is left to the others until they are heard again. */
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

  /** How long until there is a token; 0 when there is one. Whoever asks is counted. */
  ask(nowMs: number): number {
    this.#asked += 1
    this.#count(nowMs)
    const short = 1 + this.#reserve - this.level
    if (short <= 0) return 0
    // Where the others take all, this process is given its part as soon as they hear that it asks.
    const leastPerMs = (this.limit.rate / 1000) * this.#pace.unheard
    return short / Math.max(this.#growthPerMs, leastPerMs)
  }

  take(): void {
    this.level -= 1
    this.spent += 1
  }

  /** What a request that has passed costs beyond its token. Those behind it wait until it is made up for. */
  charge(count: number): void {
    this.#asked += count
    this.level -= count
    this.spent += count
  }

  isFull(nowMs: number): boolean {
    this.#count(nowMs)
    return this.level >= this.limit.burst
  }

  /** Whether so much is asked for that other processes should know; said now and then, not each time. */
  isBusy(nowMs: number): boolean {
    const { everyMs, unheard } = this.#pace
    if (nowMs - this.#saidAtMs < everyMs / 2) return false
    if (nowMs - this.#askedSinceMs > 2 * everyMs) this.#measure(nowMs)
    const perS = this.limit.rate * unheard
    const busy = this.#asked > (perS * everyMs) / 1000 || this.#askedPerS > perS
    if (busy) this.#saidAtMs = nowMs
    return busy
  }

  /** What the others are told now. */
  tell(nowMs: number): { spent: number; asked: number; level: number } {
    this.#count(nowMs)
    // A rate over less time says nothing.
    const leastSpanMs = this.#pace.everyMs / 2
    if (nowMs - this.#askedSinceMs >= leastSpanMs) this.#measure(nowMs)
    const spanMs = Math.max(nowMs - this.#askedSinceMs, leastSpanMs)
    const asked = Math.max(this.#askedPerS, (this.#asked * 1000) / spanMs)
    return { spent: this.spent, asked, level: this.level }
  }

  /** What the others told, in answer to what they were told. */
  hear(others: readonly Other[], told: { spent: number; asked: number }, nowMs: number): void {
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
    // Of a process that is met for the first time all is known by what it thinks is left, and it does not
    // know what was spent here since this process last told.
    const untold = Math.min(this.spent - this.#told, burst - this.level)
    const known = Math.min(this.level + spilt + expected - spent, met - untold)
    const debtCap = burst + (rate * everyMs) / tellEveryMs
    this.level = Math.max(Math.min(agreed(known, recent), burst), -debtCap)
    this.#seen = seen
    this.#told = told.spent
    this.#spilt = 0
    this.#heardAtMs = nowMs
    this.#expect(recent, told.asked)
  }

  /** Nobody is heard: the limit holds for this process alone. */
  beAlone(nowMs: number): void {
    this.#count(nowMs)
    this.#seen.clear()
    this.#spilt = 0
    this.#heardAtMs = nowMs
    this.#expect([], 0)
  }

  /** When more is asked for than there is, each process gets its part by what it was asked for. */
  #expect(others: readonly Other[], own: number): void {
    const { rate } = this.limit
    const asked = others.reduce((sum, other) => sum + other.asked, 0)
    const part = asked + own > rate ? rate / (asked + own) : 1
    this.#expectedPerMs = (asked * part) / 1000
    // Else each of many would spend all that one of them may, before it hears of the others. A single other
    // one is left nothing: its clients may have come over to this process just now.
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
 * All processes count the same tokens, and what one of them believes to be missing it would miss for ever, as
 * the others spend it: so they come to agree, slowly, as what others told is half a second old.
 */
function agreed(level: number, others: readonly Other[]): number {
  const mean = others.reduce((sum, other) => sum + other.level, level) / (others.length + 1)
  return level + (mean - level) * yielding
}

function levelNow({ level, ageMs }: Other, { rate, burst }: Limit): number {
  return Math.min(burst, level + (rate * ageMs) / 1000)
}
