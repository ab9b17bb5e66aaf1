import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { bind } from '../db/rowSecurity.ts'
import type { Queryable } from '../db/session.ts'
import { Days } from './days.ts'
import { activityOf, type Changes, fold } from './fold.ts'
import {
  endSweep,
  form,
  insertProgress,
  lightly,
  lockProgress,
  pageSize,
  readActivity,
  readEntries,
  readProgress,
  startBuild,
  sweep,
  writePage,
} from './store.ts'

/** How a step ended: nothing more to do, more to do, or another process is doing it. */
type Step = 'done' | 'more' | 'busy'

/** Realms that may be due at once. A realm beyond it is folded when its board is requested. */
const dueCap = 50_000
/**
 * Pause for each millisecond of background work, waiting included: on a busy machine each page takes longer,
 * so the projector uses less of a machine that has less to spare. The rest is folded on request, or later.
 */
const restPerWork = 4
const busyPauseMs = 20
const failedPauseMs = 1_000

export type ProjectorOptions = {
  readonly db: Database
  /** How long after a write its realm is folded at the earliest; 0 folds only on request. */
  readonly everyMs: number
  readonly onFault: (error: unknown) => void
}

/**
 * Folds journals into standings, one page per short transaction: either all of its changes are written
 * together with the progress, or none. So each entry counts once, whenever a process is killed and however
 * many processes do it.
 */
export class Projector {
  readonly #options: ProjectorOptions
  readonly #steps = new Map<number, Promise<Step>>()
  /** Realms that were written to, and since when they wait to be folded. */
  #due = new Map<number, number>()
  /** Those of them that are being folded, one after the other. */
  #taken: ReadonlyMap<number, number> = new Map()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #isBehind = false
  #closed = false

  constructor(options: ProjectorOptions) {
    this.#options = options
  }

  /** Notes that a realm was written to. */
  written(realm: number): void {
    if (this.#options.everyMs === 0 || this.#due.size >= dueCap) return
    if (!this.#due.has(realm)) this.#due.set(realm, performance.now())
    if (!this.#running) this.#plan()
  }

  /** How many realms are due, and how long the first of them has waited. */
  due(): { readonly realms: number; readonly lagMs: number } {
    const nowMs = performance.now()
    let sinceMs = nowMs
    for (const since of [...this.#due.values(), ...this.#taken.values()]) sinceMs = Math.min(sinceMs, since)
    return { realms: new Set([...this.#due.keys(), ...this.#taken.keys()]).size, lagMs: nowMs - sinceMs }
  }

  /** Resolves when all current entries are folded, or the time is over; returns whether they are. */
  async catchUp(realm: number, withinMs: number): Promise<boolean> {
    const deadlineMs = performance.now() + withinMs
    const db = this.#options.db.within([realm])
    let standing = await readProgress(db, realm)
    for (const { head } = standing; ; standing = await readProgress(db, realm)) {
      const { seq, time_zone: zone, wanted } = standing
      if (seq !== null && seq >= head && zone === wanted && standing.form === form) return true
      if (performance.now() >= deadlineMs) {
        // It continues in the background.
        this.written(realm)
        return false
      }
      if ((await this.step(realm)) === 'busy') await sleep(busyPauseMs)
    }
  }

  /** Folds one page. Callers during a step in this process share its result. */
  step(realm: number): Promise<Step> {
    const known = this.#steps.get(realm)
    if (known) return known
    const step = this.#options.db
      .transaction((tx) => stepIn(tx, realm))
      .finally(() => this.#steps.delete(realm))
    this.#steps.set(realm, step)
    return step
  }

  /** Starts over at entry 1; the old build is deleted afterwards. */
  async rebuild(realm: number): Promise<void> {
    await this.#options.db.transaction(async (tx) => {
      await bind(tx, [realm])
      await insertProgress(tx, realm)
      await startBuild(tx, realm)
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#running
    await Promise.allSettled(this.#steps.values())
  }

  #plan(): void {
    if (this.#closed || this.#timer || this.#due.size === 0) return
    // When a page was not enough, the pause after it was long enough.
    const delayMs = this.#isBehind ? 0 : this.#options.everyMs
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#running = this.#run().finally(() => {
        this.#running = undefined
        this.#plan()
      })
    }, delayMs)
    this.#timer.unref()
  }

  /** A page of each due realm, one after the other. */
  async #run(): Promise<void> {
    const due = this.#due
    this.#due = new Map()
    this.#taken = due
    this.#isBehind = false
    for (const [realm, sinceMs] of due) {
      if (this.#closed) return
      const startedMs = performance.now()
      try {
        const step = await this.step(realm)
        if (step !== 'done') this.#due.set(realm, sinceMs)
        if (step === 'more') this.#isBehind = true
        due.delete(realm)
      } catch (error) {
        // Probably the database is unreachable: logged once, and retried with all that is due.
        this.#options.onFault(error)
        for (const [left, leftSinceMs] of due) this.#due.set(left, leftSinceMs)
        await sleep(failedPauseMs, undefined, { ref: false })
        return
      }
      await sleep((performance.now() - startedMs) * restPerWork, undefined, { ref: false })
    }
  }
}

const accountsIn = ({ moved }: Changes): number[] => [
  ...new Set([...moved.values()].flatMap((accounts) => [...accounts])),
]

async function stepIn(tx: Queryable, realm: number): Promise<Step> {
  await lightly(tx)
  await bind(tx, [realm])
  let progress = await lockProgress(tx, realm)
  if (!progress) {
    await insertProgress(tx, realm)
    progress = await lockProgress(tx, realm)
  }
  if (!progress) return 'busy'
  const { seq: after, time_zone: zone, build, swept, wanted } = progress
  if (zone !== wanted || progress.form !== form) {
    await startBuild(tx, realm)
    return 'more'
  }
  const rows = await readEntries(tx, realm, { after })
  const last = rows.at(-1)
  if (last) {
    const changes = fold(rows, new Days(zone))
    const before = await readActivity(tx, realm, { build, accounts: accountsIn(changes) })
    const activity = activityOf(changes.moved, before)
    await writePage(tx, realm, { build, seq: BigInt(last.seq), changes, activity })
  }
  if (rows.length === pageSize) return 'more'
  if (swept === build) return 'done'
  // The old build is deleted once everything is folded again: until then it does not interfere.
  if (!(await sweep(tx, realm, build))) await endSweep(tx, realm, build)
  return 'more'
}
