/** When an event is tried again, and when an endpoint waits or is disabled. Pure: the time is passed in. */

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** The pause before each attempt after the first: 27.6 hours in all. */
const pausesMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour]

/** The first attempt and one after each pause. */
export const attemptCap = pausesMs.length + 1

const longestPauseMs = 10 * hour
const retryAfterCapMs = hour
/** In parallel mode an endpoint waits after as many failures in a row, or with as many parked events. */
const failureCap = 20
export const parkedCap = 100

const disabledAfterMs = 5 * day
const disabledAfterFailures = 10

/** How a delivery ended. */
export type Outcome = {
  /** Undefined when there was no response. */
  readonly status: number | undefined
  /** Why there was none. */
  readonly error: string | undefined
  /** As the receiver requested, with 429 or 503. */
  readonly retryAfterMs: number | undefined
}

export const isSuccess = ({ status }: Outcome): boolean =>
  status !== undefined && status >= 200 && status < 300

/** 410: the receiver wants no more events. */
export const isGone = ({ status }: Outcome): boolean => status === 410

/** How an endpoint is doing. */
export type Health = {
  readonly state: 'active' | 'waiting' | 'disabled'
  /** Attempts that failed since the last success. */
  readonly failures: number
  readonly failingSinceMs: number | null
  /** Failed attempts of what the endpoint waits for: one event in order, or a probe. */
  readonly attempt: number
  /** Nothing is sent before this time. */
  readonly nextAtMs: number | null
}

export const healthy: Health = {
  state: 'active',
  failures: 0,
  failingSinceMs: null,
  attempt: 0,
  nextAtMs: null,
}

/** The time of the attempt after this one; undefined when it was the last. */
export function nextAttemptMs(attempt: number, outcome: Outcome, nowMs: number): number | undefined {
  const pauseMs = pausesMs[attempt - 1]
  return pauseMs === undefined ? undefined : nowMs + pauseAfter(outcome, pauseMs)
}

const pauseAfter = ({ retryAfterMs }: Outcome, pauseMs: number): number =>
  retryAfterMs === undefined ? pauseMs : Math.max(pauseMs, Math.min(retryAfterMs, retryAfterCapMs))

export type Failure = {
  readonly outcome: Outcome
  readonly nowMs: number
  readonly ordered: boolean
  /** Events that are parked, with this one. */
  readonly parked: number
}

/** The health after a failed attempt. A success makes an endpoint `healthy` again, whatever it was. */
export function afterFailure(health: Health, { outcome, nowMs, ordered, parked }: Failure): Health {
  const failures = health.failures + 1
  const failingSinceMs = health.failingSinceMs ?? nowMs
  const isLost = nowMs - failingSinceMs >= disabledAfterMs && failures >= disabledAfterFailures
  if (isGone(outcome) || isLost)
    return { state: 'disabled', failures, failingSinceMs, attempt: 0, nextAtMs: null }
  const isWaiting = health.state === 'waiting' || failures >= failureCap || parked >= parkedCap
  if (!ordered && !isWaiting) return { ...health, failures, failingSinceMs }
  const attempt = health.attempt + 1
  const pauseMs = pausesMs[attempt - 1] ?? longestPauseMs
  const state = ordered ? (attempt >= attemptCap ? 'waiting' : 'active') : 'waiting'
  return { state, failures, failingSinceMs, attempt, nextAtMs: nowMs + pauseAfter(outcome, pauseMs) }
}

/** Retry-After: seconds, or a date. */
export function retryAfterOf(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * second
  const atMs = Date.parse(header)
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}
