import type { Refusal } from '../../errors.ts'
import type { Point } from '../../realms/realm.ts'
import { type Claim, type Command, claimed, greatest, issuance, type Merge } from './command.ts'
import { addMember, balanceOf, type Draft, write } from './draft.ts'
import { type EntryType, rulesOf } from './entryTypes.ts'
import * as words from './refusals.ts'
import type { Entry } from './state.ts'

/** `new` is a member without an account. It has nothing to give; receiving points creates the account. */
export type Side = { readonly account: number | 'new'; readonly id: string }

export const theRealm: Side = { account: issuance, id: '' }

export type Move = {
  readonly kind: EntryType
  readonly point: Point
  readonly from: Side
  readonly to: Side
  readonly amount: bigint
  readonly link?: bigint | null | undefined
}

/**
 * The highest balance allowed. Released, expired and reversed points come back whatever the point type's
 * limit is.
 */
const capOf = ({ kind, point, to }: Move): bigint => {
  if (rulesOf(kind).ignoresMaxBalance) return greatest
  if (typeof to.account === 'number' && to.account < 0) return greatest
  return point.maxBalance ?? greatest
}

/** Writes one movement, if the sender has enough and the receiver's limit allows it. */
export function move(
  draft: Draft,
  { key, retry, details }: Command | Claim | Merge,
  asked: Move,
): Entry | Refusal {
  const { kind, point, from, to, amount, link = null } = asked
  const had = balanceAt(draft, from, point)
  const has = balanceAt(draft, to, point)
  if (from.account === 'new' || (had !== null && had < amount))
    return words.tooFew(from.id, had ?? 0n, amount)
  const cap = capOf(asked)
  if (has !== null && has + amount > cap) return words.tooMany({ id: to.id, has, amount, cap })
  const entry: Entry = {
    seq: draft.seq + 1n,
    atUs: draft.atUs,
    kind,
    key,
    point,
    from: from.account,
    to: to.account === 'new' ? addMember(draft, to.id) : to.account,
    amount,
    fromBalance: had === null ? null : had - amount,
    toBalance: has === null ? null : has + amount,
    retry,
    details,
    link,
  }
  write(draft, entry)
  return entry
}

/** Null for the realm's own accounts. */
function balanceAt(draft: Draft, { account }: Side, point: Point): bigint | null {
  if (account === issuance || account === claimed) return null
  return account === 'new' ? 0n : balanceOf(draft, account, point)
}
