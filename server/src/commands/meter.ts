const everyMs = 1_000
const barWidth = 30

export type MeterOptions = {
  readonly what: string
  /** The total, in any unit. */
  readonly of: number
  readonly say: (text: string) => void
  /** Whether lines can be overwritten. */
  readonly terminal: boolean
  readonly nowMs: () => number
}

/** Shows the progress of a long command once a second: a bar on a terminal, a line elsewhere. */
export class Meter {
  readonly #options: MeterOptions
  readonly #startedAtMs: number
  #saidAtMs: number
  #shown = false

  constructor(options: MeterOptions) {
    this.#options = options
    this.#startedAtMs = options.nowMs()
    this.#saidAtMs = this.#startedAtMs
  }

  /** `done` is in units of the total, `count` in rows. */
  at(done: number, count: number): void {
    const nowMs = this.#options.nowMs()
    if (nowMs - this.#saidAtMs < everyMs) return
    this.#saidAtMs = nowMs
    const { what, of, say, terminal } = this.#options
    const part = of === 0 ? 1 : Math.min(1, done / of)
    const ms = nowMs - this.#startedAtMs
    const left = part > 0 ? `${Math.ceil((ms / part - ms) / 1000)} s left` : 'time left unknown'
    const filled = Math.round(part * barWidth)
    const bar = terminal ? `[${'#'.repeat(filled)}${' '.repeat(barWidth - filled)}] ` : ''
    const rate = Math.round((count / ms) * 1000)
    const line = `${what}: ${bar}${Math.floor(part * 100)} %, ${count} rows, ${rate}/s, ${left}`
    say(terminal ? `\r\u001b[K${line}` : `${line}\n`)
    this.#shown = true
  }

  /** Clears the terminal's line. */
  end(): void {
    if (this.#shown && this.#options.terminal) this.#options.say('\r\u001b[K')
  }
}
