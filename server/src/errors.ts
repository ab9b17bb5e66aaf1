/**
 * The catalogue of errors: each code with its status and title. The API returns no other error.
 */
export const catalogue = {
  invalid_request: { status: 400, title: 'Invalid request' },
  unauthorized: { status: 401, title: 'Unauthorized' },
  forbidden: { status: 403, title: 'Forbidden' },
  insufficient_scope: { status: 403, title: 'Insufficient scope' },
  link_not_valid: { status: 403, title: 'Link not valid' },
  realm_suspended: { status: 403, title: 'Realm suspended' },
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
  award_not_found: { status: 404, title: 'Award not found' },
  hold_not_found: { status: 404, title: 'Hold not found' },
  identity_not_found: { status: 404, title: 'Identity not found' },
  wallet_not_found: { status: 404, title: 'Wallet not found' },
  collection_not_found: { status: 404, title: 'Collection not found' },
  snapshot_not_found: { status: 404, title: 'Snapshot not found' },
  merge_not_found: { status: 404, title: 'Merge not found' },
  webhook_not_found: { status: 404, title: 'Webhook not found' },
  link_not_found: { status: 404, title: 'Link not found' },
  route_not_found: { status: 404, title: 'Route not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  request_timeout: { status: 408, title: 'Request timeout' },
  request_in_progress: { status: 409, title: 'Request in progress' },
  already_exists: { status: 409, title: 'Already exists' },
  member_has_holds: { status: 409, title: 'Member has holds' },
  member_claimed: { status: 409, title: 'Member claimed' },
  already_merged: { status: 409, title: 'Already merged' },
  merge_ended: { status: 409, title: 'Merge ended' },
  cursor_expired: { status: 410, title: 'Cursor expired' },
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
  lapse_rule_not_found: { status: 404, title: 'Lapse rule not found' },
  point_limit: { status: 422, title: 'Point limit' },
  already_reversed: { status: 422, title: 'Already reversed' },
  not_reversible: { status: 422, title: 'Not reversible' },
  award_ended: { status: 422, title: 'Award ended' },
  hold_ended: { status: 422, title: 'Hold ended' },
  identity_limit: { status: 422, title: 'Identity limit' },
  key_limit: { status: 422, title: 'Key limit' },
  invitation_limit: { status: 422, title: 'Invitation limit' },
  empty_snapshot: { status: 422, title: 'Empty snapshot' },
  snapshot_limit: { status: 422, title: 'Snapshot limit' },
  snapshot_claimable: { status: 422, title: 'Snapshot claimable' },
  webhook_limit: { status: 422, title: 'Webhook limit' },
  replay_running: { status: 422, title: 'Replay running' },
  nothing_to_skip: { status: 422, title: 'Nothing to skip' },
  merge_limit: { status: 422, title: 'Too many merged members' },
  proof_refused: { status: 422, title: 'Proof refused' },
  idempotency_key_reused: { status: 422, title: 'Idempotency key reused' },
  rate_limited: { status: 429, title: 'Rate limited' },
  headers_too_large: { status: 431, title: 'Headers too large' },
  internal_error: { status: 500, title: 'Internal error' },
  overloaded: { status: 503, title: 'Overloaded' },
  unavailable: { status: 503, title: 'Unavailable' },
  wrong_cell: { status: 503, title: 'Wrong cell' },
  chain_unavailable: { status: 503, title: 'Chain unavailable' },
  outcome_unknown: { status: 503, title: 'Outcome unknown' },
} as const satisfies Record<string, { status: number; title: string }>

export type Code = keyof typeof catalogue

/**
 * An invalid part of a request. `pointer` is a JSON pointer into the body, or `path:`, `query:` or `header:`
 * and a name.
 */
export type Fault = {
  readonly pointer: string
  readonly detail: string
  /** A machine-readable code; `invalid_value` when omitted. */
  readonly code?: string
}

/** Machine-readable facts of an error. `detail` has the same for people. */
export type Facts = {
  readonly balance?: number
  readonly required?: number
  readonly limit?: number
  readonly resetAt?: string
  readonly index?: number
  readonly transactionId?: string
  readonly reason?: string
}

/** An error response as a value. `detail` says what is wrong and what to do. */
export type Refusal = {
  readonly code: Code
  readonly detail: string
  readonly faults?: readonly Fault[]
  readonly facts?: Facts
  /** Headers of the response that belong to this error, such as Allow. */
  readonly headers?: Readonly<Record<string, string>>
  /** Until when its Idempotency-Key gets this response again, in RFC 3339. */
  readonly rememberedUntil?: string
  /** For an atomic list: the error of the change at `facts.index`. */
  readonly error?: { readonly status: number; readonly code: Code; readonly detail: string }
}

/** Carries a refusal to the handler. It is an expected outcome, never logged as an error. */
export class RefusalError extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal, cause?: unknown) {
    super(refusal.detail, { cause })
    this.refusal = refusal
  }
}

export function refuse(code: Code, detail: string, facts?: Facts): RefusalError {
  return new RefusalError({ code, detail, ...(facts ? { facts } : {}) })
}

export function invalid(pointer: string, detail: string): RefusalError {
  return invalidAt([{ pointer, detail }])
}

/** A 400 with all errors; its `detail` is the first of them, with its pointer. */
export function invalidAt(faults: readonly Fault[]): RefusalError {
  const [{ pointer, detail } = { pointer: '', detail: 'The request is invalid.' }] = faults
  const lower = detail.slice(0, 1).toLowerCase() + detail.slice(1)
  return new RefusalError({
    code: 'invalid_request',
    detail: pointer === '' ? detail : `${pointer}: ${lower}`,
    faults,
  })
}

/** A refusal that its Idempotency-Key gets again until then. */
export function rememberedUntil(refusal: Refusal, until: string): Refusal {
  const note = `This response is stored until ${until}. Send a new Idempotency-Key to try again.`
  return { ...refusal, detail: `${refusal.detail} ${note}`, rememberedUntil: until }
}

/** A realm that the operator has suspended: reads go on. Not remembered under its Idempotency-Key. */
export const realmSuspended = (reason: string): Refusal => ({
  code: 'realm_suspended',
  detail: `The realm is suspended and can only be read. The operator’s reason: ${reason}`,
})

const tryAgain = { 'retry-after': '1' }

/** A chain could not be read, or not yet. */
export function chainUnavailable(detail: string, cause?: unknown): RefusalError {
  return new RefusalError({ code: 'chain_unavailable', detail, headers: { 'retry-after': '5' } }, cause)
}

export const unavailable: Refusal = {
  code: 'unavailable',
  detail: 'The database could not be reached. Nothing was changed; try again.',
  headers: tryAgain,
}

/** The realm has no head in this cell's database: it has moved, or moves now. */
export const wrongCell: Refusal = {
  code: 'wrong_cell',
  detail: 'This realm is not on this server now. Nothing was changed; try again.',
  headers: tryAgain,
}

/** Entries of the realm are being copied to another cell: none of their details may be erased meanwhile. */
export const realmMoving: Refusal = {
  code: 'unavailable',
  detail:
    'The realm is being moved to another server, and no member can be erased until it has arrived. ' +
    'Nothing of this member is lost or left out; send the request again later to complete it.',
  headers: { 'retry-after': '60' },
}

/** An entry's time never changes, so the server writes no entry rather than one with a wrong time. */
export const clocksApart: Refusal = {
  code: 'unavailable',
  detail:
    'The clocks of the server and its database differ by more than a minute. Nothing was changed; ' +
    'the operator must correct them.',
  headers: { 'retry-after': '5' },
}

export const overloaded: Refusal = {
  code: 'overloaded',
  detail: 'The server is overloaded. Nothing was changed; try again.',
  headers: tryAgain,
}

export const outcomeUnknown: Refusal = {
  code: 'outcome_unknown',
  detail:
    'The connection to the database was lost while it committed. The change may or may not have happened; ' +
    'retry with the same Idempotency-Key to find out.',
  headers: tryAgain,
}
