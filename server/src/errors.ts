/**
 * The catalogue of refusals: each code with its status and title. Nothing else is ever answered as an error.
 */
export const catalogue = {
  invalid_request: { status: 400, title: 'Invalid request' },
  unauthorized: { status: 401, title: 'Unauthorized' },
  forbidden: { status: 403, title: 'Forbidden' },
  insufficient_scope: { status: 403, title: 'Insufficient scope' },
  link_not_valid: { status: 403, title: 'Link not valid' },
  member_not_found: { status: 404, title: 'Member not found' },
  recipient_not_found: { status: 404, title: 'Recipient not found' },
  point_not_found: { status: 404, title: 'Point not found' },
  realm_not_found: { status: 404, title: 'Realm not found' },
  key_not_found: { status: 404, title: 'Key not found' },
  token_not_found: { status: 404, title: 'Token not found' },
  person_not_found: { status: 404, title: 'Person not found' },
  invitation_not_found: { status: 404, title: 'Invitation not found' },
  not_set_up: { status: 404, title: 'Not set up' },
  entry_not_found: { status: 404, title: 'Entry not found' },
  hold_not_found: { status: 404, title: 'Hold not found' },
  wallet_not_found: { status: 404, title: 'Wallet not found' },
  collection_not_found: { status: 404, title: 'Collection not found' },
  snapshot_not_found: { status: 404, title: 'Snapshot not found' },
  link_not_found: { status: 404, title: 'Link not found' },
  route_not_found: { status: 404, title: 'Route not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  request_timeout: { status: 408, title: 'Request timeout' },
  request_in_progress: { status: 409, title: 'Request in progress' },
  already_exists: { status: 409, title: 'Already exists' },
  precondition_failed: { status: 412, title: 'Precondition failed' },
  body_too_large: { status: 413, title: 'Body too large' },
  uri_too_long: { status: 414, title: 'URI too long' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  insufficient_points: { status: 422, title: 'Insufficient points' },
  balance_limit: { status: 422, title: 'Balance limit' },
  changes_refused: { status: 422, title: 'Changes refused' },
  same_member: { status: 422, title: 'Same member' },
  member_frozen: { status: 422, title: 'Member frozen' },
  not_transferable: { status: 422, title: 'Not transferable' },
  transfer_limit: { status: 422, title: 'Transfer limit' },
  daily_limit: { status: 422, title: 'Daily limit' },
  member_has_points: { status: 422, title: 'Member has points' },
  default_point: { status: 422, title: 'Default point' },
  point_limit: { status: 422, title: 'Point limit' },
  already_reversed: { status: 422, title: 'Already reversed' },
  not_reversible: { status: 422, title: 'Not reversible' },
  hold_ended: { status: 422, title: 'Hold ended' },
  key_limit: { status: 422, title: 'Key limit' },
  invitation_limit: { status: 422, title: 'Invitation limit' },
  empty_snapshot: { status: 422, title: 'Empty snapshot' },
  snapshot_limit: { status: 422, title: 'Snapshot limit' },
  snapshot_claimable: { status: 422, title: 'Snapshot claimable' },
  proof_refused: { status: 422, title: 'Proof refused' },
  idempotency_key_reused: { status: 422, title: 'Idempotency key reused' },
  rate_limited: { status: 429, title: 'Rate limited' },
  headers_too_large: { status: 431, title: 'Headers too large' },
  internal_error: { status: 500, title: 'Internal error' },
  overloaded: { status: 503, title: 'Overloaded' },
  unavailable: { status: 503, title: 'Unavailable' },
  chain_unavailable: { status: 503, title: 'Chain unavailable' },
  outcome_unknown: { status: 503, title: 'Outcome unknown' },
} as const satisfies Record<string, { status: number; title: string }>

export type Code = keyof typeof catalogue

/**
 * Where in a request something is wrong: a JSON pointer into the body, or `path:`, `query:`, `header:` and a
 * name.
 */
export type Fault = {
  readonly pointer: string
  readonly detail: string
  /** What is wrong, for a program; `invalid_value` when left out. */
  readonly code?: string
}

/** What a refusal is about, for a program: `detail` says the same to a person. */
export type Facts = {
  readonly balance?: number
  readonly required?: number
  readonly limit?: number
  readonly resetAt?: string
  readonly index?: number
  readonly transactionId?: string
}

/** A refusal as a value: what is told to the caller. `detail` says what is wrong and what to do. */
export type Refusal = {
  readonly code: Code
  readonly detail: string
  readonly faults?: readonly Fault[]
  readonly facts?: Facts
  /** Headers of the answer that belong to this refusal, such as Allow. */
  readonly headers?: Readonly<Record<string, string>>
  /** Until when its Idempotency-Key is answered with it again, in RFC 3339. */
  readonly rememberedUntil?: string
  /** Of a list that happens all or none: why the one that `facts.index` counts is refused. */
  readonly error?: { readonly status: number; readonly code: Code; readonly detail: string }
}

/** A refusal on its way to the door. A refusal is not a fault of ours: it is never logged as an error. */
export class Refused extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal, cause?: unknown) {
    super(refusal.detail, { cause })
    this.refusal = refusal
  }
}

export function refuse(code: Code, detail: string, facts?: Facts): Refused {
  return new Refused({ code, detail, ...(facts ? { facts } : {}) })
}

export function invalid(pointer: string, detail: string): Refused {
  return invalidAt([{ pointer, detail }])
}

/** A 400 with all that is wrong; its `detail` is the first of them, with its place. */
export function invalidAt(faults: readonly Fault[]): Refused {
  const [{ pointer, detail } = { pointer: '', detail: 'Not as described.' }] = faults
  const lower = detail.slice(0, 1).toLowerCase() + detail.slice(1)
  return new Refused({
    code: 'invalid_request',
    detail: pointer === '' ? detail : `${pointer}: ${lower}`,
    faults,
  })
}

/** A refusal that its Idempotency-Key is answered with again until then. */
export function rememberedUntil(refusal: Refusal, until: string): Refusal {
  const note = `This answer is kept until ${until}: send a new Idempotency-Key to try again.`
  return { ...refusal, detail: `${refusal.detail} ${note}`, rememberedUntil: until }
}

const tryAgain = { 'retry-after': '1' }

/** A chain could not be asked, or not yet. */
export function chainUnavailable(detail: string, cause?: unknown): Refused {
  return new Refused({ code: 'chain_unavailable', detail, headers: { 'retry-after': '5' } }, cause)
}

export const unavailable: Refusal = {
  code: 'unavailable',
  detail: 'The database could not be reached. Nothing was changed; try again.',
  headers: tryAgain,
}

/** The time of an entry stays as it is: rather none than a wrong one. */
export const clocksApart: Refusal = {
  code: 'unavailable',
  detail:
    'The clocks of the server and of its database differ by more than a minute. Nothing was changed; ' +
    'the operator must correct them.',
  headers: { 'retry-after': '5' },
}

export const overloaded: Refusal = {
  code: 'overloaded',
  detail: 'More is waiting than can be answered in time. Nothing was changed; try again.',
  headers: tryAgain,
}

export const outcomeUnknown: Refusal = {
  code: 'outcome_unknown',
  detail:
    'The connection to the database was lost while it committed. The change may or may not have happened; ' +
    'the same request with the same Idempotency-Key settles it.',
  headers: tryAgain,
}
