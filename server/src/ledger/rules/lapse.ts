import type { Refusal } from '../../errors.ts'
import { isIdle, type LapseStep } from '../../realms/lapse/index.ts'
import type { Point } from '../../realms/realm.ts'
import { heldOf, type Lapse } from './command.ts'
import { dueLots, isIdleDue, stepAt } from './dating.ts'
import { type Draft, storedOf } from './draft.ts'
import { find, isFrozen } from './lookups.ts'
import { sumOf } from './lots.ts'
import { lotsAt, move, theRealm } from './move.ts'
import * as words from './refusals.ts'
import type { Entry } from './state.ts'

/**
 * Lapses what a member has that is due, by the rule in force under the lock. Refused where nothing is, so
 * that a second sweep writes nothing; and when the configuration has changed, as the member may have been
 * unfrozen.
 */
export function lapse(draft: Draft, command: Lapse): Entry | Refusal {
  const { member: id } = command
  const found = find(draft, { ...command, tokens: 0n })
  if ('code' in found) return found
  const { point, member } = found
  if (command.config !== draft.state.config.version) return words.moved(id)
  if (member === undefined || isFrozen(draft, member)) return words.frozen(id)
  const from = { account: member, id }
  const step = stepAt(point.lapse ?? [], draft.seq + 1n)
  if (step && isIdle(point.lapse)) return lapseIdle(draft, command, { step, point, from })
  const amount = step ? sumOf(dueLots(step, lotsAt(draft, member, point), draft.atUs)) : 0n
  if (amount === 0n) return words.nothingDue(id)
  return move(draft, command, { kind: 'lapse', point, from, to: theRealm, amount })
}

type Idle = {
  readonly step: LapseStep
  readonly point: Point
  readonly from: { readonly account: number; readonly id: string }
}

/**
 * Everything, if the member was not active since it was found: activity changes its balance or what is held,
 * and a merge the configuration. The entry names the last one that counted.
 */
function lapseIdle(draft: Draft, command: Lapse, { step, point, from }: Idle): Entry | Refusal {
  const { idle, member: id } = command
  const stored = storedOf(draft, from.account, point)
  if (!idle || !stored || stored.balance === 0n) return words.nothingDue(id)
  if (step.number !== idle.step) return words.moved(id)
  const held = storedOf(draft, heldOf(from.account), point)
  if (stored.seq !== idle.seq || (held?.seq ?? null) !== idle.heldSeq) return words.moved(id)
  if (!isIdleDue(step, idle.last.atUs, draft.atUs)) return words.nothingDue(id)
  const link = idle.last.seq
  return move(draft, command, { kind: 'lapse', point, from, to: theRealm, amount: stored.balance, link })
}
