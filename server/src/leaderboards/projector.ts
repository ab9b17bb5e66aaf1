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

/** How a step ended: there is nothing more, there is more, or another process is at it. */
type Step = 'done' | 'more' | 'busy'

/** Realms that may be due at once. One that is forgotten is caught up with when it is asked for. */
const dueCap = 50_000
/**
 * Rest for each millisecond of work behind writes, waiting included: on a busy machine each page takes
 * longer, so that less is taken where there is less to take. What is left is folded when it is asked for, or
 * later.
 */
const restPerWork = 4
const busyPauseMs = 20
const failedPauseMs = 1_000

export type ProjectorOptions = {
  readonly db: Database
  /** How long after a write its realm is folded at the soonest; 0 for when it is asked for alone. */
  readonly everyMs: number
  readonly onFault: (error: unknown) => void
}

/**
 * Folds journals into standings, a page in a short transaction: either all of its changes are there and the
 * progress tells so, or none are. So each entry counts once, whoever is killed whenever, and however many
 * processes are at it.
 */
export class Projector {
  readonly #options: ProjectorOptions
  readonly #steps = new Map<number, Promise<Step>>()
  /** Realms that were written to, and since when they wait to be folded. */
  #due = new Map<number, number>()
  /** Those among them that are being folded, one after the other. */
  #taken: ReadonlyMap<number, number> = new Map()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #isBehind = false
  #closed = false

  constructor(options: ProjectorOptions) {
    this.#options = options
  }

  /** Tells that a realm was written to. */
  written(realm: number): void {
    if (this.#options.everyMs === 0 || this.#due.size >= dueCap) return
    if (!this.#due.has(realm)) this.#due.set(realm, performance.now())
    if (!this.#running) this.#plan()
  }

  /** How many realms are due, and how long the one that has waited longest. */
  due(): { readonly realms: number; readonly lagMs: number } {
    const nowMs = performance.now()
    let sinceMs = nowMs
    for (const since of [...this.#due.values(), ...this.#taken.values()]) sinceMs = Math.min(sinceMs, since)
    return { realms: new Set([...this.#due.keys(), ...this.#taken.keys()]).size, lagMs: nowMs - sinceMs }
  }

  /** Ends when all entries are folded that there are now, or the time is over. Whether they are. */
  async catchUp(realm: number, withinMs: number): Promise<boolean> {
    const deadlineMs = performance.now() + withinMs
    const db = this.#options.db.within([realm])
    let standing = await readProgress(db, realm)
    for (const { head } = standing; ; standing = await readProgress(db, realm)) {
      const { seq, time_zone: zone, wanted } = standing
      if (seq !== null && seq >= head && zone === wanted && standing.form === form) return true
      if (performance.now() >= deadlineMs) {
        // It goes on by itself.
        this.written(realm)
        return false
      }
      if ((await this.step(realm)) === 'busy') await sleep(busyPauseMs)
    }
  }

  /** One page. Whoever asks while one is under way in this process is answered with it. */
  step(realm: number): Promise<Step> {
    const known = this.#steps.get(realm)
    if (known) return known
    const step = this.#options.db
      .transaction((tx) => stepIn(tx, realm))
      .finally(() => this.#steps.delete(realm))
    this.#steps.set(realm, step)
    return step
  }

  /** Begins anew at entry 1; what there was is swept away. */
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
    // Where a page was not enough, the rest behind it was wait enough.
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

  /** A page of each realm that is due, one after the other. */
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
        // The database is away, most likely: told once, and tried again with all that is due.
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
  // What was there before is swept away when all is folded anew: it is in nobody's way.
  if (!(await sweep(tx, realm, build))) await endSweep(tx, realm, build)
  return 'more'
}
