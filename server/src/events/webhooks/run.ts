import { setTimeout as sleep } from 'node:timers/promises'
import type { TrackRow } from './deliveryStore.ts'
import type { At } from './endpointStore.ts'
import { LeasedEndpoint, type LeaseOptions, renewEveryMs } from './leasedEndpoint.ts'
import { readParked } from './logStore.ts'
import type { Pacing } from './pacing.ts'
import { fullPage, type Job, type Page, positionAfter, type Sources, tightPage } from './sources.ts'

/** How often positions are written while events are sent: a crash repeats what was sent since then. */
const saveEveryMs = 100
/** The same while deliveries rest, as each write is a transaction. */
const saveEveryTightMs = 1_000
/** How long it stays with an endpoint that is up to date, so that the next event is sent at once. */
const lingerMs = 1_000
/** Parked events that are read at once. */
const retriesAtOnce = 50

export type RunOptions = LeaseOptions & { readonly sources: Sources; readonly pacing: Pacing }

/** Writes positions while events are sent, one after the other. */
class Saving {
  readonly #save: (low: number) => Promise<void>
  readonly #pacing: Pacing
  #savedAtMs = performance.now()
  #running: Promise<void> | undefined
  #fault: unknown

  constructor(save: (low: number) => Promise<void>, pacing: Pacing) {
    this.#save = save
    this.#pacing = pacing
  }

  /** Throws what a write before failed with: the lease may be lost. */
  soon(low: number): void {
    if (this.#fault !== undefined) throw this.#fault
    const everyMs = this.#pacing.isTight ? saveEveryTightMs : saveEveryMs
    if (this.#running || performance.now() - this.#savedAtMs < everyMs) return
    this.#running = this.#save(low)
      .catch((error: unknown) => {
        this.#fault = error
      })
      .finally(() => {
        this.#running = undefined
        this.#savedAtMs = performance.now()
      })
  }

  async end(): Promise<void> {
    await this.#running
    if (this.#fault !== undefined) throw this.#fault
  }
}

/** Delivers what an endpoint has to get, until there is nothing more or the endpoint fails. */
export class Run {
  readonly at: At
  readonly #options: RunOptions
  #isWoken = false
  #wake: () => void = () => {}
  #isClosing = false
  /** Whether the process can't wait for receivers any longer. */
  #isAbandoned = false
  #notify: () => void = () => {}

  constructor(options: RunOptions, at: At) {
    this.#options = options
    this.at = at
  }

  /** There may be new events. */
  wake(): void {
    this.#isWoken = true
    this.#wake()
  }

  /** Begins no further delivery. Those under way count if they end within the time. */
  close(graceMs: number): void {
    this.#isClosing = true
    this.#wake()
    setTimeout(() => {
      this.#isAbandoned = true
      this.#notify()
    }, graceMs).unref()
  }

  async run(): Promise<void> {
    const endpoint = await LeasedEndpoint.take(this.#options, this.at)
    if (!endpoint) return
    const renewing = setInterval(() => void endpoint.renew(), renewEveryMs).unref()
    try {
      while (!this.#isDone(endpoint)) {
        this.#isWoken = false
        const isAnythingSent = await this.#pass(endpoint)
        if (!isAnythingSent && !this.#isDone(endpoint) && !(await this.#linger())) return
      }
    } finally {
      clearInterval(renewing)
      await endpoint.release()
    }
  }

  #isDone(endpoint: LeasedEndpoint): boolean {
    return this.#isClosing || endpoint.isStopped
  }

  /** Whether there may be more, after a while of nothing. */
  async #linger(): Promise<boolean> {
    if (this.#isWoken) return true
    const done = new AbortController()
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    const over = sleep(lingerMs, undefined, { ref: false, signal: done.signal }).catch(() => {})
    await Promise.race([woken, over])
    done.abort()
    return this.#isWoken && !this.#isClosing
  }

  /** One look at parked events and at every track. Returns whether there was anything. */
  async #pass(endpoint: LeasedEndpoint): Promise<boolean> {
    await endpoint.check()
    let isAny = await this.#retryParked(endpoint)
    for (const [place, track] of [...endpoint.tracks.entries()].reverse()) {
      if (this.#isDone(endpoint)) break
      // Its notices come first, so that a replay has ended when its entries are sent.
      if (track.track === 'replay' && endpoint.tracks.some((one) => one.track === 'notice_replay')) continue
      const { sources, pacing } = this.#options
      const page = await sources.next(track, endpoint.selection, pacing.isTight ? tightPage : fullPage)
      if (!page) continue
      isAny = true
      const moved = await this.#sendPage(endpoint, track, page)
      if (moved) endpoint.tracks[place] = moved
      else endpoint.tracks.splice(place, 1)
    }
    return isAny
  }

  async #retryParked(endpoint: LeasedEndpoint): Promise<boolean> {
    if (endpoint.parkedCount <= 0) return false
    const { db, now, sources, pacing } = this.#options
    const { realm } = this.at
    // While an endpoint waits, any of its events can be the probe.
    const due = endpoint.isWaiting
      ? ({ at: 'infinity', limit: 1 } as const)
      : { at: new Date(now()), limit: retriesAtOnce }
    const rows = await readParked(db.within([realm]), this.at, due)
    for (const row of rows) {
      await pacing.turn()
      if (this.#isDone(endpoint)) break
      const event = await sources.parked(row, endpoint.selection)
      await this.#untilEnded(endpoint.retry(row, event))
      await endpoint.save()
    }
    return rows.length > 0
  }

  /**
   * Sends the events of a page: the first one that is not done and the last one that has begun are never
   * further apart than the endpoint's width. Returns the new position; undefined when the track has ended.
   */
  async #sendPage(endpoint: LeasedEndpoint, track: TrackRow, page: Page): Promise<TrackRow | undefined> {
    const { jobs } = page
    const { pacing } = this.#options
    const done = new Set<number>()
    let [next, low, underWay] = [0, 0, 0]
    let [isHeld, isAnyDone] = [false, false]
    const saving = new Saving((low) => endpoint.save(positionAfter(track, page, low)), pacing)
    const begin = async ({ event, previous }: Job, place: number) => {
      underWay += 1
      if (await endpoint.send(track.track, event, previous)) done.add(place)
      else isHeld = true
      underWay -= 1
      isAnyDone = true
      this.#notify()
    }
    const following = () => {
      const mayBegin = next - low < endpoint.width && !isHeld && !this.#isDone(endpoint)
      return mayBegin ? jobs[next] : undefined
    }
    while ((following() || underWay > 0) && !this.#isAbandoned) {
      for (let job = following(); job; job = following()) {
        const turn = pacing.turn()
        await turn
        if (!following()) break
        void begin(job, next++)
        if (turn) break
      }
      // While deliveries rest, others may begin before any of those under way ends.
      if (!isAnyDone && underWay > 0 && !following()) await this.#notified()
      isAnyDone = false
      while (done.delete(low)) low += 1
      saving.soon(low)
    }
    await saving.end()
    const hasEnded = page.isLast && low === jobs.length
    const moved = positionAfter(track, page, low)
    await endpoint.save(moved, hasEnded)
    return hasEnded ? undefined : moved
  }

  /** A delivery may take 15 s: the process can't always wait for it. */
  async #untilEnded(delivery: Promise<void>): Promise<void> {
    let hasEnded = false
    const ended = delivery.finally(() => {
      hasEnded = true
      this.#notify()
    })
    while (!hasEnded && !this.#isAbandoned) await this.#notified()
    if (hasEnded) await ended
    else ended.catch(() => {})
  }

  /** Until a delivery has ended. One promise for each wait: one that is never resolved would collect them. */
  #notified(): Promise<void> {
    return new Promise((resolve) => {
      this.#notify = resolve
    })
  }
}
