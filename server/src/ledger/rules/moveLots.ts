import type { LapseStep } from '../../realms/lapse/index.ts'
import { sideOf } from './accounts.ts'
import { isMembers } from './command.ts'
import { issueDay, returnDay } from './dating.ts'
import { type EntryType, entryTypes } from './entryTypes.ts'
import { addLots, capped, type Lots, raise, takeSoonest, takeThese } from './lots.ts'

/** The entry that a reversal undoes, or the hold that an entry ends. */
export type LinkedLots = {
  readonly kind: number
  readonly from: number
  readonly amount: bigint
  readonly lots: Lots
}

export type LotMove = {
  readonly kind: EntryType
  readonly from: number
  readonly to: number
  readonly amount: bigint
  readonly atUs: bigint
  /** The rule that it falls under. */
  readonly step: LapseStep
  /** What both sides have before it. */
  readonly had: Lots
  readonly has: Lots
  readonly linked: LinkedLots | undefined
  /** The days that an import names. */
  readonly given?: Lots | undefined
}

/** The lots that an entry names, and what both sides have after it; null for an account without lots. */
export type LotsMoved = { readonly lots: Lots; readonly from: Lots | null; readonly to: Lots | null }

/** Which lots an entry moves: a table of docs/decisions/0046-points-that-lapse.md, in code. */
export function moveLots(move: LotMove): LotsMoved {
  const { from, to, has } = move
  const { lots, left } = isMembers(from) ? debited(move) : { lots: credited(move), left: null }
  return { lots, from: left, to: isMembers(to) ? capped(addLots(has, lots)) : null }
}

/** From a member. What a reversal moves to another member is put off like everything that comes back. */
function debited({ kind, to, amount, had, linked, step, atUs }: LotMove) {
  if (kind !== 'reversal' || !linked) {
    const { taken, left } = takeSoonest(had, amount)
    return { lots: taken, left }
  }
  const { taken, left } = takeThese(had, linked.lots, amount)
  return { lots: isMembers(to) ? raise(taken, returnDay(step, atUs)) : taken, left }
}

/** From the issuance, from an award, or from what a hold reserved. */
function credited({ kind, from, amount, linked, given, step, atUs }: LotMove): Lots {
  if (sideOf(from) === 'held') {
    const { taken, left } = takeSoonest(
      linked?.lots ?? [],
      kind === 'capture' ? amount : rest(linked, amount),
    )
    return kind === 'capture' ? taken : raise(left, returnDay(step, atUs))
  }
  if (kind === 'reversal' && linked && linked.kind !== entryTypes.lapse.number)
    return raise(linked.lots, returnDay(step, atUs))
  return given ?? [{ day: issueDay(step, atUs), amount }]
}

/** What a capture has taken of a hold before the rest of it comes back. */
const rest = (linked: LinkedLots | undefined, amount: bigint): bigint => (linked?.amount ?? 0n) - amount
