import type { Refusal } from '../../errors.ts'
import { type Capture, type Command, type Hold, heldOf, type Release } from './command.ts'
import { type Draft, holdOf, memberIdOf } from './draft.ts'
import { entryTypes } from './entryTypes.ts'
import { find, isFrozen, isMoved, pointNumbered } from './lookups.ts'
import { type Linked, move, theRealm } from './move.ts'
import * as words from './refusals.ts'
import type { Entry, Held } from './state.ts'

export function hold(draft: Draft, command: Hold): Entry | Refusal {
  const { member: id, tokens: amount, forUs, untilUs, ifMatch } = command
  const found = find(draft, command)
  if ('code' in found) return found
  const { point, member } = found
  if (isMoved(draft, member, ifMatch)) return words.moved(id)
  if (isFrozen(draft, member)) return words.frozen(id)
  if (member === undefined) return words.tooFew(id, 0n, amount)
  const to = { account: heldOf(member), id }
  const made = move(draft, command, { kind: 'hold', point, from: { account: member, id }, to, amount })
  if (!('code' in made)) {
    // By the clock: after a wrong clock entries are ahead of it for a while, and no hold may last longer for
    // it.
    const expiresUs = untilUs ?? draft.state.nowUs + forUs
    const held = { account: member, point: point.number, amount, expiresUs, endedBy: null }
    const lots = made.lots === undefined ? {} : { lots: made.lots }
    draft.holds.set(made.seq, { ...held, id: memberIdOf(draft, id), ...lots })
  }
  return made
}

const linkedTo = ({ account, amount, lots }: Held): Linked => ({
  kind: entryTypes.hold.number,
  from: account,
  amount,
  lots,
})

/** A hold that has not ended. */
function openHold(draft: Draft, seq: bigint): Held | Refusal {
  const held = holdOf(draft, seq)
  if (!held) return words.noHold(seq)
  const by = draft.ended.get(seq) ?? held.endedBy
  return by === null ? held : words.holdEnded(seq, by)
}

export function capture(draft: Draft, command: Capture): Entry[] | Refusal {
  const held = openHold(draft, command.hold)
  if ('code' in held) return held
  const { account, amount: whole } = held
  const id = held.id ?? ''
  if (isMoved(draft, account, command.ifMatch)) return words.moved(id)
  if (draft.state.nowUs >= held.expiresUs) return words.holdExpired(command.hold)
  if (isFrozen(draft, account)) return words.frozenHold(command.hold)
  const amount = command.tokens ?? whole
  if (amount > whole) return words.moreThanHeld(command.hold, whole, amount)
  const point = pointNumbered(draft, held.point)
  const from = { account: heldOf(account), id }
  const link = command.hold
  const linked = linkedTo(held)
  const spent = move(draft, command, { kind: 'capture', point, from, to: theRealm, amount, link, linked })
  if ('code' in spent) return spent
  draft.ended.set(command.hold, spent.seq)
  if (amount === whole) return [spent]
  const rest: Command = { ...command, retry: undefined, details: undefined }
  const to = { account, id }
  const back = move(draft, rest, { kind: 'release', point, from, to, amount: whole - amount, link, linked })
  return 'code' in back ? back : [spent, back]
}

export function release(draft: Draft, command: Release): Entry | Refusal {
  const { hold: link } = command
  const held = openHold(draft, link)
  if ('code' in held) return held
  const expires = command.kind === 'expire'
  if (expires && draft.state.nowUs < held.expiresUs) return words.holdNotDue(link)
  const { account, amount } = held
  const id = held.id ?? ''
  if (isMoved(draft, account, command.ifMatch)) return words.moved(id)
  const sides = { from: { account: heldOf(account), id }, to: { account, id } }
  const point = pointNumbered(draft, held.point)
  const kind = expires ? 'expiry' : 'release'
  const linked = linkedTo(held)
  const made = move(draft, command, { kind, point, ...sides, amount, link, linked })
  if (!('code' in made)) draft.ended.set(link, made.seq)
  else if (expires) draft.deferred.set(link, retryOf(draft.state.nowUs, held.expiresUs))
  return made
}

const leastWaitUs = 2_000_000n
const mostWaitUs = 3_600_000_000n

/** Retried after as long as it is already late, so that the intervals double: 2 seconds to an hour. */
export function retryOf(nowUs: bigint, dueUs: bigint): bigint {
  const lateUs = nowUs - dueUs
  if (lateUs < leastWaitUs) return nowUs + leastWaitUs
  return nowUs + (lateUs < mostWaitUs ? lateUs : mostWaitUs)
}
