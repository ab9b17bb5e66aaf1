import type { Step } from '../ledger/journal/verify.ts'

const everyMs = 1_000

type Phase = { readonly what: Step['what']; readonly done: number; readonly atMs: number }

/** Prints the progress of a verification once a second, and finally its speed. */
export class Progress {
  readonly #say: (line: string) => void
  readonly #nowMs: () => number
  readonly #startedAtMs: number
  /** Entries of the previous realms. */
  #before = 0
  /** Entries of this realm. */
  #entries = 0

  constructor(say: (line: string) => void, nowMs: () => number) {
    this.#say = say
    this.#nowMs = nowMs
    this.#startedAtMs = nowMs()
  }

  /** Returns the callback for each step of the next realm. */
  of(realm: string): (step: Step) => void {
    this.#before += this.#entries
    this.#entries = 0
    let phase: Phase = { what: 'entries', done: 0, atMs: this.#nowMs() }
    let saidAtMs = phase.atMs
    return (step) => {
      const nowMs = this.#nowMs()
      if (step.what === 'entries') this.#entries = step.done
      // Entries and accounts differ in speed, so each has its own rate.
      if (step.what !== phase.what) phase = { what: step.what, done: step.done, atMs: nowMs }
      if (nowMs - saidAtMs < everyMs || nowMs === phase.atMs) return
      saidAtMs = nowMs
      this.#say(`${realm}: ${lineOf(step, (step.done - phase.done) / (nowMs - phase.atMs))}`)
    }
  }

  summary(): string {
    const seconds = (this.#nowMs() - this.#startedAtMs) / 1000
    const entries = this.#before + this.#entries
    const perSecond = Math.round(entries / Math.max(seconds, 0.001))
    return `${entries} entries in ${seconds.toFixed(1)} s, ${perSecond}/s`
  }
}

function lineOf({ what, done, of }: Step, perMs: number): string {
  const percent = of === 0 ? 100 : Math.floor((done / of) * 100)
  const left = perMs > 0 ? `${Math.ceil((of - done) / perMs / 1000)} s left` : 'time left unknown'
  return `${done} of ${of} ${what}, ${percent} %, ${Math.round(perMs * 1000)}/s, ${left}`
}
