import type { Refusal } from '../../errors.ts'
import type { Point } from '../../realms/realm.ts'
import {
  type Adjust,
  type Batch,
  type Capture,
  type Change,
  type Claim,
  type Command,
  claimed,
  type Hold,
  heldOf,
  type IfMatch,
  isMembers,
  issuance,
  type List,
  type Release,
  type Reverse,
  type Transfer,
} from './command.ts'
import { move, theRealm } from './move.ts'
import { accountOf, balanceOf, givenBy, holdOf, originalOf, type Page, versionOf } from './draft.ts'
import { balanceKey, type Entry, type Held, kindNumbers, type Original } from './state.ts'
import * as words from './refusals.ts'

/** The rules. Each kind of command makes entries, or is refused by the first rule that it breaks. */
export function post(page: Page, command: Command): Entry[] | Refusal {
  switch (command.kind) {
    case 'adjust':
    case 'opening':
      return one(adjust(page, command, { change: command, ifMatch: command.ifMatch, ifNone: command.ifNone }))
    case 'transfer':
      return one(transfer(page, command))
    case 'batch':
      return batch(page, command)
    case 'list':
      return list(page, command)
    case 'reverse':
      return one(reverse(page, command))
    case 'hold':
      return one(hold(page, command))
    case 'capture':
      return capture(page, command)
    case 'release':
    case 'expire':
      return one(release(page, command))
  }
}

const one = (result: Entry | Refusal): Entry[] | Refusal => ('code' in result ? result : [result])

type Asked = {
  readonly change: Change
  readonly ifMatch?: IfMatch | undefined
  readonly ifNone?: boolean | undefined
  readonly link?: bigint | null
}

function adjust(page: Page, command: Adjust | Batch, asked: Asked): Entry | Refusal {
  const { change, ifMatch, ifNone, link } = asked
  const { member: id, tokens } = change
  const found = find(page, change)
  if ('code' in found) return found
  const { point, member } = found
  if (isMoved(page, member, ifMatch)) return words.moved(id)
  if (ifNone && member !== undefined && balanceOf(page, member, point) > 0n) return words.hasPoints(id)
  const kind = command.kind === 'opening' ? 'opening' : 'adjust'
  if (tokens > 0n) {
    const to = { account: member ?? ('new' as const), id }
    return move(page, command, { kind, point, from: theRealm, to, amount: tokens, link })
  }
  if (isFrozen(page, member)) return words.frozen(id)
  const from = { account: member ?? ('new' as const), id }
  return move(page, command, { kind, point, from, to: theRealm, amount: -tokens, link })
}

/** In the contract's order: point, member, recipient, same member, too few points, too many. */
function transfer(page: Page, command: Transfer): Entry | Refusal {
  const { member: id, recipient, tokens: amount, ifMatch } = command
  const found = find(page, command)
  if ('code' in found) return found
  const { point, member } = found
  const receiver = accountOf(page, recipient)
  if (receiver === undefined && !isOpen(page)) return words.notFound('recipient_not_found', recipient)
  if (isMoved(page, member, ifMatch)) return words.moved(id)
  if (id === recipient) return words.sameMember(id)
  if (!point.transferable) return words.notTransferable(point)
  if (isFrozen(page, member)) return words.frozen(id)
  const { maxPerTransfer, maxPerDay } = point
  if (maxPerTransfer !== null && amount > maxPerTransfer) return words.transferLimit(amount, maxPerTransfer)
  const from = { account: member ?? ('new' as const), id }
  if (maxPerDay !== null && member !== undefined && balanceOf(page, member, point) >= amount) {
    const key = balanceKey(member, point.number)
    const given = givenBy(page, key)
    const endsUs = page.state.aside.dayEndsUs?.get(key)
    if (given + amount > maxPerDay) return words.dailyLimit({ id, given, amount, limit: maxPerDay, endsUs })
  }
  const to = { account: receiver ?? ('new' as const), id: recipient }
  return move(page, command, { kind: 'transfer', point, from, to, amount })
}

/** All or none. The first entry has the request's details, the others name it, and have their own at most. */
function batch(page: Page, command: Batch): Entry[] | Refusal {
  const entries: Entry[] = []
  for (const [index, change] of command.changes.entries()) {
    const [first] = entries
    const follower: Batch = { ...command, retry: undefined, details: change.details }
    const made = adjust(page, first ? follower : command, { change, link: first?.seq ?? null })
    if ('code' in made) return words.noneOf(made, index + 1, command.changes.length)
    entries.push(made)
  }
  return entries
}

/** All or none. The first entry has the request's key. */
function list(page: Page, { commands, retry }: List): Entry[] | Refusal {
  const entries: Entry[] = []
  for (const [index, command] of commands.entries()) {
    const made = post(page, index === 0 ? { ...command, retry } : command)
    if ('code' in made) return words.listRefused(made, index, commands.length)
    entries.push(...made)
  }
  return entries
}

/**
 * All that each of these has; whoever has nothing, or is frozen, is left out. The first entry has what was
 * said, the others name it.
 */
export function claim(page: Page, command: Claim): Entry[] | Refusal {
  const { members, point: named, first } = command
  const entries: Entry[] = []
  for (const id of members) {
    const found = find(page, { member: id, tokens: 0n, point: named })
    if ('code' in found) return found
    const { point, member: account } = found
    const amount = account === undefined ? 0n : balanceOf(page, account, point)
    if (account === undefined || amount === 0n || isFrozen(page, account)) continue
    const link = first ?? entries[0]?.seq ?? null
    const said = link === null ? command : { ...command, details: undefined }
    const sides = { from: { account, id }, to: { account: claimed, id: '' } }
    const made = move(page, said, { kind: 'claim', point, ...sides, amount, link })
    if ('code' in made) return made
    entries.push(made)
  }
  return entries
}

const reversible = new Set<number>([
  kindNumbers.adjust,
  kindNumbers.transfer,
  kindNumbers.capture,
  kindNumbers.opening,
])

export const isReversible = (kind: number): boolean => reversible.has(kind)

/** Gives back what an entry moved, once. A member who is frozen gives back too: it is not their spending. */
function reverse(page: Page, command: Reverse): Entry | Refusal {
  const { entry: seq } = command
  const original = originalOf(page, seq)
  if (!original) return words.noEntry(seq)
  const moved = movedSince(page, original, command.ifMatch)
  if (moved !== undefined) return words.moved(moved)
  const by = page.reversed.get(seq) ?? original.reversedBy
  if (by !== null) return words.reversed(seq, by)
  const point = pointNumbered(page, original.point)
  if (!isReversible(original.kind)) return words.notReversible(seq)
  const { from, to, fromId, toId, amount } = original
  const gone = (account: number, id: string | null) => account !== issuance && id === null
  if (gone(from, fromId) || gone(to, toId)) return words.memberGone(seq)
  const sides = { from: { account: to, id: toId ?? '' }, to: { account: from, id: fromId ?? '' } }
  const made = move(page, command, { kind: 'reversal', point, ...sides, amount, link: seq })
  if (!('code' in made)) page.reversed.set(seq, made.seq)
  return made
}

/** One of those whose points a reversal would move and who is not as `If-Match` says: each must be. */
function movedSince(page: Page, original: Original, ifMatch: IfMatch | undefined): string | undefined {
  if (ifMatch === undefined || ifMatch === 'exists') return undefined
  const { from, to, fromId, toId } = original
  const sides = [
    { account: from, id: fromId },
    { account: to, id: toId },
  ]
  const moved = sides.find(({ account }) => isMembers(account) && isMoved(page, account, ifMatch))
  return moved && (moved.id ?? '')
}

function hold(page: Page, command: Hold): Entry | Refusal {
  const { member: id, tokens: amount, forUs, untilUs, ifMatch } = command
  const found = find(page, command)
  if ('code' in found) return found
  const { point, member } = found
  if (isMoved(page, member, ifMatch)) return words.moved(id)
  if (isFrozen(page, member)) return words.frozen(id)
  if (member === undefined) return words.tooFew(id, 0n, amount)
  const to = { account: heldOf(member), id }
  const made = move(page, command, { kind: 'hold', point, from: { account: member, id }, to, amount })
  if (!('code' in made)) {
    // By the clock: where it was wrong entries are ahead of it for a while, and no hold is longer for it.
    const expiresUs = untilUs ?? page.state.nowUs + forUs
    const held = { account: member, id, point: point.number, amount, expiresUs, endedBy: null }
    page.holds.set(made.seq, held)
  }
  return made
}

/** A hold that has not ended. */
function openHold(page: Page, seq: bigint): Held | Refusal {
  const held = holdOf(page, seq)
  if (!held) return words.noHold(seq)
  const by = page.ended.get(seq) ?? held.endedBy
  return by === null ? held : words.holdEnded(seq, by)
}

function capture(page: Page, command: Capture): Entry[] | Refusal {
  const held = openHold(page, command.hold)
  if ('code' in held) return held
  const { account, amount: whole } = held
  const id = held.id ?? ''
  if (isMoved(page, account, command.ifMatch)) return words.moved(id)
  if (page.state.nowUs >= held.expiresUs) return words.holdExpired(command.hold)
  if (isFrozen(page, account)) return words.frozenHold(command.hold)
  const amount = command.tokens ?? whole
  if (amount > whole) return words.moreThanHeld(command.hold, whole, amount)
  const point = pointNumbered(page, held.point)
  const from = { account: heldOf(account), id }
  const link = command.hold
  const spent = move(page, command, { kind: 'capture', point, from, to: theRealm, amount, link })
  if ('code' in spent) return spent
  page.ended.set(command.hold, spent.seq)
  if (amount === whole) return [spent]
  const rest: Command = { ...command, retry: undefined, details: undefined }
  const to = { account, id }
  const back = move(page, rest, { kind: 'release', point, from, to, amount: whole - amount, link })
  return 'code' in back ? back : [spent, back]
}

function release(page: Page, command: Release): Entry | Refusal {
  const { hold: link } = command
  const held = openHold(page, link)
  if ('code' in held) return held
  const expires = command.kind === 'expire'
  if (expires && page.state.nowUs < held.expiresUs) return words.holdNotDue(link)
  const { account, amount } = held
  const id = held.id ?? ''
  if (isMoved(page, account, command.ifMatch)) return words.moved(id)
  const sides = { from: { account: heldOf(account), id }, to: { account, id } }
  const point = pointNumbered(page, held.point)
  const made = move(page, command, { kind: expires ? 'expiry' : 'release', point, ...sides, amount, link })
  if (!('code' in made)) page.ended.set(link, made.seq)
  else if (expires) page.deferred.set(link, retryOf(page.state.nowUs, held))
  return made
}

/** Whether a member is not as `If-Match` says. */
const isMoved = (page: Page, member: number | undefined, ifMatch: IfMatch | undefined): boolean => {
  if (ifMatch === 'exists') return member === undefined
  return ifMatch !== undefined && !ifMatch.includes(versionOf(page, member))
}

const leastWaitUs = 2_000_000n
const mostWaitUs = 3_600_000_000n

/** Tried again after as long as it is late already, so that the waits double: 2 seconds to an hour. */
function retryOf(nowUs: bigint, { expiresUs }: Held): bigint {
  const lateUs = nowUs - expiresUs
  if (lateUs < leastWaitUs) return nowUs + leastWaitUs
  return nowUs + (lateUs < mostWaitUs ? lateUs : mostWaitUs)
}

const isOpen = (page: Page): boolean => page.state.config.unknownMembers === 'create'

const isFrozen = (page: Page, account: number | undefined): boolean =>
  account !== undefined && page.state.frozen.has(account)

type Found = { readonly point: Point; readonly member: number | undefined }

/** The kind of points that is meant, and the member's account: none yet for a stranger in an open realm. */
function find(page: Page, { member: id, point: named }: Change): Found | Refusal {
  const { config } = page.state
  const pointId = named ?? config.defaultPoint.id
  const point = config.points.get(pointId)
  if (!point || point.archived) return words.noPoint(pointId)
  const member = accountOf(page, id)
  if (member === undefined && !isOpen(page)) return words.notFound('member_not_found', id)
  return { point, member }
}

function pointNumbered(page: Page, number: number): Point {
  for (const point of page.state.config.points.values()) if (point.number === number) return point
  throw new Error(`the realm has no point ${number}`)
}
