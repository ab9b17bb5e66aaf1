import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { release } from '../config/release.ts'

/** In seconds: a single write takes a few milliseconds, a deadline is a few seconds. */
const secondBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** In seconds: what follows a write takes from a tenth of a second to a minute, and days when it is stuck. */
const delayBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600]
/** Commands in one transaction: at most 512. */
const commandBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

/** Requests with these labels since the last scrape. */
export type RequestCount = {
  readonly labels: Readonly<Record<'method' | 'route' | 'status', string>>
  count: number
}

/** All metrics that are counted as events happen. Those read on a scrape are in gauges.ts. */
export class Metrics {
  readonly registry = new Registry()
  /** Every metric is in this registry alone: the library's own is shared by all servers of a process. */
  readonly #registers = [this.registry]
  /** The library joins all labels on each call, which is half the cost of a request: a scrape calls it. */
  readonly requestCounts: RequestCount[] = []
  readonly requests = new Counter({
    name: 'exchequer_http_requests_total',
    help: 'Requests that were answered.',
    labelNames: ['method', 'route', 'status'],
    registers: this.#registers,
    collect: () => {
      for (const one of this.requestCounts) {
        this.requests.inc(one.labels, one.count)
        one.count = 0
      }
    },
  })
  readonly durations = new Histogram({
    name: 'exchequer_http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its answer.',
    labelNames: ['route'],
    buckets: secondBuckets,
    registers: this.#registers,
  })
  readonly refusals = new Counter({
    name: 'exchequer_refusals_total',
    help: 'Refusals, by their code.',
    labelNames: ['code'],
    registers: this.#registers,
  })
  readonly replays = new Counter({
    name: 'exchequer_replays_total',
    help: 'Retries that were answered with the result of the first one.',
    registers: this.#registers,
  })
  readonly batches = new Counter({
    name: 'exchequer_batches_total',
    help: 'Transactions of the lanes, by path (optimistic or pessimistic) and how they ended.',
    labelNames: ['path', 'end'],
    registers: this.#registers,
  })
  readonly batchCommands = new Histogram({
    name: 'exchequer_batch_commands',
    help: 'Commands in one transaction.',
    labelNames: ['path'],
    buckets: commandBuckets,
    registers: this.#registers,
  })
  readonly batchDurations = new Histogram({
    name: 'exchequer_batch_duration_seconds',
    help: 'Time from sending a transaction to its end.',
    labelNames: ['path'],
    buckets: secondBuckets,
    registers: this.#registers,
  })
  readonly lostCommits = new Counter({
    name: 'exchequer_lost_commits_total',
    help: 'Commits without an answer, by the outcome found: done, undone, or unknown.',
    labelNames: ['found'],
    registers: this.#registers,
  })
  readonly leaderboardDelays = new Histogram({
    name: 'exchequer_leaderboard_delay_seconds',
    help: 'Time from when a realm’s leaderboards were due to when they included its entries.',
    buckets: delayBuckets,
    registers: this.#registers,
  })
  readonly deliveryDelays = new Histogram({
    name: 'exchequer_delivery_delay_seconds',
    help: 'Time from an event to its first attempt, of webhooks whose receiver did not fail meanwhile.',
    buckets: delayBuckets,
    registers: this.#registers,
  })
  readonly connectionsRefused = new Counter({
    name: 'exchequer_connections_refused_total',
    help: 'Connections that were closed at once.',
    registers: this.#registers,
  })
  readonly loopDelays = new Histogram({
    name: 'exchequer_event_loop_delay_seconds',
    help: 'Delay of a timer, twenty times a second.',
    buckets: secondBuckets,
    registers: this.#registers,
  })

  readonly #cell: Gauge

  constructor() {
    const build = new Gauge({
      name: 'exchequer_build_info',
      help: 'Always 1: which release this is.',
      labelNames: ['version'],
      registers: this.#registers,
    })
    build.set({ version: release }, 1)
    this.#cell = new Gauge({
      name: 'exchequer_cell_info',
      help: 'Always 1: which cell this process serves.',
      labelNames: ['cell'],
      registers: this.#registers,
    })
    // Created at the start, so that the first event is a change that a rate can see.
    for (const found of ['done', 'undone', 'unknown']) this.lostCommits.inc({ found }, 0)
    for (const code of ['internal_error', 'outcome_unknown', 'overloaded', 'unavailable', 'rate_limited'])
      this.refusals.inc({ code }, 0)
    for (const path of ['optimistic', 'pessimistic']) {
      this.batchCommands.zero({ path })
      this.batchDurations.zero({ path })
    }
  }

  inCell(cell: number): void {
    this.#cell.set({ cell: String(cell) }, 1)
  }
}
