import type { Refusal } from '../../errors.ts'
import { award, endAward } from './awardRules.ts'
import {
  type Adjust,
  type Batch,
  type Change,
  type Claim,
  type Command,
  claimed,
  type IfMatch,
  isMembers,
  issuance,
  type List,
  type Reverse,
  type Transfer,
} from './command.ts'
import { accountOf, balanceOf, type Draft, givenBy, originalOf } from './draft.ts'
import { entryTypeOf, isReversible } from './entryTypes.ts'
import { capture, hold, release } from './holdRules.ts'
import { lapse } from './lapse.ts'
import { find, isFrozen, isMoved, isOpen, pointNumbered } from './lookups.ts'
import { move, theRealm } from './move.ts'
import * as words from './refusals.ts'
import { balanceKey, type Entry, type Original } from './state.ts'

/** The rules. Each type of command creates entries, or is refused by the first rule that it breaks. */
export function post(draft: Draft, command: Command): Entry[] | Refusal {
  switch (command.kind) {
    case 'adjust':
    case 'opening':
      return one(
        adjust(draft, command, { change: command, ifMatch: command.ifMatch, ifNone: command.ifNone }),
      )
    case 'transfer':
      return one(transfer(draft, command))
    case 'batch':
      return batch(draft, command)
    case 'list':
      return list(draft, command)
    case 'reverse':
      return one(reverse(draft, command))
    case 'hold':
      return one(hold(draft, command))
    case 'capture':
      return capture(draft, command)
    case 'release':
    case 'expire':
      return one(release(draft, command))
    case 'award':
      return one(award(draft, command))
    case 'grant':
    case 'cancel':
    case 'due':
      return one(endAward(draft, command))
    case 'lapse':
      return one(lapse(draft, command))
  }
}

const one = (result: Entry | Refusal): Entry[] | Refusal => ('code' in result ? result : [result])

type Asked = {
  readonly change: Change
  readonly ifMatch?: IfMatch | undefined
  readonly ifNone?: boolean | undefined
  readonly link?: bigint | null
}

function adjust(draft: Draft, command: Adjust | Batch, asked: Asked): Entry | Refusal {
  const { change, ifMatch, ifNone, link } = asked
  const { member: id, tokens } = change
  const found = find(draft, change)
  if ('code' in found) return found
  const { point, member } = found
  const lots = command.kind === 'batch' ? undefined : command.lots
  if (isMoved(draft, member, ifMatch)) return words.moved(id)
  if (ifNone && member !== undefined && balanceOf(draft, member, point) > 0n) return words.hasPoints(id)
  const kind = command.kind === 'opening' ? 'opening' : 'adjust'
  if (tokens > 0n) {
    const to = { account: member ?? ('new' as const), id }
    return move(draft, command, { kind, point, from: theRealm, to, amount: tokens, link, lots })
  }
  if (isFrozen(draft, member)) return words.frozen(id)
  const from = { account: member ?? ('new' as const), id }
  return move(draft, command, { kind, point, from, to: theRealm, amount: -tokens, link })
}

/** In the contract's order: point type, member, recipient, same member, too few points, too many. */
function transfer(draft: Draft, command: Transfer): Entry | Refusal {
  const { member: id, recipient, tokens: amount, ifMatch } = command
  const found = find(draft, command)
  if ('code' in found) return found
  const { point, member } = found
  const receiver = accountOf(draft, recipient)
  if (receiver === undefined && !isOpen(draft)) return words.notFound('recipient_not_found', recipient)
  if (isMoved(draft, member, ifMatch)) return words.moved(id)
  if (id === recipient || (member !== undefined && member === receiver)) return words.sameMember(id)
  if (!point.transferable) return words.notTransferable(point)
  if (isFrozen(draft, member)) return words.frozen(id)
  const { maxPerTransfer, maxPerDay } = point
  if (maxPerTransfer !== null && amount > maxPerTransfer) return words.transferLimit(amount, maxPerTransfer)
  const from = { account: member ?? ('new' as const), id }
  if (maxPerDay !== null && member !== undefined && balanceOf(draft, member, point) >= amount) {
    const key = balanceKey(member, point.number)
    const given = givenBy(draft, key)
    const endsUs = draft.state.context.dayEndsUs?.get(key)
    if (given + amount > maxPerDay) return words.dailyLimit({ id, given, amount, limit: maxPerDay, endsUs })
  }
  const to = { account: receiver ?? ('new' as const), id: recipient }
  return move(draft, command, { kind: 'transfer', point, from, to, amount })
}

/**
 * All or none. The first entry has the request's details; the others link to it and have at most their own.
 */
function batch(draft: Draft, command: Batch): Entry[] | Refusal {
  const entries: Entry[] = []
  for (const [index, change] of command.changes.entries()) {
    const [first] = entries
    const follower: Batch = { ...command, retry: undefined, details: change.details }
    const made = adjust(draft, first ? follower : command, { change, link: first?.seq ?? null })
    if ('code' in made) return words.noneOf(made, index + 1, command.changes.length)
    entries.push(made)
  }
  return entries
}

/** All or none. The first entry has the request's key. */
function list(draft: Draft, { commands, retry }: List): Entry[] | Refusal {
  const entries: Entry[] = []
  for (const [index, command] of commands.entries()) {
    const made = post(draft, index === 0 ? { ...command, retry } : command)
    if ('code' in made) return words.listRefused(made, index, commands.length)
    entries.push(...made)
  }
  return entries
}

/**
 * The whole balance of each member; one that has nothing, or is frozen, is left out. The first entry has the
 * details, the others link to it.
 */
export function claim(draft: Draft, command: Claim): Entry[] | Refusal {
  const { members, point: named, first } = command
  const entries: Entry[] = []
  for (const id of members) {
    const found = find(draft, { member: id, tokens: 0n, point: named })
    if ('code' in found) return found
    const { point, member: account } = found
    const amount = account === undefined ? 0n : balanceOf(draft, account, point)
    if (account === undefined || amount === 0n || isFrozen(draft, account)) continue
    const link = first ?? entries[0]?.seq ?? null
    const said = link === null ? command : { ...command, details: undefined }
    const sides = { from: { account, id }, to: { account: claimed, id: '' } }
    const made = move(draft, said, { kind: 'claim', point, ...sides, amount, link })
    if ('code' in made) return made
    entries.push(made)
  }
  return entries
}

/** Returns what an entry moved, once. A frozen member's points are returned too: it is not their spending. */
function reverse(draft: Draft, command: Reverse): Entry | Refusal {
  const { entry: seq } = command
  const original = originalOf(draft, seq)
  if (!original) return words.noEntry(seq)
  const moved = movedSince(draft, original, command.ifMatch)
  if (moved !== undefined) return words.moved(moved)
  const by = draft.reversed.get(seq) ?? original.reversedBy
  if (by !== null) return words.reversed(seq, by)
  const point = pointNumbered(draft, original.point)
  const kind = entryTypeOf(original.kind)
  if (!isReversible(kind)) return words.notReversible(seq)
  if (kind === 'lapse' && !command.isAdmin) return words.notLapsedBack(seq)
  const { from, to, fromId, toId, amount } = original
  const gone = (account: number, id: string | null) => account !== issuance && id === null
  if (gone(from, fromId) || gone(to, toId)) return words.memberGone(seq)
  if (from === to) return words.oneMember(seq, toId ?? '')
  const sides = { from: { account: to, id: toId ?? '' }, to: { account: from, id: fromId ?? '' } }
  const linked = { kind: original.kind, from, amount, lots: original.lots }
  const made = move(draft, command, { kind: 'reversal', point, ...sides, amount, link: seq, linked })
  if (!('code' in made)) draft.reversed.set(seq, made.seq)
  return made
}

/** A member whose points a reversal would move and who does not match `If-Match`: each must match. */
function movedSince(draft: Draft, original: Original, ifMatch: IfMatch | undefined): string | undefined {
  if (ifMatch === undefined || ifMatch === 'exists') return undefined
  const { from, to, fromId, toId } = original
  const sides = [
    { account: from, id: fromId },
    { account: to, id: toId },
  ]
  const moved = sides.find(({ account }) => isMembers(account) && isMoved(draft, account, ifMatch))
  return moved && (moved.id ?? '')
}
