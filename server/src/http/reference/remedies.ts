import type { Code } from '../../errors.ts'

/** What a client developer does about each error. docs/errors.md is generated from it. */
export const remedies: Readonly<Record<Code, string>> = {
  invalid_request:
    'Fix the request: `errors` lists every invalid field and what is expected there. Retrying without a ' +
    'change fails again.',
  unauthorized:
    'Send the key as `Authorization: Bearer …`. If it was sent, it is mistyped, expired or revoked, or the ' +
    'server no longer has the secret in `KEY_SECRETS` that the key was created with.',
  forbidden: 'The key belongs to another realm. Check the realm id in the path, or use that realm’s key.',
  insufficient_scope: 'Use a key that has the scope named in `detail`.',
  realm_suspended:
    'Ask the operator of the server: `detail` has the reason. Reads still work. This error is not ' +
    'remembered: retry with the same `Idempotency-Key` once the realm is resumed.',
  link_not_valid: 'A one-time link works once and expires. Ask the sender for a new one.',
  member_not_found:
    'Create the member first, or check the id: a client that stores ids as numbers rounds them. If your ' +
    'bots do not register members, set the realm’s `unknownMembers` to `"create"`. This error is not ' +
    'remembered: retry with the same `Idempotency-Key` once the member exists.',
  recipient_not_found: 'See `member_not_found`; this is about the recipient.',
  point_not_found:
    'Omit `realmPointId` for the realm’s default, or use one that `GET …/points` lists. This error is not ' +
    'remembered.',
  realm_not_found: 'Check the id, or create the realm.',
  key_not_found: 'Use the key’s id from the list of keys, not the key itself.',
  token_not_found: 'Use the token’s id from the list of tokens.',
  person_not_found: 'Check the id against the list of people.',
  invitation_not_found: 'It was accepted or revoked, or has expired. Invite the person again.',
  not_set_up:
    'The server is not configured for this. `detail` says what is missing, and what to use instead.',
  entry_not_found:
    'A `transactionId` belongs to the realm that returned it. After a restore it may no longer exist.',
  award_not_found: 'An `awardId` belongs to the realm that returned it.',
  hold_not_found: 'A `holdId` belongs to the realm that returned it.',
  identity_not_found:
    'The member does not have this identity. `GET …/members/{memberID}/identities` lists those it has.',
  wallet_not_found:
    'The wallet is not linked to this member. `GET …/web3/members/{memberID}` lists linked wallets.',
  collection_not_found: 'Check the id: `GET …/web3/collections` lists the realm’s collections.',
  webhook_not_found: 'List the realm’s webhooks with `GET …/webhooks`: it was deleted, or the id is wrong.',
  snapshot_not_found: 'List the realm’s snapshots; ids are case-sensitive.',
  link_not_found:
    'A link to the wallet page works once, for 15 minutes. Create a new one: `POST …/wallets/links`.',
  route_not_found: 'Check the path: `/docs` on the server lists every route.',
  method_not_allowed: 'Use one of the methods in the `Allow` header.',
  request_timeout: 'Retry, and send the request faster. A proxy that buffers requests helps.',
  request_in_progress:
    'A request with the same `Idempotency-Key` is being processed. Retry after `Retry-After` to get its ' +
    'response. If this error persists, a server stopped meanwhile: check whether the change happened, and ' +
    'use a new key to do it again.',
  already_exists: 'Use the existing object, or choose another id.',
  cursor_expired:
    'Begin without a cursor. Then read every realm’s journal from your last `seq`; after a failover or a ' +
    'restore, first compare the hash of that entry with yours.',
  precondition_failed:
    'Read the member again and decide again: its points have changed since. For a resource without an ' +
    '`ETag`, omit `If-Match`.',
  body_too_large: 'Split the request: a batch has at most 1,000 entries, and an import can be sent in parts.',
  uri_too_long: 'Send the list in a body: `POST …/members/includes`.',
  unsupported_media_type: 'Send `Content-Type: application/json`, or for an import one of its media types.',
  insufficient_points:
    'Request at most `balance`, or award the member points first. Held points do not count. Nothing was ' +
    'changed.',
  balance_limit:
    'Add less, so that the balance stays within `limit`, or raise `maxBalance` of the point type.',
  changes_refused:
    '`index` is the rejected change, counted from 0, and `error` gives the reason. Fix or remove it, and ' +
    'send the list with a new key. No change of the list was applied.',
  same_member: 'Choose another member as the recipient. Nothing was changed.',
  member_frozen:
    'If appropriate, ask a manager of the realm to unfreeze the member. Until then its points can’t be ' +
    'spent.',
  not_transferable: 'Use another point type, or make this one `transferable`.',
  transfer_limit: 'Transfer at most `limit` at once, or raise `maxPerTransfer` of the point type.',
  daily_limit:
    'Retry after `resetAt`, when the day ends in the realm’s time zone, or raise `maxPerDay` of the point ' +
    'type.',
  merge_not_found: 'List the realm’s merges and use one of their numbers.',
  member_has_holds: 'End the holds and pending awards of both members, then merge them.',
  member_claimed:
    'Check with a dry run that both are the same person. Then send `"force": true`, with a key that has ' +
    '`realm:admin`.',
  already_merged: 'Use the id of the member that it was merged into.',
  merge_ended: 'Read the merge. Undo merges in the reverse order.',
  merge_limit: 'Keep the members apart, or transfer the points instead.',
  member_has_points: 'Deduct the member’s points, end its holds and cancel its awards first.',
  default_point: 'The default point type can’t be archived. Make another one the default first.',
  lapse_rule_not_found: 'Nothing has to be removed: points of this type do not lapse.',
  point_limit: 'Use an existing point type. A realm has at most 200, including archived ones.',
  already_reversed: 'No action needed: `transactionId` is the entry that reversed it.',
  not_reversible:
    'A reversal can’t be reversed, and a hold ends by capture or release. Post a new change instead.',
  award_ended:
    'The award was granted or cancelled. `GET …/awards/{awardID}` returns the entry that ended it. A retry ' +
    'with the same Idempotency-Key returns the first response again.',
  hold_ended:
    'The hold was captured or released, or has expired. `GET …/holds/{holdID}` returns the entry that ' +
    'ended it as `endedBy`.',
  identity_limit: 'A member has at most 16 identities. Unlink one that is no longer used.',
  key_limit:
    'Move at most `limit` at once; with `resetAt`, the day’s limit is used up until then. Or raise ' +
    '`maxPerChange` or `maxPerDay` of the key. Where a key is issued: a realm has at most 1,000 active ' +
    'keys, and the installation 1,000 operator tokens. Revoke those that are not used: each has a ' +
    '`lastUsedAt`.',
  invitation_limit: 'At most 1,000 invitations can be open at once. Revoke those that are not needed.',
  empty_snapshot:
    'No member with these points has a verified wallet for the chain. Send members a link to verify ' +
    'theirs: docs/web3.md.',
  snapshot_limit:
    'A snapshot has at most 100,000 members and a realm 1,000 snapshots. Delete one that is not claimable, ' +
    'or use a separate point type for each season.',
  webhook_limit: 'A realm has at most 50 webhooks. Delete one that is no longer used.',
  replay_running: 'Wait until `replay` of the webhook is null, then start the next one.',
  nothing_to_skip:
    'Only an ordered webhook, or one that waits, stops at an event: `blockedEventId` names it. Others try ' +
    'a failed event again later, and go on.',
  snapshot_claimable: 'Keep the snapshot: points were deducted for it, and members need its proofs to claim.',
  proof_refused:
    '`detail` says what is wrong. Each attempt uses up its challenge: request a new one and sign that.',
  idempotency_key_reused: 'Use a key that identifies this one operation, such as an order number.',
  rate_limited: 'Wait for `Retry-After`, then send the same request. Nothing was changed.',
  headers_too_large: 'Send smaller headers, at most 32 KiB. Look for a cookie or a token that grows.',
  internal_error:
    'Report the `requestId` to the operator: the log has the cause under it. A change with an ' +
    '`Idempotency-Key` can be retried safely.',
  overloaded: 'Send the same request after `Retry-After`.',
  unavailable: 'The database is unavailable. Nothing was changed. Send the same request after `Retry-After`.',
  wrong_cell:
    'The realm moves to another server, or has moved. Nothing was changed. Send the same request after ' +
    '`Retry-After`.',
  chain_unavailable:
    'No endpoint of the chain in `CHAINS` returned a valid response. Retry with a new challenge. If it ' +
    'persists, the operator must check the endpoints.',
  outcome_unknown:
    'The change may or may not have happened. Retry with the same `Idempotency-Key` to find out. Without a ' +
    'key, check the balance or the history first.',
}
