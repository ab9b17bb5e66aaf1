import { catalogue, type Refusal, rememberedUntil } from '../../errors.ts'
import type { Point } from '../../realms/realm.ts'

/** The ledger's refusals. */

export const noPoint = (id: string): Refusal => ({
  code: 'point_not_found',
  detail: `The realm has no point type ${id}.`,
})

export const notFound = (code: 'member_not_found' | 'recipient_not_found', id: string): Refusal => ({
  code,
  detail: `The realm has no member ${id}.`,
})

export const sameMember = (id: string): Refusal => ({
  code: 'same_member',
  detail: `Member ${id} can't transfer points to itself.`,
})

export const tooFew = (id: string, had: bigint, amount: bigint): Refusal => ({
  code: 'insufficient_points',
  detail: `Member ${id} has ${had} points; ${amount} were asked for.`,
  facts: { balance: Number(had), required: Number(amount) },
})

type Above = { readonly id: string; readonly has: bigint; readonly amount: bigint; readonly cap: bigint }

export const tooMany = ({ id, has, amount, cap }: Above): Refusal => ({
  code: 'balance_limit',
  detail: `Member ${id} has ${has} points; ${amount} more would exceed the limit of ${cap}.`,
  facts: { balance: Number(has), limit: Number(cap) },
})

/** One of several changes that happen all or none. */
export const noneOf = (refusal: Refusal, place: number, count: number): Refusal => ({
  ...refusal,
  detail: `Change ${place} of ${count}: ${refusal.detail} Nothing was changed.`,
  facts: { ...refusal.facts, index: place - 1 },
})

export const listRefused = (refusal: Refusal, index: number, count: number): Refusal => ({
  code: 'changes_refused',
  detail: `Change ${index + 1} of ${count}: ${refusal.detail} Nothing was changed.`,
  facts: { ...refusal.facts, index },
  error: { status: catalogue[refusal.code].status, code: refusal.code, detail: refusal.detail },
})

export const moved = (id: string): Refusal => ({
  code: 'precondition_failed',
  detail: `The points of member ${id} have moved since they were read. Read the member again.`,
})

export const hasPoints = (id: string): Refusal => ({
  code: 'precondition_failed',
  detail: `Member ${id} has received points since the import was checked.`,
})

export const frozen = (id: string): Refusal => ({
  code: 'member_frozen',
  detail: `Member ${id} is frozen: nothing can be spent until it is unfrozen.`,
})

export const notTransferable = ({ id }: Point): Refusal => ({
  code: 'not_transferable',
  detail: `Points of type ${id} can't be transferred between members.`,
})

export const transferLimit = (amount: bigint, limit: bigint): Refusal => ({
  code: 'transfer_limit',
  detail: `${amount} points are more than the ${limit} that can be transferred at once.`,
  facts: { required: Number(amount), limit: Number(limit) },
})

type Given = {
  readonly id: string
  readonly given: bigint
  readonly amount: bigint
  readonly limit: bigint
  /** When its day ends. */
  readonly endsUs: bigint | undefined
}

export const dailyLimit = ({ id, given, amount, limit, endsUs }: Given): Refusal => ({
  code: 'daily_limit',
  detail: `Member ${id} has transferred ${given} points today; ${amount} more would exceed ${limit}.`,
  facts: {
    required: Number(amount),
    limit: Number(limit),
    ...(endsUs === undefined ? {} : { resetAt: dateOf(endsUs) }),
  },
})

export const changeAboveKey = (amount: bigint, limit: bigint): Refusal => ({
  code: 'key_limit',
  detail: `${amount} points are more than the ${limit} that this key may move in one change.`,
  facts: { required: Number(amount), limit: Number(limit) },
})

type Moved = {
  readonly moved: bigint
  readonly amount: bigint
  readonly limit: bigint
  readonly endsUs: bigint
}

export const dayAboveKey = ({ moved, amount, limit, endsUs }: Moved): Refusal => ({
  code: 'key_limit',
  detail: `This key has moved ${moved} points today (UTC); ${amount} more would exceed ${limit}.`,
  facts: { required: Number(amount), limit: Number(limit), resetAt: dateOf(endsUs) },
})

const dateOf = (us: bigint): string => new Date(Number(us / 1000n)).toISOString()

/** A refusal that repeats for its Idempotency-Key until then. */
export function repeated(refusal: Refusal, untilUs: bigint): Refusal {
  return rememberedUntil(refusal, dateOf(untilUs))
}

export const noEntry = (seq: bigint): Refusal => ({
  code: 'entry_not_found',
  detail: `The realm's journal has no entry ${seq}.`,
})

export const reversed = (seq: bigint, by: bigint): Refusal => ({
  code: 'already_reversed',
  detail: `Entry ${seq} was reversed by entry ${by}.`,
  facts: { transactionId: String(by) },
})

export const notReversible = (seq: bigint): Refusal => ({
  code: 'not_reversible',
  detail:
    `Entry ${seq} is itself a reversal, part of a hold or an award, or was claimed. ` +
    'Post the change again, release the hold, or cancel the award.',
})

export const notLapsedBack = (seq: bigint): Refusal => ({
  code: 'not_reversible',
  detail: `Entry ${seq} lapsed points. Only a key with the scope realm:admin can reverse it.`,
})

export const nothingDue = (id: string): Refusal => ({
  code: 'precondition_failed',
  detail: `No points of member ${id} have lapsed.`,
})

export const memberGone = (seq: bigint): Refusal => ({
  code: 'not_reversible',
  detail: `Entry ${seq} moved points of a member that was removed.`,
})

/** Both sides of the entry were merged since. */
export const oneMember = (seq: bigint, id: string): Refusal => ({
  code: 'not_reversible',
  detail: `Entry ${seq} moved points between two members that are both member ${id} now.`,
  facts: { reason: 'same_member' },
})

export const noHold = (seq: bigint): Refusal => ({
  code: 'hold_not_found',
  detail: `The realm has no hold ${seq}.`,
})

export const memberHasHolds = (id: string): Refusal => ({
  code: 'member_has_holds',
  detail: `Member ${id} has held or pending points. End its holds and pending awards first.`,
})

export const holdEnded = (seq: bigint, by: bigint): Refusal => ({
  code: 'hold_ended',
  detail: `Hold ${seq} was ended by entry ${by}.`,
  facts: { transactionId: String(by) },
})

export const holdExpired = (seq: bigint): Refusal => ({
  code: 'hold_ended',
  detail: `Hold ${seq} has expired.`,
})

export const holdNotDue = (seq: bigint): Refusal => ({
  code: 'hold_ended',
  detail: `Hold ${seq} has not expired yet.`,
})

export const noAward = (seq: bigint): Refusal => ({
  code: 'award_not_found',
  detail: `The realm has no award ${seq}.`,
})

export const awardEnded = (seq: bigint, by: bigint): Refusal => ({
  code: 'award_ended',
  detail: `Award ${seq} was ended by entry ${by}.`,
  facts: { transactionId: String(by) },
})

export const awardNotDue = (seq: bigint): Refusal => ({
  code: 'award_ended',
  detail: `Award ${seq} is not due.`,
})

export const frozenHold = (seq: bigint): Refusal => ({
  code: 'member_frozen',
  detail: `The member of hold ${seq} is frozen: nothing can be spent until it is unfrozen.`,
})

export const moreThanHeld = (seq: bigint, whole: bigint, amount: bigint): Refusal => ({
  code: 'insufficient_points',
  detail: `Hold ${seq} has ${whole} points; ${amount} were asked for.`,
  facts: { balance: Number(whole), required: Number(amount) },
})
