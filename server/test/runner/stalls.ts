import { readFileSync } from 'node:fs'
import { type Stall, stallMs } from './rerun.ts'

const everyMs = 20
const stealEveryMs = 1_000
/** Of a second. A little is usual on a host with other guests. */
const stealMs = 200
/** Enough for a machine that stalls all the time. */
const mostStalls = 10_000

/**
 * How long each processor, on average, was ready to work and not run by its host, since the machine started:
 * the eighth figure of /proc/stat, in hundredths of a second.
 */
export function stolenMs(stat: string): number {
  const [all = '', ...others] = stat.split('\n').filter((line) => line.startsWith('cpu'))
  const ticks = Number(all.trim().split(/\s+/)[8] ?? 0)
  return (ticks * 10) / Math.max(1, others.length)
}

/** 0 when the kernel does not report it. */
function readStolenMs(): number {
  try {
    return stolenMs(readFileSync('/proc/stat', 'utf8'))
  } catch {
    return 0
  }
}

/**
 * Records, until it is stopped, when a timer of this process was late, and when the host gave the time of
 * this machine's processors to others.
 */
export class StallWatch {
  readonly stalls: Stall[] = []
  readonly #timer: NodeJS.Timeout
  #steal = { atMs: performance.now(), ms: readStolenMs() }
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
    // CPU time of this process itself is not a stall.
    const computedMs = (cpu.user + cpu.system) / 1000
    const lateMs = Math.round(nowMs - this.#lastMs - everyMs - computedMs)
    this.#keep({ fromMs: this.#lastMs, toMs: nowMs, lateMs })
    this.#lastMs = nowMs
    this.#lastCpu = process.cpuUsage()
    if (nowMs - this.#steal.atMs >= stealEveryMs) this.#readSteal(nowMs)
  }

  #readSteal(nowMs: number): void {
    const ms = readStolenMs()
    const lateMs = Math.round(ms - this.#steal.ms)
    if (lateMs >= stealMs) this.#keep({ fromMs: this.#steal.atMs, toMs: nowMs, lateMs })
    this.#steal = { atMs: nowMs, ms }
  }

  #keep(stall: Stall): void {
    if (stall.lateMs >= stallMs && this.stalls.length < mostStalls) this.stalls.push(stall)
  }
}
