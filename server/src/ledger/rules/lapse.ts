import type { Refusal } from '../../errors.ts'
import type { Lapse } from './command.ts'
import { dueLots, stepAt } from './dating.ts'
import type { Draft } from './draft.ts'
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
  const step = stepAt(point.lapse ?? [], draft.seq + 1n)
  const amount = step ? sumOf(dueLots(step, lotsAt(draft, member, point), draft.atUs)) : 0n
  if (amount === 0n) return words.nothingDue(id)
  return move(draft, command, { kind: 'lapse', point, from: { account: member, id }, to: theRealm, amount })
}
