import type { Refusal } from '../../errors.ts'
import { isDated } from '../../realms/lapse/index.ts'
import type { Point } from '../../realms/realm.ts'
import { type Claim, type Command, claimed, greatest, issuance, type Merge } from './command.ts'
import { lotsBy, stepAt } from './dating.ts'
import { addMember, balanceOf, type Draft, storedOf, write } from './draft.ts'
import { type EntryType, rulesOf } from './entryTypes.ts'
import { beyondKey, countForKey } from './keyLimits.ts'
import { type Lots, printLots } from './lots.ts'
import { type LinkedLots, moveLots } from './moveLots.ts'
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
  /** What the link names, where that determines the lots. */
  readonly linked?: Linked | undefined
  /** The days on which issued points lapse, as an import names them. */
  readonly lots?: Lots | undefined
}

/** An entry as it is stored. */
export type Linked = Omit<LinkedLots, 'lots'> & { readonly lots?: string | null | undefined }

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
export function move(draft: Draft, command: Command | Claim | Merge, asked: Move): Entry | Refusal {
  const { key, retry, details } = command
  const { kind, point, from, to, amount, link = null } = asked
  const had = balanceAt(draft, from, point)
  const has = balanceAt(draft, to, point)
  if (from.account === 'new' || (had !== null && had < amount))
    return words.tooFew(from.id, had ?? 0n, amount)
  const cap = capOf(asked)
  if (has !== null && has + amount > cap) return words.tooMany({ id: to.id, has, amount, cap })
  const beyond = beyondKey(draft, command, asked)
  if (beyond) return beyond
  const sides = { from: from.account, to: to.account === 'new' ? addMember(draft, to.id) : to.account }
  const hasLots = isDated(point.lapse) && !rulesOf(kind).hasNoLots
  const moved = hasLots ? lotsMoved(draft, asked, sides) : undefined
  const entry: Entry = {
    seq: draft.seq + 1n,
    atUs: draft.atUs,
    kind,
    key,
    point,
    ...sides,
    amount,
    fromBalance: had === null ? null : had - amount,
    toBalance: has === null ? null : has + amount,
    retry,
    details,
    link,
    ...(moved && { lots: moved.lots }),
  }
  write(draft, entry, moved)
  countForKey(draft, command, asked)
  return entry
}

type Sides = { readonly from: number; readonly to: number }

/** The lots of an entry, and of both sides after it, as text. */
function lotsMoved(draft: Draft, asked: Move, sides: Sides) {
  const { kind, point, amount, link = null, linked, lots: given } = asked
  const { lapse: steps = [] } = point
  const step = stepAt(steps, draft.seq + 1n)
  if (!step) throw new Error(`no lapse rule of ${point.id} applies to entry ${draft.seq + 1n}`)
  const moved = moveLots({
    kind,
    ...sides,
    amount,
    atUs: draft.atUs,
    step,
    had: lotsAt(draft, sides.from, point),
    has: lotsAt(draft, sides.to, point),
    linked: linked && { ...linked, lots: lotsBy(steps, { ...linked, seq: link }) },
    given,
  })
  const text = (lots: Lots | null) => lots && printLots(lots)
  return { lots: printLots(moved.lots), from: text(moved.from), to: text(moved.to) }
}

/** What an account has by now, by the days on which it lapses. */
export function lotsAt(draft: Draft, account: number, point: Point): Lots {
  const stored = storedOf(draft, account, point)
  if (account <= issuance || !stored) return []
  return lotsBy(point.lapse ?? [], { ...stored, amount: stored.balance })
}

/** Null for the realm's own accounts. */
function balanceAt(draft: Draft, { account }: Side, point: Point): bigint | null {
  if (account === issuance || account === claimed) return null
  return account === 'new' ? 0n : balanceOf(draft, account, point)
}
