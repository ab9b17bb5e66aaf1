import type { IncomingMessage } from 'node:http'
import type { Code } from '../errors.ts'

/** The state of one request while it is handled. */
export type Visit = {
  readonly requestId: string
  /** Headers of the response, set as the request proceeds. */
  headers: Readonly<Record<string, string>> | undefined
  /** Fields that the route dropped, as pointers. */
  ignored?: readonly string[] | undefined
  /** The route's path pattern, never the path that was sent; undefined if rejected before routing. */
  route?: string
  realmId?: string
  /** The authenticated client; undefined when only the address is known. */
  client?: string | undefined
  /** Whether the look-up of its secret was delayed. */
  waited?: boolean
  /** Whether the connection closes after its response. */
  closes?: boolean
}

/** The outcome of a request, for metrics and logs. */
export type RequestOutcome = {
  readonly visit: Visit
  readonly method: string
  readonly status: number
  readonly tookMs: number
  /** Error codes: one for a request, many for a list of changes. */
  readonly refused: readonly Code[]
  /** The number of replays. */
  readonly replays: number
}

/** The trace of a request. */
export type Trail = {
  /** Runs work as a span of the trace. */
  within<T>(work: () => T): T
  end(answered: RequestOutcome): void
}

/** Observes requests: metrics, traces and logs. */
export type RequestWatch = {
  /** Undefined when tracing is off. */
  come(request: IncomingMessage): Trail | undefined
  answered(answered: RequestOutcome): void
}

export const noWatch: RequestWatch = { come: () => undefined, answered: () => {} }
