import { type Stall, stallMs } from './rerun.ts'

const everyMs = 20
/** Enough for a machine that stands still all the time. */
const mostStalls = 10_000

/** Watches a timer of this process until it is stopped, and keeps how often it came too late. */
export class StallWatch {
  readonly stalls: Stall[] = []
  readonly #timer: NodeJS.Timeout
  #lastMs = performance.now()
  #lastCpu = process.cpuUsage()

  constructor() {
    this.#timer = setInterval(() => this.#tick(), everyMs)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #tick(): void {
    const nowMs = performance.now()
    const cpu = process.cpuUsage(this.#lastCpu)
    // What this process computed itself is not time that it was kept waiting.
    const computedMs = (cpu.user + cpu.system) / 1000
    const lateMs = Math.round(nowMs - this.#lastMs - everyMs - computedMs)
    if (lateMs >= stallMs && this.stalls.length < mostStalls)
      this.stalls.push({ fromMs: this.#lastMs, toMs: nowMs, lateMs })
    this.#lastMs = nowMs
    this.#lastCpu = process.cpuUsage()
  }
}
