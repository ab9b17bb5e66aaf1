import { counted, grouped } from './output.ts'
import { inColour, type Terminal } from './terminal.ts'

const everyMs = 100
const linesEveryMs = 5_000
const barPlaces = 24

export type Unit = readonly [one: string, many: string]
export type BarOptions = {
  readonly what: string
  /** The unit counted next to the bar. */
  readonly unit: Unit
}

/** Progress of long work on stderr: a bar on a terminal, a line every 5 s elsewhere. */
export class Bar {
  readonly #terminal: Terminal
  readonly #options: BarOptions
  readonly #startedAtMs = performance.now()
  #saidAtMs: number
  #shown = false

  constructor(terminal: Terminal, options: BarOptions) {
    this.#terminal = terminal
    this.#options = options
    this.#saidAtMs = this.#startedAtMs
  }

  /** `part` is the fraction done, from 0 to 1, or undefined when unknown; `count` is the number of units. */
  at(part: number | undefined, count: number): void {
    const { stderr, env } = this.#terminal
    const nowMs = performance.now()
    if (nowMs - this.#saidAtMs < (stderr.isTTY ? everyMs : linesEveryMs)) return
    this.#saidAtMs = nowMs
    const words = this.#words(part, count, nowMs - this.#startedAtMs)
    if (!stderr.isTTY) {
      stderr.write(`${this.#options.what}: ${words}\n`)
      return
    }
    const bar = part === undefined ? '' : `${barOf(part, inColour(stderr, env))} `
    const line = `${this.#options.what} ${bar}${words}`
    stderr.write(`\r\u001b[K${line}`)
    this.#shown = true
  }

  /** Clears the bar: the command prints the result. */
  end(): void {
    if (this.#shown) this.#terminal.stderr.write('\r\u001b[K')
    this.#shown = false
  }

  #words(part: number | undefined, count: number, ms: number): string {
    const [one, many] = this.#options.unit
    const rate = grouped(Math.round((count / ms) * 1000))
    const parts = [counted(count, one, many), `${rate}/s`]
    if (part !== undefined) {
      parts.unshift(`${String(Math.floor(part * 100)).padStart(3)} %`)
      if (part > 0.01) parts.push(`${lasting((ms / part - ms) / 1000)} left`)
    }
    return parts.join('  ')
  }
}

function barOf(part: number, colour: boolean): string {
  const eighths = Math.round(Math.min(1, Math.max(0, part)) * barPlaces * 8)
  const full = '█'.repeat(Math.floor(eighths / 8))
  const rest = eighths % 8 === 0 ? '' : (' ▏▎▍▌▋▊▉'[eighths % 8] ?? '')
  const bar = (full + rest).padEnd(barPlaces, '░')
  return colour ? `\u001b[36m${bar}\u001b[39m` : bar
}

function lasting(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}

/** Runs work with a bar, and clears the bar however it ends. */
export async function withBar<T>(
  terminal: Terminal,
  options: BarOptions,
  work: (bar: Bar) => Promise<T>,
): Promise<T> {
  const bar = new Bar(terminal, options)
  try {
    return await work(bar)
  } finally {
    bar.end()
  }
}
