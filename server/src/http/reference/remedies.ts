import type { Code } from '../../errors.ts'

/** What to do about each refusal, for whoever writes the client: docs/errors.md is made from it. */
export const remedies: Readonly<Record<Code, string>> = {
  invalid_request:
    'Change the request: `errors` names each place that is wrong, and what is expected there. Sent again ' +
    'as it is, it is refused again.',
  unauthorized:
    'Send the key as `Authorization: Bearer …`. If it was sent: it is mistyped, expired or revoked, or the ' +
    'server has lost the secret in `KEY_SECRETS` that the key was made with.',
  forbidden: 'The key opens another realm. Look at the realm id in the path, or take that realm’s key.',
  insufficient_scope: 'The key may not do this. Issue one that has the scope which `detail` names.',
  link_not_valid: 'A one-time link opens once, for a while. Ask whoever sent it for a new one.',
  member_not_found:
    'Make the member first, or look at the id: a client that keeps ids as numbers has rounded it. A realm ' +
    'whose bots do not register members is set to `unknownMembers: "create"`. The refusal is not ' +
    'remembered: the same request with the same `Idempotency-Key` is then done.',
  recipient_not_found: 'As `member_not_found`, for the one who should receive.',
  point_not_found:
    'Leave `realmPointId` out for the realm’s default, or take one that `GET …/points` lists. The ' +
    'refusal is not remembered.',
  realm_not_found: 'Look at the id, or make the realm.',
  key_not_found: 'Take the key’s own id, which the list of keys shows, not the key itself.',
  token_not_found: 'Take the token’s own id, which the list of tokens shows.',
  person_not_found: 'Look at the id: the list of people shows it.',
  invitation_not_found: 'It was used, taken back or has expired. Invite the person again.',
  not_set_up: 'This server was started without it. `detail` says what is missing, and what does instead.',
  entry_not_found: 'A `transactionId` belongs to the realm that answered it. After a restore it may be gone.',
  hold_not_found: 'A `holdId` belongs to the realm that answered it.',
  wallet_not_found:
    'The wallet is not linked to this member. `GET …/web3/members/{memberID}` lists those that are.',
  collection_not_found: 'Look at the id: `GET …/web3/collections` lists those that the realm has.',
  snapshot_not_found: 'List the realm’s snapshots; ids are case-sensitive.',
  link_not_found:
    'A link to the wallet page works once, for 15 minutes. Make a new one: `POST …/wallets/links`.',
  route_not_found: 'Look at the path: `/docs` of the server has every one.',
  method_not_allowed: 'Take one of the methods that `Allow` names.',
  request_timeout: 'Send it again, faster. A proxy that buffers requests helps.',
  request_in_progress:
    'The same `Idempotency-Key` is being worked on. Send the same request again after `Retry-After`: it ' +
    'gets the first answer. If this stays, a server stopped meanwhile: check whether the change happened, ' +
    'and send a new key to do it again.',
  already_exists: 'It is there already. Go on with it, or take another id.',
  precondition_failed:
    'Read the member again and decide again: its points have moved since. Without an `ETag` to compare, ' +
    'send no `If-Match`.',
  body_too_large: 'Send it in pieces: a batch has at most 1,000 entries, an import goes piece by piece.',
  uri_too_long: 'Send the list in a body: `POST …/members/includes`.',
  unsupported_media_type: 'Send `Content-Type: application/json`, or for an import what it takes.',
  insufficient_points:
    'Ask for at most `balance`, or give the member points first. Points that are held do not count. ' +
    'Nothing was changed.',
  balance_limit:
    'Add less, so that the balance stays within `limit`, or raise `maxBalance` of the kind of points.',
  changes_refused:
    '`index` is the change that was refused, counted from 0, and `error` says why. Correct it or leave it ' +
    'out, and send the list with a new key. Nothing of the list was done.',
  same_member: 'Name another member as the receiver. Nothing was changed.',
  member_frozen:
    'Ask a manager of the realm to unfreeze the member, if that is right. Until then its points stay.',
  not_transferable: 'Use another kind of points, or set this kind to `transferable`.',
  transfer_limit: 'Send at most `limit` at once, or raise `maxPerTransfer` of the kind of points.',
  daily_limit:
    'Try again after `resetAt`, when the day ends in the realm’s time zone, or raise `maxPerDay` of the ' +
    'kind of points.',
  member_has_points: 'Take the member’s points away first, or end its holds: a removed member has none.',
  default_point: 'The default kind of points can’t be archived. Make another the default first.',
  point_limit: 'Use one of the kinds of points that exist. A realm has at most 200, archived ones included.',
  already_reversed: 'Nothing is left to do: `transactionId` is the entry that undid it.',
  not_reversible: 'A reversal is not reversed, and a hold is ended by capture or release. Make a new change.',
  hold_ended:
    'The hold was captured or released, or its time has run out. `GET …/holds/{holdID}` names the entry ' +
    'that ended it as `endedBy`.',
  key_limit:
    'A realm has at most 1,000 keys that still work, and the installation 1,000 operator tokens. Revoke ' +
    'those that are not used: each has a `lastUsedAt`.',
  invitation_limit: 'At most 1,000 invitations are open at once. Take back those that are not needed.',
  empty_snapshot:
    'Nobody who has these points has proved a wallet for the chain. Send members a link to prove theirs: ' +
    'docs/web3.md.',
  snapshot_limit:
    'A snapshot has at most 100,000 members and a realm 1,000 snapshots. Delete one that is not claimable, ' +
    'or give each season a kind of points of its own.',
  snapshot_claimable: 'Keep it: points were taken for it, and members need its proofs to claim.',
  proof_refused:
    'The detail says what is wrong. A challenge is used up by every try: ask for a new one and sign that.',
  idempotency_key_reused:
    'This key was used for another request. Take a key that belongs to this one thing, such as the number ' +
    'of an order.',
  rate_limited: 'Wait for `Retry-After`, then send the same request. Nothing was changed.',
  headers_too_large: 'Send smaller headers: at most 32 KiB. Look for a cookie or a token that grows.',
  internal_error:
    'Send the operator the `requestId`: the log has it with the cause. A change with an ' +
    '`Idempotency-Key` can be sent again safely.',
  overloaded: 'More waits than can be answered in time. Send the same request after `Retry-After`.',
  unavailable: 'The database is away. Nothing was changed. Send the same request after `Retry-After`.',
  chain_unavailable:
    'No endpoint of the chain in `CHAINS` answered as it must. Try again with a new challenge; ' +
    'the operator looks at the endpoints.',
  outcome_unknown:
    'It may have happened or not. Send the same request with the same `Idempotency-Key`: that settles it. ' +
    'Without a key, look at the balance or the history first.',
}
