const tickMs = 20
/** The load is judged over this many ticks. */
const windowTicks = 5
/**
 * Changes in a window, and the part of it in which the thread works, from which deliveries rest; and below
 * which they go on.
 */
const busy = { changes: 5, work: 0.5 }
const calm = { changes: 2, work: 0.25 }
/** The same in a single tick: when many changes begin at once, deliveries rest before the window ends. */
const burst = { changes: 3, work: 0.5 }

export type Load = {
  /** How many changes of points this process has taken so far. */
  readonly changes: () => number
  /** The part of the time since the last call in which this thread worked. */
  readonly work: () => number
}

type Seen = { readonly changes: number; readonly work: number }

const reaches = (seen: Seen, least: Seen): boolean => seen.changes >= least.changes && seen.work >= least.work

/** The load of this process. */
export function ownLoad(changes: () => number): Load {
  let before = performance.eventLoopUtilization()
  const work = () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    return utilization
  }
  return { changes, work }
}

/**
 * Deliveries use the thread that changes points. While there are changes and the thread is busy, deliveries
 * of this process begin one by one, 50 a second in all, so that no receiver slows a change; what is left
 * behind is sent afterwards. Measured: without it, ten endpoints left changes 0.28 of their rate.
 */
export class Pacing {
  readonly #load: Load
  #timer: NodeJS.Timeout | undefined
  #users = 0
  #changesBefore = 0
  /** What the window has so far: ticks, changes, and the sum of each tick's part of work. */
  #sum = { ticks: 0, changes: 0, work: 0 }
  #isTight = false
  #queue: (() => void)[] = []

  constructor(load: Load) {
    this.#load = load
  }

  get isTight(): boolean {
    return this.#isTight
  }

  /** Until `leave`, the load is watched. */
  enter(): void {
    this.#users += 1
    if (this.#timer) return
    this.#look()
    this.#sum = { ticks: 0, changes: 0, work: 0 }
    this.#timer = setInterval(() => this.#tick(), tickMs).unref()
  }

  leave(): void {
    this.#users -= 1
    if (this.#users > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.release()
  }

  /** A turn to deliver: at once, unless changes need the thread. Those that wait get theirs in order. */
  turn(): Promise<void> | undefined {
    if (!this.#isTight) return undefined
    return new Promise((resolve) => {
      this.#queue.push(resolve)
    })
  }

  /** All turns at once, until the thread is busy again. */
  release(): void {
    this.#isTight = false
    for (const resolve of this.#queue.splice(0)) resolve()
  }

  /** Changes and work since the last look. */
  #look() {
    const { changes, work } = this.#load
    const count = changes() - this.#changesBefore
    this.#changesBefore += count
    return { changes: count, work: work() }
  }

  #tick(): void {
    const seen = this.#look()
    const { ticks, changes, work } = this.#sum
    this.#sum = { ticks: ticks + 1, changes: changes + seen.changes, work: work + seen.work }
    if (!this.#isTight && reaches(seen, burst)) this.#isTight = true
    if (this.#sum.ticks >= windowTicks) this.#judge()
    if (this.#isTight) this.#queue.shift()?.()
  }

  #judge(): void {
    const { ticks, changes, work } = this.#sum
    this.#sum = { ticks: 0, changes: 0, work: 0 }
    if (reaches({ changes, work: work / ticks }, this.#isTight ? calm : busy)) this.#isTight = true
    else this.release()
  }
}
