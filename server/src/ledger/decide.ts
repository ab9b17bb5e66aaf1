import type { Refusal } from '../errors.ts'
import type { Point, RealmConfig } from '../realms/realm.ts'
import {
  type Command,
  type Details,
  greatest,
  issuance,
  type Outcome,
  type Receipt,
  type Retry,
} from './command.ts'

/** An entry as decided; its hash is added when the realm's chain is sealed. */
export type Entry = Receipt & {
  readonly atUs: bigint
  readonly kind: Command['kind']
  readonly key: number
  readonly point: Point
  readonly from: number
  readonly to: number
  readonly amount: bigint
  readonly retry: Retry | undefined
  readonly details: Details | undefined
}

/** What the realm remembers under an Idempotency-Key. */
export type Remembered = {
  readonly fingerprint: string
  /** The public id of the point that the first request meant. */
  readonly point: string
  readonly outcome: Outcome
}

/** A balance as it is stored, and the entry that left it so: null where no row is yet. */
export type Stored = { readonly balance: bigint; readonly seq: bigint | null }

/** All that a decision may look at. */
export type RealmState = {
  readonly config: RealmConfig
  readonly seq: bigint
  readonly atUs: bigint
  readonly nextAccount: number
  readonly nowUs: bigint
  readonly accounts: ReadonlyMap<string, number>
  readonly balances: ReadonlyMap<string, Stored>
  readonly remembered: ReadonlyMap<string, Remembered>
}

export type NewBalance = {
  readonly account: number
  readonly point: number
  readonly balance: bigint
  readonly seq: bigint
  /** The seq of the row that it replaces; null for one that is new. */
  readonly replaces: bigint | null
}
export type NewMember = { readonly account: number; readonly id: string }
export type NewRefusal = {
  readonly retry: Retry
  readonly point: string
  readonly refusal: Refusal
  readonly requestId: string
}

export type Decision = {
  /** One for each command, in their order. */
  readonly outcomes: Outcome[]
  readonly entries: Entry[]
  readonly balances: NewBalance[]
  readonly members: NewMember[]
  readonly refusals: NewRefusal[]
  readonly atUs: bigint
  readonly nextAccount: number
}

export const balanceKey = (account: number, point: number): string => `${account}:${point}`

/** The realm's page while it is being written on: the state as read, and what this batch has added to it. */
type Page = {
  readonly state: RealmState
  readonly atUs: bigint
  seq: bigint
  nextAccount: number
  readonly accounts: Map<string, number>
  readonly balances: Map<string, NewBalance>
  readonly remembered: Map<string, Remembered>
  readonly entries: Entry[]
  readonly members: NewMember[]
  readonly refusals: NewRefusal[]
}

/**
 * Decides a realm's commands in the order they came. Pure: it reads what it is handed and changes nothing.
 */
export function decide(state: RealmState, commands: readonly Command[]): Decision {
  const page: Page = {
    state,
    atUs: later(state.nowUs, state.atUs),
    seq: state.seq,
    nextAccount: state.nextAccount,
    accounts: new Map(),
    balances: new Map(),
    remembered: new Map(),
    entries: [],
    members: [],
    refusals: [],
  }
  const outcomes = commands.map((command) => answer(page, command))
  const { entries, members, refusals, nextAccount } = page
  const atUs = entries.length > 0 ? page.atUs : state.atUs
  return { outcomes, entries, members, refusals, nextAccount, atUs, balances: [...page.balances.values()] }
}

/** Time never goes back within a realm, whatever the clock does. */
function later(a: bigint, b: bigint): bigint {
  return a < b ? b : a
}

function answer(page: Page, command: Command): Outcome {
  const { retry, requestId } = command
  const point = command.point ?? page.state.config.defaultPoint.id
  if (retry) {
    const earlier = page.remembered.get(retry.request) ?? page.state.remembered.get(retry.request)
    if (earlier) return replay(earlier, command, point)
  }
  const result = post(page, command, point)
  const outcome: Outcome =
    'code' in result
      ? { kind: 'refused', refusal: result, requestId, replayed: false }
      : { kind: 'done', receipt: result, replayed: false }
  if (retry) {
    page.remembered.set(retry.request, { fingerprint: retry.fingerprint, point, outcome })
    if (outcome.kind === 'refused') page.refusals.push({ retry, point, refusal: outcome.refusal, requestId })
  }
  return outcome
}

/**
 * The same meaning, and the same point: named, or left out for the default. One that was left out both times
 * is the same request even when the default has changed between.
 */
function sameRequest(earlier: Remembered, { retry, point: named }: Command, point: string): boolean {
  if (!retry || earlier.fingerprint.slice(0, -1) !== retry.fingerprint.slice(0, -1)) return false
  return earlier.point === point || (named === undefined && earlier.fingerprint === retry.fingerprint)
}

function replay(earlier: Remembered, command: Command, point: string): Outcome {
  if (sameRequest(earlier, command, point)) {
    return earlier.outcome.kind === 'recalled' ? earlier.outcome : { ...earlier.outcome, replayed: true }
  }
  const refusal: Refusal = {
    code: 'idempotency_key_reused',
    detail: 'This Idempotency-Key was used for another request. Use a new key for a new request.',
  }
  return { kind: 'refused', refusal, requestId: command.requestId, replayed: false }
}

/** The rules, in the contract's order: point, member, recipient, same member, too few points, too many. */
function post(page: Page, command: Command, pointId: string): Receipt | Refusal {
  const { config } = page.state
  const point = config.points.get(pointId)
  if (!point || point.archived) return pointNotFound(pointId)
  const credit = command.kind === 'adjust' && command.tokens > 0n
  const open = config.unknownMembers === 'create'
  const member = accountOf(page, command.member)
  if (member === undefined && !open) return memberNotFound('member_not_found', command.member)
  if (command.kind === 'adjust') {
    return credit
      ? move(page, command, { point, from: issuance, to: member ?? 'new', amount: command.tokens })
      : move(page, command, { point, from: member ?? 'new', to: issuance, amount: -command.tokens })
  }
  const recipient = accountOf(page, command.recipient)
  if (recipient === undefined && !open) return memberNotFound('recipient_not_found', command.recipient)
  if (command.member === command.recipient) {
    return { code: 'same_member', detail: `Member ${command.member} can't transfer points to itself.` }
  }
  return move(page, command, { point, from: member ?? 'new', to: recipient ?? 'new', amount: command.tokens })
}

/** `new` is a member who has no account yet. It has nothing to give; receiving makes the account. */
type Move = {
  readonly point: Point
  readonly from: number | 'new'
  readonly to: number | 'new'
  readonly amount: bigint
}

function move(page: Page, command: Command, { point, from, to, amount }: Move): Receipt | Refusal {
  const had = from === issuance ? null : from === 'new' ? 0n : balanceOf(page, from, point)
  const has = to === issuance ? null : to === 'new' ? 0n : balanceOf(page, to, point)
  if (from === 'new' || (had !== null && had < amount)) {
    const detail = `Member ${command.member} has ${had} points; ${amount} were asked for.`
    return { code: 'insufficient_points', detail }
  }
  if (has !== null && has + amount > greatest) {
    const receiver = command.kind === 'transfer' ? command.recipient : command.member
    const detail = `Member ${receiver} has ${has} points; ${amount} more would pass the limit of ${greatest}.`
    return { code: 'balance_limit', detail }
  }
  const receiver = command.kind === 'transfer' ? command.recipient : command.member
  const entry: Entry = {
    seq: page.seq + 1n,
    atUs: page.atUs,
    kind: command.kind,
    key: command.key,
    point,
    from,
    to: to === 'new' ? addMember(page, receiver) : to,
    amount,
    fromBalance: had === null ? null : had - amount,
    toBalance: has === null ? null : has + amount,
    retry: command.retry,
    details: command.details,
  }
  write(page, entry)
  return entry
}

function write(page: Page, entry: Entry): void {
  page.seq = entry.seq
  page.entries.push(entry)
  if (entry.fromBalance !== null) setBalance(page, entry, { account: entry.from, balance: entry.fromBalance })
  if (entry.toBalance !== null) setBalance(page, entry, { account: entry.to, balance: entry.toBalance })
}

function setBalance(page: Page, entry: Entry, side: { account: number; balance: bigint }): void {
  const key = balanceKey(side.account, entry.point.number)
  const replaces = page.state.balances.get(key)?.seq ?? null
  page.balances.set(key, { ...side, point: entry.point.number, seq: entry.seq, replaces })
}

function accountOf(page: Page, id: string): number | undefined {
  return page.accounts.get(id) ?? page.state.accounts.get(id)
}

function balanceOf(page: Page, account: number, point: Point): bigint {
  const key = balanceKey(account, point.number)
  return page.balances.get(key)?.balance ?? page.state.balances.get(key)?.balance ?? 0n
}

function addMember(page: Page, id: string): number {
  const account = page.nextAccount++
  page.accounts.set(id, account)
  page.members.push({ account, id })
  return account
}

function pointNotFound(id: string): Refusal {
  return { code: 'point_not_found', detail: `The realm has no kind of points with the id ${id}.` }
}

function memberNotFound(code: 'member_not_found' | 'recipient_not_found', id: string): Refusal {
  return { code, detail: `The realm has no member ${id}.` }
}
