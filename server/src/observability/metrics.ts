import { release } from '../config/release.ts'
import { type Counter, type Family, type Histogram, Registry } from './registry.ts'

/** In seconds: a single write takes a few milliseconds, a deadline is a few seconds. */
const secondBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Commands in one transaction: at most 512. */
const commandBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

/** All metrics that are counted as events happen. Those read on a scrape are in gauges.ts. */
export class Metrics {
  readonly registry = new Registry()
  readonly requests: Family<Counter>
  readonly durations: Family<Histogram>
  readonly refusals: Family<Counter>
  readonly replays: Counter
  readonly batches: Family<Counter>
  readonly batchCommands: Family<Histogram>
  readonly batchDurations: Family<Histogram>
  readonly lostCommits: Family<Counter>
  readonly connectionsRefused: Counter
  readonly loopDelays: Histogram

  constructor() {
    const { registry } = this
    this.requests = registry.counter('exchequer_http_requests_total', 'Requests that were answered.', [
      'method',
      'route',
      'status',
    ])
    this.durations = registry.histogram(
      'exchequer_http_request_duration_seconds',
      'Time from the headers of a request to the end of its answer.',
      { bounds: secondBounds, labels: ['route'] },
    )
    this.refusals = registry.counter('exchequer_refusals_total', 'Refusals, by their code.', ['code'])
    this.replays = registry
      .counter('exchequer_replays_total', 'Retries that were answered with the result of the first one.')
      .of()
    this.batches = registry.counter(
      'exchequer_batches_total',
      'Transactions of the lanes, by path (optimistic or pessimistic) and how they ended.',
      ['path', 'end'],
    )
    this.batchCommands = registry.histogram('exchequer_batch_commands', 'Commands in one transaction.', {
      bounds: commandBounds,
      labels: ['path'],
    })
    this.batchDurations = registry.histogram(
      'exchequer_batch_duration_seconds',
      'Time from sending a transaction to its end.',
      { bounds: secondBounds, labels: ['path'] },
    )
    this.lostCommits = registry.counter(
      'exchequer_lost_commits_total',
      'Commits without an answer, by the outcome found: done, undone, or unknown.',
      ['found'],
    )
    this.connectionsRefused = registry
      .counter('exchequer_connections_refused_total', 'Connections that were closed at once.')
      .of()
    this.loopDelays = registry
      .histogram('exchequer_event_loop_delay_seconds', 'Delay of a timer, twenty times a second.', {
        bounds: secondBounds,
      })
      .of()
    registry.gauge('exchequer_build_info', 'Always 1: which release this is.', ['version']).of(release).add()
    // Created at the start, so that the first event is a change that a rate can see.
    for (const found of ['done', 'undone', 'unknown']) this.lostCommits.of(found)
    for (const code of ['internal_error', 'outcome_unknown', 'overloaded', 'unavailable', 'rate_limited'])
      this.refusals.of(code)
  }
}
