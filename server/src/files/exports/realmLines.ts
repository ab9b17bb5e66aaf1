import { type DetailsRow, type EntryRow, entryTypeOf } from '../../ledger/index.ts'
import type { IdentityRow, MergeRow } from './identityStore.ts'
import type { ClaimantRow, SnapshotRow } from './snapshotStore.ts'
import type { AwardRow, HoldRow, MemberRow, PointRow, WalletRow, Whole } from './store.ts'

/** Rows as lines of an exported realm: docs/import-export.md. Point types have their public ids. */

const realmFormat = { format: 'exchequer-realm', version: 1 } as const

export type Points = ReadonlyMap<number, string>

export function headerOf(whole: Whole) {
  const { id: realmId, seq, hash, points, default_point: byDefault, ...rest } = whole
  return {
    ...realmFormat,
    realmId,
    seq,
    hash,
    atUs: rest.at_us,
    nextAccount: rest.next_account,
    nextKey: rest.next_key,
    settings: {
      createdAt: rest.created_at,
      name: rest.name,
      unknownMembers: rest.unknown_members,
      logo: rest.logo,
      colours: rest.colours,
      timeZone: rest.time_zone,
      identityKey: rest.identity_key,
      rate: rest.rate,
      burst: rest.burst,
    },
    points: points.map(pointOf),
    defaultPointId: points.find(({ number }) => number === byDefault)?.id,
  }
}

const pointOf = ({ number, id, name, emoji, transferable, ...rest }: PointRow) => ({
  number,
  id,
  name,
  emoji,
  maxBalance: rest.max_balance,
  maxPerTransfer: rest.max_per_transfer,
  maxPerDay: rest.max_per_day,
  transferable,
  createdAt: rest.created_at,
  archivedAt: rest.archived_at,
  ...(rest.lapse !== null && { lapse: JSON.parse(rest.lapse) as object[] }),
})

export const memberOf = ({ account, id, username, metadata, note, hidden, ...rest }: MemberRow) => ({
  account,
  id,
  username,
  displayName: rest.display_name,
  metadata,
  note,
  hidden,
  frozenAt: rest.frozen_at,
  ...(rest.unfrozen_at !== null && { unfrozenAt: rest.unfrozen_at }),
  joinedAt: rest.joined_at,
  updatedAt: rest.updated_at,
})

export const walletOf = ({ account, match, address, chain, merged, ...rest }: WalletRow) => ({
  account,
  match,
  address,
  chain,
  linkedAt: rest.linked_at,
  verifiedAt: rest.verified_at,
  ...(merged === null ? {} : { mergedBy: merged }),
})

export const identityOf = ({ account, provider, subject, name, merged, ...rest }: IdentityRow) => ({
  account,
  provider,
  subject,
  name,
  pictureUrl: rest.picture_url,
  linkedAt: rest.linked_at,
  ...(merged === null ? {} : { mergedAccount: merged }),
})

export const mergeOf = ({ number, entries, key, undoes, moved, at, ...rest }: MergeRow) => ({
  number,
  fromAccount: rest.from_account,
  toAccount: rest.to_account,
  afterSeq: rest.after_seq,
  entries,
  at,
  keyId: String(key),
  undoes,
  moved,
})

/** With all that its hash covers. */
export function entryOf(row: EntryRow, points: Points) {
  const { seq, encoding, hash, request, fingerprint, link, lots, details } = row
  return {
    seq,
    atUs: row.at_us,
    type: entryTypeOf(row.kind),
    keyId: String(row.key),
    realmPointId: points.get(row.point),
    fromAccount: row.from_account,
    toAccount: row.to_account,
    tokens: row.amount,
    fromBalance: row.from_balance,
    toBalance: row.to_balance,
    encoding,
    hash,
    request,
    fingerprint,
    detailsHash: row.details_hash,
    link,
    ...(lots !== null && { lots }),
    details: details && saidOf(details),
  }
}

const saidOf = ({ salt, reason, reference, metadata, actor_id: actorId }: DetailsRow) => ({
  salt: salt.toString('hex'),
  reason,
  reference,
  metadata,
  actorId,
})

export const batchOf = (said: DetailsRow) => ({ seq: said.seq, ...saidOf(said) })

export const holdOf = ({ seq, account, point, amount, ...rest }: HoldRow, points: Points) => ({
  seq,
  account,
  realmPointId: points.get(point),
  tokens: amount,
  expiresUs: rest.expires_us,
  endedBy: rest.ended_seq,
})

export const awardOf = ({ seq, account, point, amount, ...rest }: AwardRow, points: Points) => ({
  seq,
  account,
  realmPointId: points.get(point),
  tokens: amount,
  grantUs: rest.grant_us,
  endedBy: rest.ended_seq,
})

export const snapshotOf = ({ id, point, chain, seq, hash, ...rest }: SnapshotRow, points: Points) => ({
  id,
  realmPointId: points.get(point),
  chain,
  seq,
  hash,
  firstSeq: rest.first_seq,
  takenAt: rest.taken_at,
  members: rest.members,
  tokens: rest.tokens,
  unproved: rest.unproved,
  unprovedTokens: rest.unproved_tokens,
  frozen: rest.frozen,
  frozenTokens: rest.frozen_tokens,
})

export const claimantOf = ({ snapshot, account, amount, frozen, address, leaf }: ClaimantRow) => ({
  snapshot,
  account,
  tokens: amount,
  frozen,
  address,
  leaf,
})
