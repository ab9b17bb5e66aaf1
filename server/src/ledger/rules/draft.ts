import type { Code } from '../../errors.ts'
import type { Point } from '../../realms/realm.ts'
import { isPending, ownerOf } from './accounts.ts'
import { issuance } from './command.ts'
import { entryTypes } from './entryTypes.ts'
import {
  balanceKey,
  type Entry,
  type Held,
  type NewBalance,
  type NewMember,
  type NewRefusal,
  type Original,
  type PendingAward,
  type RealmState,
  type RememberedAnswer,
  type StoredBalance,
} from './state.ts'

/** Why an award was not granted when it was due, and when to try again. */
export type Deferral = { readonly retryUs: bigint; readonly code: Code }

/** The realm's draft: the state as read, and what this batch has added to it. */
export type Draft = {
  readonly state: RealmState
  readonly atUs: bigint
  seq: bigint
  nextAccount: number
  accounts: Map<string, number>
  balances: Map<string, NewBalance>
  entries: Entry[]
  members: NewMember[]
  /** Holds created here, and holds ended here, by which entry. */
  holds: Map<bigint, Held>
  ended: Map<bigint, bigint>
  /** Holds that could not expire here, and when to try again. */
  deferred: Map<bigint, bigint>
  /** Awards created here, ended here, and those that could not be granted when they were due. */
  awards: Map<bigint, PendingAward>
  endedAwards: Map<bigint, bigint>
  deferredAwards: Map<bigint, Deferral>
  /** Entries reversed here, by which. */
  reversed: Map<bigint, bigint>
  given: Map<string, bigint>
  /** What keys with a limit per day have moved by now; undefined while no such key moved any. */
  moved: Map<number, bigint> | undefined
  remembered: Map<string, RememberedAnswer>
  refusals: NewRefusal[]
}

export function openDraft(state: RealmState): Draft {
  return {
    state,
    atUs: later(state.nowUs, state.atUs),
    seq: state.seq,
    nextAccount: state.nextAccount,
    accounts: new Map(),
    balances: new Map(),
    entries: [],
    members: [],
    holds: new Map(),
    ended: new Map(),
    deferred: new Map(),
    awards: new Map(),
    endedAwards: new Map(),
    deferredAwards: new Map(),
    reversed: new Map(),
    given: new Map(),
    moved: undefined,
    remembered: new Map(),
    refusals: [],
  }
}

/** Time never goes back within a realm, whatever the clock does. */
function later(a: bigint, b: bigint): bigint {
  return a < b ? b : a
}

/** A copy to try something on; `keep` replaces the draft with it. */
export function fork(draft: Draft): { readonly trial: Draft; readonly keep: () => void } {
  const trial: Draft = {
    ...draft,
    accounts: new Map(draft.accounts),
    balances: new Map(draft.balances),
    entries: [...draft.entries],
    members: [...draft.members],
    holds: new Map(draft.holds),
    ended: new Map(draft.ended),
    deferred: new Map(draft.deferred),
    awards: new Map(draft.awards),
    endedAwards: new Map(draft.endedAwards),
    deferredAwards: new Map(draft.deferredAwards),
    reversed: new Map(draft.reversed),
    given: new Map(draft.given),
    moved: draft.moved && new Map(draft.moved),
    remembered: new Map(draft.remembered),
    refusals: [...draft.refusals],
  }
  return { trial, keep: () => void Object.assign(draft, trial) }
}

/** `lots` are those of both sides after it. */
export function write(draft: Draft, entry: Entry, lots?: SideLots): void {
  draft.seq = entry.seq
  draft.entries.push(entry)
  const { from, to, fromBalance, toBalance } = entry
  if (fromBalance !== null)
    setBalance(draft, entry, { account: from, balance: fromBalance, ...lotsOn(lots?.from) })
  if (toBalance !== null) setBalance(draft, entry, { account: to, balance: toBalance, ...lotsOn(lots?.to) })
  if (entry.kind === 'transfer' && entry.point.maxPerDay !== null) {
    const key = balanceKey(entry.from, entry.point.number)
    draft.given.set(key, givenBy(draft, key) + entry.amount)
  }
}

const lotsOn = (lots: string | null | undefined) => (lots == null ? undefined : { lots })

type SideLots = { readonly from: string | null; readonly to: string | null }

function setBalance(
  draft: Draft,
  entry: Entry,
  side: Pick<NewBalance, 'account' | 'balance' | 'lots'>,
): void {
  const key = balanceKey(side.account, entry.point.number)
  const replaces = draft.state.balances.get(key)?.seq ?? null
  draft.balances.set(key, { ...side, point: entry.point.number, seq: entry.seq, replaces })
}

export function accountOf(draft: Draft, id: string): number | undefined {
  return draft.accounts.get(id) ?? draft.state.accounts.get(id)
}

/** The id of a member that a command names by its id or by an identity. */
export const memberIdOf = (draft: Draft, name: string): string => draft.state.context.ids?.get(name) ?? name

function idOf(draft: Draft, account: number): string | null {
  for (const accounts of [draft.accounts, draft.state.accounts]) {
    for (const [id, number] of accounts) if (number === account) return memberIdOf(draft, id)
  }
  return null
}

export function holdOf(draft: Draft, seq: bigint): Held | undefined {
  return draft.holds.get(seq) ?? draft.state.context.holds.get(seq)
}

export function awardOf(draft: Draft, seq: bigint): PendingAward | undefined {
  return draft.awards.get(seq) ?? draft.state.context.awards.get(seq)
}

/** An entry to be reversed: as read, or created in this draft. */
export function originalOf(draft: Draft, seq: bigint): Original | undefined {
  const read = draft.state.context.originals.get(seq)
  if (read) return read
  const made = draft.entries.find((entry) => entry.seq === seq)
  if (!made) return undefined
  const { kind, point, to, amount, lots } = made
  // A reversed grant goes back to where the award came from.
  const from = isPending(made.from) ? issuance : ownerOf(made.from)
  // A capture names a hold, not a member.
  const fromId = kind === 'capture' ? (holdOf(draft, made.link ?? 0n)?.id ?? null) : idOf(draft, from)
  const parties = { from, to, fromId, toId: idOf(draft, to) }
  return { kind: entryTypes[kind].number, point: point.number, amount, ...parties, reversedBy: null, lots }
}

export function balanceOf(draft: Draft, account: number, point: Point): bigint {
  return storedOf(draft, account, point)?.balance ?? 0n
}

/** A balance as decided so far, or as read. */
export function storedOf(draft: Draft, account: number, point: Point): StoredBalance | undefined {
  const key = balanceKey(account, point.number)
  return draft.balances.get(key) ?? draft.state.balances.get(key)
}

/** What an account transferred of a point type since midnight. */
export function givenBy(draft: Draft, key: string): bigint {
  return draft.given.get(key) ?? draft.state.context.given.get(key) ?? 0n
}

/** What a key has moved on the day of the entries being decided. */
export function movedBy(draft: Draft, key: number): bigint {
  const stored = draft.state.context.keyDays?.get(key)
  return draft.moved?.get(key) ?? (stored?.day === dayOf(draft.atUs) ? stored.moved : 0n)
}

const dayUs = 86_400_000_000n

/** The days of keys are those of UTC, numbered from 1970-01-01. */
export const dayOf = (atUs: bigint): number => Number(atUs / dayUs)

export const dayEndsUs = (atUs: bigint): bigint => (atUs / dayUs + 1n) * dayUs

/** The entry that last moved any points of a member; 0 for a member whose points never moved. */
export function versionOf(draft: Draft, account: number | undefined): bigint {
  if (account === undefined) return 0n
  let version = draft.state.context.versions.get(account) ?? 0n
  for (const moved of draft.balances.values()) {
    if (ownerOf(moved.account) === account && moved.seq > version) version = moved.seq
  }
  return version
}

/** Creates the member that a command names; `move` calls it for an account that does not exist yet. */
export function addMember(draft: Draft, name: string): number {
  const account = draft.nextAccount++
  draft.accounts.set(name, account)
  const id = memberIdOf(draft, name)
  draft.members.push(id === name ? { account, id } : { account, id, identity: name })
  return account
}
