import { randomUUID } from 'node:crypto'
import type { Queryable } from '../db/session.ts'
import type { Bucket } from './bucket.ts'
import type { Pace } from './pace.ts'
import { beat, exchange, forget, type OtherUsageRow } from './store.ts'

/** A bucket that just became busy is exchanged sooner: nothing is known about it yet. */
const soonMs = 100
const soonTimes = 2
/** Reports of a bucket after it was last busy, so that the others learn how that ended. */
const reportsAfterBusy = 4
/** The rows of a process that reported nothing for this long are deleted. */
const goneMs = 60_000

/** The limit's realm and key; key 0 is the realm's own limit. */
type Place = { readonly realm: number; readonly key: number }
type Watched = Place & { readonly bucket: Bucket; busyAtMs: number; reports: number }

/**
 * Reports this process's busy buckets to the other processes and reads their reports: one statement for all,
 * twice a second or, among many processes, less often; none while no bucket is busy.
 */
export class Exchange {
  readonly #db: Queryable
  readonly #pace: Pace
  readonly #nowMs: () => number
  readonly #process = randomUUID()
  readonly #watched = new Map<string, Watched>()
  #running: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isSoon = false
  #reportedAllAtMs = Number.NEGATIVE_INFINITY
  #beating: Promise<void> | undefined
  #closed = false

  constructor(db: Queryable, pace: Pace, nowMs: () => number) {
    this.#db = db
    this.#pace = pace
    this.#nowMs = nowMs
  }

  watch(bucket: Bucket, { realm, key }: Place): void {
    const name = `${realm}:${key}`
    const known = this.#watched.get(name)
    if (known?.bucket === bucket) {
      known.busyAtMs = this.#nowMs()
      return
    }
    if (this.#closed || (!known && this.#watched.size >= this.#pace.limitCap)) return
    bucket.beAlone(this.#nowMs())
    this.#watched.set(name, { realm, key, bucket, busyAtMs: this.#nowMs(), reports: 0 })
    if (this.#running || this.#isSoon) return
    if (this.#timer) this.#plan()
    else this.#start()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#running
    await this.#beating
  }

  /** Sends a heartbeat and counts the other processes: to be called every few seconds while in use. */
  beat(): Promise<void> {
    if (!this.#closed) this.#beating ??= this.#beat().finally(() => (this.#beating = undefined))
    return this.#beating ?? Promise.resolve()
  }

  async #beat(): Promise<void> {
    try {
      const { live, gone } = await beat(this.#db, this.#process)
      this.#pace.count(live + 1)
      if (gone > 0) await forget(this.#db, [0])
    } catch {
      // The database is unreachable: keep the last known count.
    }
  }

  #start(): void {
    const all = !this.#isSoon || this.#dueInMs() <= 0
    this.#timer = undefined
    this.#isSoon = false
    this.#running = this.#run(all).finally(() => {
      this.#running = undefined
      this.#plan()
    })
  }

  #plan(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#closed || this.#watched.size === 0) return
    this.#isSoon = this.#watched.values().some(({ reports }) => reports < soonTimes)
    this.#timer = setTimeout(() => this.#start(), this.#isSoon ? soonMs : Math.max(soonMs, this.#dueInMs()))
    this.#timer.unref()
  }

  /** Until all watched buckets are due to be reported again. */
  #dueInMs(): number {
    return this.#reportedAllAtMs + this.#pace.everyMs - this.#nowMs()
  }

  async #run(all: boolean): Promise<void> {
    const { everyMs } = this.#pace
    if (all) this.#reportedAllAtMs = this.#nowMs()
    const watched = [...this.#watched.values()].filter(({ reports }) => all || reports < soonTimes)
    const usage = watched.map(({ realm, key, bucket }) => ({ realm, key, ...bucket.report(this.#nowMs()) }))
    for (const one of watched) one.reports += 1
    try {
      const rows = await exchange(this.#db, this.#process, usage)
      this.#hear(watched, usage, rows)
      const gone = rows.filter((row) => row.age_ms > goneMs)
      if (gone.length > 0) await forget(this.#db, [...new Set(gone.map((row) => row.realm))])
    } catch {
      // The database is unreachable; requests that need it fail by themselves. Each process counts alone
      // until it is back.
      for (const { bucket } of watched) bucket.beAlone(this.#nowMs())
    }
    for (const [name, { bucket, busyAtMs }] of this.#watched) {
      if (this.#nowMs() - busyAtMs <= reportsAfterBusy * everyMs) continue
      this.#watched.delete(name)
      // The share expected for the others would otherwise be withheld from its clients forever.
      bucket.beAlone(this.#nowMs())
    }
  }

  #hear(
    watched: readonly Watched[],
    usage: readonly { spent: number; asked: number }[],
    rows: readonly OtherUsageRow[],
  ): void {
    const others = Map.groupBy(rows, (row) => `${row.realm}:${row.key}`)
    watched.forEach(({ realm, key, bucket }, index) => {
      const found = (others.get(`${realm}:${key}`) ?? []).map(({ age_ms: ageMs, ...row }) => ({
        ...row,
        ageMs,
      }))
      bucket.hear(found, usage[index] ?? { spent: 0, asked: 0 }, this.#nowMs())
    })
  }
}
