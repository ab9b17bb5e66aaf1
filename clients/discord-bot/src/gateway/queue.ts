import { setTimeout as sleep } from 'node:timers/promises'
import { ExchequerError } from '@exchequer/sdk'
import type { Log } from '../bot.ts'
import type { Activity } from './activity.ts'
import type { Losses } from './losses.ts'
import type { GatewaySettings } from './settings.ts'
import { nameOf, type Slots } from './slots.ts'

/** Some 200 bytes each. */
const waitingCap = 10_000
const atOnce = 8
const ageCapMs = 3_600_000
const firstPauseMs = 500
const longestPauseMs = 30_000

type Waiting = { readonly activity: Activity; readonly sinceMs: number }
type Parts = { readonly rules: GatewaySettings['rules']; readonly losses: Losses; readonly log: Log }

/** Rejected for good; any other error may be gone later. */
const isFinal = (error: unknown): boolean =>
  error instanceof ExchequerError && [400, 404, 422].includes(error.status)

/**
 * What waits for the points server: bounded, and in order for each member. A failure pauses all, and the same
 * award is sent again with the same key.
 */
export class AwardQueue {
  readonly #slots: Slots
  readonly #parts: Parts
  readonly #waiting = new Map<string, Waiting[]>()
  /** Who is next. */
  readonly #ready = new Set<string>()
  #size = 0
  #running = 0
  #failures = 0
  #pause: NodeJS.Timeout | undefined
  /** Since the start. */
  awarded = 0

  constructor(slots: Slots, parts: Parts) {
    this.#slots = slots
    this.#parts = parts
  }

  offer(activity: Activity): void {
    if (this.#slots.isOver(activity)) return
    const name = nameOf(activity)
    const waiting = this.#waiting.get(name) ?? []
    const { spacingMs = 0 } = this.#parts.rules[activity.kind] ?? {}
    const last = waiting.at(-1)?.activity
    if (last && activity.atMs < last.atMs + spacingMs) return
    if (this.#size >= waitingCap) {
      this.#parts.losses.add('because too many wait')
      return
    }
    waiting.push({ activity, sinceMs: Date.now() })
    this.#size += 1
    this.#waiting.set(name, waiting)
    if (waiting.length === 1) this.#ready.add(name)
    this.#next()
  }

  /** Waits until all is awarded, at most this long; what still waits is lost. */
  async finish(withinMs: number): Promise<void> {
    for (const endMs = Date.now() + withinMs; this.#size > 0 && Date.now() < endMs; ) await sleep(20)
    if (this.#size > 0) this.#parts.losses.add('because the gateway was stopped', this.#size)
    this.#parts.losses.flush()
  }

  #next(): void {
    while (!this.#pause && this.#running < atOnce) {
      const [name] = this.#ready
      if (name === undefined) return
      this.#ready.delete(name)
      this.#running += 1
      void this.#first(name).finally(() => {
        this.#running -= 1
        this.#next()
      })
    }
  }

  /** The first that waits of a member: done, lost, or tried again later. Never rejects. */
  async #first(name: string): Promise<void> {
    const waiting = this.#waiting.get(name) ?? []
    const [one] = waiting
    if (!one) return
    let isDone = true
    try {
      if ((await this.#slots.award(one.activity)) === 'awarded') this.awarded += 1
      this.#succeeded()
    } catch (error) {
      isDone = this.#failed(error, one)
    }
    if (isDone) {
      waiting.shift()
      this.#size -= 1
    }
    if (waiting.length > 0) this.#ready.add(name)
    else this.#waiting.delete(name)
  }

  #succeeded(): void {
    if (this.#failures > 0) this.#parts.log(`The points server responds again; ${this.#size} awards wait.`)
    this.#failures = 0
  }

  /** Whether it is lost. */
  #failed(error: unknown, { sinceMs }: Waiting): boolean {
    const { losses, log } = this.#parts
    const code = error instanceof ExchequerError ? error.code : 'internal'
    if (isFinal(error)) {
      losses.add(`rejected (${code})`)
      return true
    }
    if (this.#failures === 0) log(`Awards wait, and are sent again later: ${String(error)}`)
    if (!this.#pause) {
      const pauseMs = Math.min(firstPauseMs * 2 ** this.#failures, longestPauseMs)
      this.#failures = Math.min(this.#failures + 1, 10)
      this.#pause = setTimeout(() => {
        this.#pause = undefined
        this.#next()
      }, pauseMs)
    }
    if (Date.now() - sinceMs < ageCapMs) return false
    losses.add(`after an hour without the points server (${code})`)
    return true
  }
}
