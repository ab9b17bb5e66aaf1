import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import type { Histogram } from 'prom-client'
import type { RequestOutcome, RequestWatch, Trail } from '../http/visit.ts'
import type { Metrics, RequestCount } from './metrics.ts'
import type { TopRealms } from './topRealms.ts'
import type { Tracing } from './tracing.ts'

/** A request that takes longer is logged. */
const slowMs = 1_000
/** Log lines about single requests per second; beyond it only the metrics count them. */
const linesPerSecond = 20

const methods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'QUERY',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
])
/** For requests that were rejected before routing, or matched no route. */
const noRoute = 'none'

export type RequestsOptions = {
  readonly metrics: Metrics
  readonly tracing: Tracing | undefined
  readonly log: Logger
  readonly top: TopRealms
}

/** The metrics of one route and method. */
type Counted = {
  readonly duration: Histogram.Internal<'route'>
  readonly byStatus: Map<number, RequestCount>
}

/** Counts and traces requests, and logs slow ones and those with an unknown outcome. */
export class Requests implements RequestWatch {
  readonly #metrics: Metrics
  readonly #tracing: Tracing | undefined
  readonly #log: Logger
  readonly #isDebug: boolean
  readonly #top: TopRealms
  readonly #counted = new Map<string, Map<string, Counted>>()
  #second = 0
  #lines = 0

  constructor({ metrics, tracing, log, top }: RequestsOptions) {
    this.#top = top
    this.#metrics = metrics
    this.#tracing = tracing
    this.#log = log
    this.#isDebug = log.isLevelEnabled('debug')
  }

  come(request: IncomingMessage): Trail | undefined {
    return this.#tracing?.request(request)
  }

  answered(answered: RequestOutcome): void {
    const { visit, method, status, tookMs, refused, replays } = answered
    const { duration, byStatus } = this.#countedOf(visit.route ?? noRoute, method)
    duration.observe(tookMs / 1000)
    const known = byStatus.get(status)
    if (known) known.count += 1
    else this.#newStatus(answered, byStatus)
    if (visit.realmId !== undefined) this.#top.count(visit.realmId, answered)
    for (const code of refused) this.#metrics.refusals.inc({ code })
    if (replays > 0) this.#metrics.replays.inc(replays)
    if (this.#isDebug) this.#log.debug(fieldsOf(answered), 'answered')
    else if (tookMs > slowMs || refused.includes('outcome_unknown')) this.#warn(answered)
  }

  #countedOf(route: string, method: string): Counted {
    const known = this.#counted.get(route)?.get(method)
    if (known) return known
    const counted: Counted = { duration: this.#metrics.durations.labels(route), byStatus: new Map() }
    // A made-up method is counted, but not remembered.
    if (!methods.has(method)) return counted
    const ofRoute = this.#counted.get(route) ?? new Map<string, Counted>()
    this.#counted.set(route, ofRoute.set(method, counted))
    return counted
  }

  #newStatus({ visit, method, status }: RequestOutcome, byStatus: Counted['byStatus']): void {
    const labels = { method, route: visit.route ?? noRoute, status: String(status) }
    if (!methods.has(method)) {
      this.#metrics.requests.inc({ ...labels, method: 'other' })
      return
    }
    const counted = { labels, count: 1 }
    this.#metrics.requestCounts.push(counted)
    byStatus.set(status, counted)
  }

  #warn(answered: RequestOutcome): void {
    const second = Math.floor(performance.now() / 1000)
    if (second !== this.#second) this.#lines = 0
    this.#second = second
    this.#lines += 1
    if (this.#lines > linesPerSecond) return
    const words = answered.refused.includes('outcome_unknown') ? 'an outcome is unknown' : 'a slow request'
    this.#log.warn(fieldsOf(answered), words)
  }
}

/** No client input: no path, no query, no header. */
function fieldsOf({ visit, method, status, tookMs, refused }: RequestOutcome): object {
  return {
    requestId: visit.requestId,
    method: methods.has(method) ? method : 'other',
    route: visit.route ?? noRoute,
    ...(visit.realmId === undefined ? {} : { realm: visit.realmId }),
    status,
    ...(refused[0] === undefined ? {} : { code: refused[0] }),
    ms: Math.round(tookMs * 10) / 10,
  }
}
