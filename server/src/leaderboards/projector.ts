import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { writeTransaction } from '../db/rowSecurity.ts'
import { Due } from './due.ts'
import { foldPage, type Step } from './page.ts'
import { form, insertProgress, readProgress, startBuild } from './store.ts'

/** Realms that are folded in one transaction. */
const realmsPerPage = 200
/**
 * Pause for each millisecond of background work while others write, waiting included: on a busy machine each
 * page takes longer, so the projector uses less of a machine that has less to spare. The rest is folded on
 * request, or later.
 */
const restPerWork = 4
const restWhenIdle = 0.2
/** When people would notice how far their boards are behind. */
const restWhenNoticed = 1
const busyPauseMs = 20
const failedPauseMs = 1_000

export type ProjectorOptions = {
  readonly db: Database
  /** How long after a write its realm is folded at the earliest; 0 folds only on request. */
  readonly everyMs: number
  readonly onFault: (error: unknown) => void
  /** A realm’s leaderboards include its entries, so long after they were due. */
  readonly onFolded?: ((delayMs: number) => void) | undefined
}

/**
 * Folds journals into standings, a page of many realms per short transaction: either all of its changes are
 * written together with the progress, or none. So each entry counts once, whenever a process is killed and
 * however many processes do it.
 */
export class Projector {
  readonly #options: ProjectorOptions
  /** The steps under way. */
  readonly #steps = new Map<number, Promise<Step>>()
  readonly #due = new Due()
  /** Realms that are being folded, and since when they are due. */
  #taken: ReadonlyMap<number, number> = new Map()
  /** Fewer after a failure: one realm that can't be folded delays no others for long. */
  #pageOf = realmsPerPage
  #timer: NodeJS.Timeout | undefined
  #timerAtMs = 0
  #running: Promise<void> | undefined
  #wasWritten = false
  #isBehind = false
  #closed = false

  constructor(options: ProjectorOptions) {
    this.#options = options
  }

  /** Notes that a realm was written to. */
  written(realm: number): void {
    if (this.#options.everyMs === 0) return
    this.#wasWritten = true
    this.#due.written(realm)
    if (!this.#running) this.#plan()
  }

  /** Notes that a realm's boards were requested. */
  asked(realm: number): void {
    this.#due.asked(realm)
  }

  /** How many realms are to be folded, and how long the first of them is overdue. */
  due(): { readonly realms: number; readonly lagMs: number } {
    const nowMs = performance.now()
    let sinceMs = nowMs
    for (const since of this.#taken.values()) sinceMs = Math.min(sinceMs, since)
    return {
      realms: this.#due.size + this.#taken.size,
      lagMs: Math.max(this.#due.lagMs, nowMs - sinceMs),
    }
  }

  /** Resolves when all current entries are folded, or the time is over; returns whether they are. */
  async catchUp(realm: number, withinMs: number): Promise<boolean> {
    this.asked(realm)
    const deadlineMs = performance.now() + withinMs
    const db = this.#options.db.within([realm])
    let standing = await readProgress(db, realm)
    for (const { head } = standing; ; standing = await readProgress(db, realm)) {
      const { seq, time_zone: zone, wanted, merged, merges } = standing
      const isFolded = seq !== null && seq >= head && (merged ?? 0) >= merges
      if (isFolded && zone === wanted && standing.form === form) return true
      if (performance.now() >= deadlineMs) {
        // It continues in the background.
        if (this.#options.everyMs > 0) this.#due.add(realm)
        this.#plan()
        return false
      }
      if ((await this.step(realm)) === 'busy') await sleep(busyPauseMs)
    }
  }

  /** Folds a page of one realm. Callers during a step in this process share its result. */
  step(realm: number): Promise<Step> {
    return this.#steps.get(realm) ?? this.#start([realm]).then((steps) => steps.get(realm) ?? 'busy')
  }

  /** Folds a page of those that are not in a step already. */
  #start(realms: readonly number[]): Promise<ReadonlyMap<number, Step>> {
    const free = realms.filter((realm) => !this.#steps.has(realm))
    if (free.length === 0) return Promise.resolve(new Map())
    const page = this.#options.db
      .transaction((tx) => foldPage(tx, free))
      .finally(() => {
        for (const realm of free) this.#steps.delete(realm)
      })
    for (const realm of free) {
      const step = page.then((steps) => steps.get(realm) ?? 'busy')
      // Its failure is the page's.
      step.catch(() => undefined)
      this.#steps.set(realm, step)
    }
    return page
  }

  /** Starts over at entry 1; the old build is deleted afterwards. */
  async rebuild(realm: number): Promise<void> {
    await writeTransaction(this.#options.db, [realm], async (tx) => {
      await insertProgress(tx, [realm])
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
    const nextInMs = this.#due.nextInMs
    if (this.#closed || this.#running || nextInMs === undefined) return
    // When a page was not enough, the pause after it was long enough.
    const delayMs = this.#isBehind ? 0 : Math.max(this.#options.everyMs, nextInMs)
    const atMs = performance.now() + delayMs
    if (this.#timer && this.#timerAtMs <= atMs) return
    clearTimeout(this.#timer)
    this.#timerAtMs = atMs
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#running = this.#run().finally(() => {
        this.#running = undefined
        this.#plan()
      })
    }, delayMs)
    this.#timer.unref()
  }

  /** A page of each due realm. */
  async #run(): Promise<void> {
    this.#isBehind = false
    const due = this.#due.take()
    while (due.size > 0 && !this.#closed) {
      this.#taken = due
      const realms = due.keys().take(this.#pageOf).toArray()
      const startedMs = performance.now()
      const isNoticed = realms.some((realm) => this.#due.isNoticed(realm, due.get(realm)))
      this.#wasWritten = false
      try {
        const steps = await this.#start(realms)
        for (const realm of realms) this.#ended(realm, steps.get(realm) ?? 'busy', due.get(realm))
        this.#pageOf = Math.min(this.#pageOf * 2, realmsPerPage)
        for (const realm of realms) due.delete(realm)
      } catch (error) {
        // Probably the database is unreachable: logged once, and retried with all that is due.
        this.#options.onFault(error)
        this.#pageOf = 1
        const failed = realms.map((realm) => [realm, due.get(realm)] as const)
        for (const realm of realms) due.delete(realm)
        // Those that failed come last, and are due since the same time.
        for (const [realm, sinceMs] of [...due, ...failed]) this.#due.add(realm, sinceMs)
        this.#taken = new Map()
        await sleep(failedPauseMs, undefined, { ref: false })
        return
      }
      await sleep((performance.now() - startedMs) * this.#rest(isNoticed), undefined, { ref: false })
    }
    this.#taken = new Map()
  }

  #rest(isNoticed: boolean): number {
    if (!this.#wasWritten) return restWhenIdle
    return isNoticed ? restWhenNoticed : restPerWork
  }

  #ended(realm: number, step: Step, sinceMs: number | undefined): void {
    if (step === 'done') {
      if (sinceMs !== undefined) this.#options.onFolded?.(performance.now() - sinceMs)
      return
    }
    this.#due.add(realm, sinceMs)
    if (step === 'more') this.#isBehind = true
  }
}
