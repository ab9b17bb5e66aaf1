import { catalogue, type Refusal, RefusalError, realmSuspended } from '../../errors.ts'
import type { Suspension } from '../../realms/realm.ts'
import { deferDue } from './awardRules.ts'
import type { Claim, Command, Merge, Outcome, PostedCommand, Receipts, RehearsalOutcome } from './command.ts'
import { awardOf, type Draft, dayOf, fork, holdOf, memberIdOf, openDraft, originalOf } from './draft.ts'
import { retryOf } from './holdRules.ts'
import { merge } from './mergeRules.ts'
import { repeated } from './refusals.ts'
import { claim, post } from './rules.ts'
import type { Decision, Entry, RealmState, RememberedAnswer } from './state.ts'

/** Decides a realm's commands in arrival order. Pure: it reads its arguments and changes nothing. */
export function decide(state: RealmState, commands: readonly PostedCommand[]): Decision {
  const draft = openDraft(state)
  const outcomes = commands.map((command) => answer(draft, command))
  return { outcomes, ...resultOf(draft) }
}

/** Decides a piece of a claim: entirely, or not at all. */
export function decideClaim(state: RealmState, command: Claim): Decision {
  const draft = openDraft(state)
  const { suspended } = state.config
  const made = suspended ? realmSuspended(suspended.reason) : claim(draft, command)
  if ('code' in made) throw new RefusalError(made)
  return { outcomes: [], ...resultOf(draft) }
}

/** Decides a merge, or the undoing of one: entirely, or not at all. */
export function decideMerge(state: RealmState, command: Merge): Decision {
  const draft = openDraft(state)
  const { suspended } = state.config
  const made = suspended ? realmSuspended(suspended.reason) : merge(draft, command)
  if ('code' in made) throw new RefusalError(made)
  return { outcomes: [], ...resultOf(draft) }
}

function resultOf(draft: Draft): Omit<Decision, 'outcomes'> {
  const { entries, members, refusals, nextAccount } = draft
  return {
    entries,
    members,
    refusals,
    nextAccount,
    keyDays: Array.from(draft.moved ?? [], ([key, moved]) => ({ key, day: dayOf(draft.atUs), moved })),
    atUs: entries.length > 0 ? draft.atUs : draft.state.atUs,
    balances: [...draft.balances.values()],
    holds: Array.from(draft.holds, ([seq, held]) => ({ seq, held })),
    endedHolds: Array.from(draft.ended, ([seq, endedBy]) => ({ seq, endedBy })),
    deferredHolds: Array.from(draft.deferred, ([seq, retryUs]) => ({ seq, retryUs })),
    awards: Array.from(draft.awards, ([seq, award]) => ({ seq, award })),
    endedAwards: Array.from(draft.endedAwards, ([seq, endedBy]) => ({ seq, endedBy })),
    deferredAwards: Array.from(draft.deferredAwards, ([seq, deferral]) => ({ seq, ...deferral })),
  }
}

/** How long a refusal is remembered under its Idempotency-Key. */
const rememberedUs = 86_400_000_000n

/**
 * Whether a refusal is remembered under its Idempotency-Key. After a 404 the client can create the member,
 * after a 412 read it again, and then send the same request.
 */
const isRemembered = ({ code }: Refusal): boolean => catalogue[code].status === 422

function answer(draft: Draft, command: PostedCommand): Outcome | RehearsalOutcome {
  if (command.kind !== 'rehearsal') return answerOne(draft, command)
  const { trial } = fork(draft)
  const outcomes = command.commands.map((one) => answerOne(trial, one, { rehearsed: true }))
  return { kind: 'rehearsed', outcomes }
}

type Way = { readonly rehearsed: boolean }

function answerOne(draft: Draft, command: Command, { rehearsed }: Way = { rehearsed: false }): Outcome {
  const { retry, requestId } = command
  const point = pointIdOf(draft, command)
  if (retry) {
    const earlier = draft.remembered.get(retry.request) ?? draft.state.remembered.get(retry.request)
    if (earlier) return replay(earlier, command, { draft, point })
  }
  const result = decided(draft, command)
  const refused = 'code' in result
  if (!retry || command.dry || (refused && !isRemembered(result))) return outcomeOf(draft, command, result)
  const untilUs = draft.state.nowUs + rememberedUs
  const kept = refused && !rehearsed ? repeated(result, untilUs) : result
  const outcome = outcomeOf(draft, command, kept)
  draft.remembered.set(retry.request, { fingerprint: retry.fingerprint, point, outcome })
  if ('code' in kept) draft.refusals.push({ retry, point, refusal: kept, requestId, untilUs })
  return outcome
}

/** A command with several entries writes all or none; a dry run writes none. */
const isSeveral = ({ kind }: Command): boolean => kind === 'batch' || kind === 'list' || kind === 'capture'

/** What is due meanwhile is tried again later: after the realm is resumed it ends within an hour. */
function refuseSuspended(draft: Draft, command: Command, suspended: Suspension): Refusal {
  const held = command.kind === 'expire' ? holdOf(draft, command.hold) : undefined
  if (command.kind === 'expire' && held?.endedBy === null)
    draft.deferred.set(command.hold, retryOf(draft.state.nowUs, held.expiresUs))
  if (command.kind === 'due') deferDue(draft, command.award, 'realm_suspended')
  return realmSuspended(suspended.reason)
}

function decided(draft: Draft, command: Command): Entry[] | Refusal {
  const { suspended } = draft.state.config
  if (suspended) return refuseSuspended(draft, command, suspended)
  const several = isSeveral(command)
  if (!several && !command.dry) return post(draft, command)
  const { trial, keep } = fork(draft)
  const result = post(trial, command)
  if (!command.dry && !('code' in result)) keep()
  return result
}

function outcomeOf(draft: Draft, command: Command, result: Entry[] | Refusal): Outcome {
  const { requestId } = command
  if ('code' in result) return { kind: 'refused', refusal: result, requestId, replayed: false }
  const receipts = result as unknown as Receipts
  return {
    kind: 'done',
    receipts,
    ...aboutOf(draft, command),
    ...survivorOf(draft, command),
    replayed: false,
  }
}

/** The member that has the id of the command since a merge. */
function survivorOf(draft: Draft, command: Command): { readonly survivor?: string } {
  const { ids } = draft.state.context
  if (!ids || !('member' in command) || !/^\d/.test(command.member)) return {}
  const survivor = ids.get(command.member)
  return survivor === undefined ? {} : { survivor }
}

/**
 * For a reversal, the members of the reversed entry, sides swapped. For a hold, an award, and what ends
 * these, the member and the point type.
 */
function aboutOf(draft: Draft, command: Command, held?: string): Pick<Outcome & { kind: 'done' }, 'about'> {
  if (command.kind === 'hold') {
    const from = memberIdOf(draft, command.member)
    return { about: { from, to: null, point: held ?? pointIdOf(draft, command) } }
  }
  if (command.kind === 'award') {
    const to = memberIdOf(draft, command.member)
    return { about: { from: null, to, point: held ?? pointIdOf(draft, command) } }
  }
  if (command.kind === 'grant' || command.kind === 'cancel') {
    const ended = awardOf(draft, command.award)
    return ended ? { about: { from: null, to: ended.id, point: pointNumbered(draft, ended.point) } } : {}
  }
  if (command.kind === 'capture' || command.kind === 'release') {
    const ended = holdOf(draft, command.hold)
    return ended ? { about: { from: ended.id, to: null, point: pointNumbered(draft, ended.point) } } : {}
  }
  const original = command.kind === 'reverse' ? originalOf(draft, command.entry) : undefined
  if (!original) return {}
  const point = pointNumbered(draft, original.point)
  return { about: { from: original.toId, to: original.fromId, point } }
}

/** The id of a point type by its number. */
const pointNumbered = (draft: Draft, number: number): string =>
  [...draft.state.config.points.values()].find((point) => point.number === number)?.id ?? ''

/** Empty for a command that names no point type: it is not compared. */
function pointIdOf(draft: Draft, command: Command): string {
  return 'member' in command ? (command.point ?? draft.state.config.defaultPoint.id) : ''
}

/**
 * The same fingerprint and the same point type: named, or omitted for the default. Omitted both times, it is
 * the same request even if the default has changed meanwhile.
 */
function sameRequest(earlier: RememberedAnswer, command: Command, point: string): boolean {
  const { retry } = command
  if (!retry || earlier.fingerprint.slice(0, -1) !== retry.fingerprint.slice(0, -1)) return false
  if (!('member' in command) || earlier.point === point) return true
  return command.point === undefined && earlier.fingerprint === retry.fingerprint
}

/** For a list that was read again: the entries after its first, as many as it has commands. */
function receiptsOf(made: Receipts, { following }: RememberedAnswer, command: Command): Receipts {
  if (command.kind !== 'list' || !following) return made
  const [first] = made
  return [first, ...following.slice(0, command.commands.length - 1)]
}

type Asked = { readonly draft: Draft; readonly point: string }

function replay(earlier: RememberedAnswer, command: Command, { draft, point }: Asked): Outcome {
  if (sameRequest(earlier, command, point)) {
    const { outcome } = earlier
    if (outcome.kind === 'recalled') return outcome
    if (outcome.kind === 'refused') return { ...outcome, replayed: true }
    const about = aboutOf(draft, command, earlier.point)
    const receipts = receiptsOf(outcome.receipts, earlier, command)
    return { ...outcome, receipts, ...about, ...survivorOf(draft, command), replayed: true }
  }
  const refusal: Refusal = {
    code: 'idempotency_key_reused',
    detail: 'This Idempotency-Key was used for another request. Use a new key for a new request.',
  }
  return { kind: 'refused', refusal, requestId: command.requestId, replayed: false }
}
