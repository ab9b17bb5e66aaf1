import { RefusalError } from '../../errors.ts'
import { readDue } from './deliveryStore.ts'
import type { At } from './endpointStore.ts'
import { LeaseLost } from './leasedEndpoint.ts'
import { Run, type RunOptions } from './run.ts'

/** Events of other processes are found within this time. */
export const lookEverySeconds = 2
/** However often this process writes. */
const lookSpacingMs = 100
/** Endpoints that one process serves at once. */
const runCap = 64
/** Realms whose writes are noticed at once; more are found by the regular look. */
const realmCap = 10_000
/** How long deliveries that are under way may take when the process stops. */
const graceMs = 1_000

export type DispatcherOptions = RunOptions & {
  readonly onFault: (error: unknown, at?: At) => void
  /** Called after each successful look. */
  readonly onLooked?: (() => void) | undefined
}

/**
 * Finds endpoints with something to send, and runs them. Every process does: a lease makes sure that one at a
 * time serves an endpoint.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #timer: NodeJS.Timeout
  readonly #runs = new Map<string, { readonly run: Run; readonly ended: Promise<void> }>()
  /** The endpoints that this process has served, by realm. */
  readonly #served = new Map<number, Map<number, Run | undefined>>()
  #looking: Promise<void> | undefined
  #soon: NodeJS.Timeout | undefined
  #lookedAtMs = Number.NEGATIVE_INFINITY
  #isClosed = false

  constructor(options: DispatcherOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.#look(), lookEverySeconds * 1000).unref()
  }

  /** A realm has new entries. Called for every batch of writes: it only wakes others. */
  written(realm: number): void {
    const endpoints = this.#served.get(realm)
    if (!endpoints) return
    for (const run of endpoints.values()) {
      if (run) run.wake()
      else this.lookSoon()
    }
  }

  /** An endpoint has something to send, as a client changed it. */
  changed({ realm, number }: At): void {
    this.#remember({ realm, number }, this.#served.get(realm)?.get(number))
    this.lookSoon()
  }

  lookSoon(): void {
    if (this.#isClosed) return
    const inMs = Math.max(0, this.#lookedAtMs + lookSpacingMs - performance.now())
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined
      this.#look()
    }, inMs).unref()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    clearTimeout(this.#soon)
    await this.#looking
    for (const { run } of this.#runs.values()) run.close(graceMs)
    this.#options.pacing.release()
    await Promise.all([...this.#runs.values()].map(({ ended }) => ended))
  }

  #look(): void {
    this.#lookedAtMs = performance.now()
    this.#looking ??= this.#findDue()
      .then(() => this.#options.onLooked?.())
      .catch((error: unknown) => this.#report(error))
      .finally(() => {
        this.#looking = undefined
      })
  }

  async #findDue(): Promise<void> {
    const free = runCap - this.#runs.size
    if (free <= 0 || this.#isClosed) return
    const { db, now } = this.#options
    for (const at of await readDue(db, new Date(now()), free)) this.#begin(at)
  }

  #begin(at: At): void {
    const name = `${at.realm}/${at.number}`
    if (this.#isClosed || this.#runs.has(name)) return
    const { pacing } = this.#options
    const run = new Run(this.#options, at)
    pacing.enter()
    this.#remember(at, run)
    const ended = run
      .run()
      .catch((error: unknown) => this.#report(error, at))
      .finally(() => {
        pacing.leave()
        this.#runs.delete(name)
        this.#remember(at, undefined)
      })
    this.#runs.set(name, { run, ended })
  }

  #remember({ realm, number }: At, run: Run | undefined): void {
    if (this.#served.size >= realmCap && !this.#served.has(realm)) this.#served.clear()
    const endpoints = this.#served.get(realm) ?? new Map<number, Run | undefined>()
    this.#served.set(realm, endpoints.set(number, run))
  }

  #report(error: unknown, at?: At): void {
    // The lanes log an unreachable database. A lease is lost whenever an endpoint is changed.
    if (error instanceof LeaseLost) this.lookSoon()
    else if (!(error instanceof RefusalError)) this.#options.onFault(error, at)
  }
}
