import type { Code, Refusal } from '../../errors.ts'
import { pendingOf } from './accounts.ts'
import type { Award, EndAward } from './command.ts'
import { addMember, awardOf, type Draft, memberIdOf } from './draft.ts'
import { retryOf } from './holdRules.ts'
import { beyondKey } from './keyLimits.ts'
import { find, isMoved, pointNumbered } from './lookups.ts'
import { move, theRealm } from './move.ts'
import * as words from './refusals.ts'
import type { Entry, PendingAward } from './state.ts'

/**
 * Promises points. An unknown member of an open realm is created by it, as by any first credit. `maxBalance`
 * limits what a member can spend, so it applies to the grant, not here.
 */
export function award(draft: Draft, command: Award): Entry | Refusal {
  const { member: id, tokens: amount, grantUs = null, ifMatch } = command
  const found = find(draft, command)
  if ('code' in found) return found
  const { point, member } = found
  if (isMoved(draft, member, ifMatch)) return words.moved(id)
  // A new member has no pending points yet, so that nothing but the key refuses its first award.
  const beyond = beyondKey(draft, command, { kind: 'award', amount })
  if (beyond) return beyond
  const account = member ?? addMember(draft, id)
  const to = { account: pendingOf(account), id }
  const made = move(draft, command, { kind: 'award', point, from: theRealm, to, amount })
  if ('code' in made) return made
  const promised = { account, point: point.number, amount, grantUs, endedBy: null }
  draft.awards.set(made.seq, { ...promised, id: memberIdOf(draft, id) })
  return made
}

/** Grants an award, or cancels it. A frozen member receives points too: freezing only stops spending. */
export function endAward(draft: Draft, command: EndAward): Entry | Refusal {
  const { award: link, kind } = command
  const found = openAward(draft, link)
  if ('code' in found) return found
  const { account, amount, grantUs } = found
  const id = found.id ?? ''
  if (isMoved(draft, account, command.ifMatch)) return words.moved(id)
  if (kind === 'due' && (grantUs === null || draft.state.nowUs < grantUs)) return words.awardNotDue(link)
  const point = pointNumbered(draft, found.point)
  const from = { account: pendingOf(account), id }
  const made = move(
    draft,
    command,
    kind === 'cancel'
      ? { kind, point, from, to: theRealm, amount, link }
      : { kind: 'grant', point, from, to: { account, id }, amount, link },
  )
  if (!('code' in made)) draft.endedAwards.set(link, made.seq)
  else if (kind === 'due') deferDue(draft, link, made.code)
  return made
}

/** An award that has not ended. */
function openAward(draft: Draft, seq: bigint): PendingAward | Refusal {
  const found = awardOf(draft, seq)
  if (!found) return words.noAward(seq)
  const by = draft.endedAwards.get(seq) ?? found.endedBy
  return by === null ? found : words.awardEnded(seq, by)
}

/** An award that is due and can't be granted now is tried again later, and says why. */
export function deferDue(draft: Draft, seq: bigint, code: Code): void {
  const found = openAward(draft, seq)
  if ('code' in found || found.grantUs === null) return
  draft.deferredAwards.set(seq, { retryUs: retryOf(draft.state.nowUs, found.grantUs), code })
}
