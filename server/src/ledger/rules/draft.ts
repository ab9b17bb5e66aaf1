import type { Point } from '../../realms/realm.ts'
import {
  balanceKey,
  type Entry,
  type Held,
  kindNumbers,
  type NewBalance,
  type NewMember,
  type NewRefusal,
  type Original,
  type RealmState,
  type Remembered,
} from './state.ts'

/** The realm's page while it is being written on: the state as read, and what this batch has added to it. */
export type Page = {
  readonly state: RealmState
  readonly atUs: bigint
  seq: bigint
  nextAccount: number
  accounts: Map<string, number>
  balances: Map<string, NewBalance>
  entries: Entry[]
  members: NewMember[]
  /** Holds made here, and those that ended here, by which entry. */
  holds: Map<bigint, Held>
  ended: Map<bigint, bigint>
  /** Holds that could not expire here, and when to try again. */
  deferred: Map<bigint, bigint>
  /** Entries reversed here, by which. */
  reversed: Map<bigint, bigint>
  given: Map<string, bigint>
  remembered: Map<string, Remembered>
  refusals: NewRefusal[]
}

export function openPage(state: RealmState): Page {
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
    reversed: new Map(),
    given: new Map(),
    remembered: new Map(),
    refusals: [],
  }
}

/** Time never goes back within a realm, whatever the clock does. */
function later(a: bigint, b: bigint): bigint {
  return a < b ? b : a
}

/** A copy to try something on; `keep` makes it the page. */
export function tryOn(page: Page): { readonly trial: Page; readonly keep: () => void } {
  const trial: Page = {
    ...page,
    accounts: new Map(page.accounts),
    balances: new Map(page.balances),
    entries: [...page.entries],
    members: [...page.members],
    holds: new Map(page.holds),
    ended: new Map(page.ended),
    deferred: new Map(page.deferred),
    reversed: new Map(page.reversed),
    given: new Map(page.given),
    remembered: new Map(page.remembered),
    refusals: [...page.refusals],
  }
  return { trial, keep: () => void Object.assign(page, trial) }
}

export function write(page: Page, entry: Entry): void {
  page.seq = entry.seq
  page.entries.push(entry)
  if (entry.fromBalance !== null) setBalance(page, entry, { account: entry.from, balance: entry.fromBalance })
  if (entry.toBalance !== null) setBalance(page, entry, { account: entry.to, balance: entry.toBalance })
  if (entry.kind === 'transfer' && entry.point.maxPerDay !== null) {
    const key = balanceKey(entry.from, entry.point.number)
    page.given.set(key, givenBy(page, key) + entry.amount)
  }
}

function setBalance(page: Page, entry: Entry, side: { account: number; balance: bigint }): void {
  const key = balanceKey(side.account, entry.point.number)
  const replaces = page.state.balances.get(key)?.seq ?? null
  page.balances.set(key, { ...side, point: entry.point.number, seq: entry.seq, replaces })
}

export function accountOf(page: Page, id: string): number | undefined {
  return page.accounts.get(id) ?? page.state.accounts.get(id)
}

function idOf(page: Page, account: number): string | null {
  for (const accounts of [page.accounts, page.state.accounts]) {
    for (const [id, number] of accounts) if (number === account) return id
  }
  return null
}

export function holdOf(page: Page, seq: bigint): Held | undefined {
  return page.holds.get(seq) ?? page.state.aside.holds.get(seq)
}

/** An entry that is to be reversed: as it was read, or made here. */
export function originalOf(page: Page, seq: bigint): Original | undefined {
  const read = page.state.aside.originals.get(seq)
  if (read) return read
  const made = page.entries.find((entry) => entry.seq === seq)
  if (!made) return undefined
  const { kind, point, to, amount } = made
  const from = Math.abs(made.from)
  // Whoever captures names a hold and no member.
  const fromId = kind === 'capture' ? (holdOf(page, made.link ?? 0n)?.id ?? null) : idOf(page, from)
  const parties = { from, to, fromId, toId: idOf(page, to) }
  return { kind: kindNumbers[kind], point: point.number, amount, ...parties, reversedBy: null }
}

export function balanceOf(page: Page, account: number, point: Point): bigint {
  const key = balanceKey(account, point.number)
  return page.balances.get(key)?.balance ?? page.state.balances.get(key)?.balance ?? 0n
}

/** What a balance gave by transfers since midnight. */
export function givenBy(page: Page, key: string): bigint {
  return page.given.get(key) ?? page.state.aside.given.get(key) ?? 0n
}

/** The entry that last moved any points of a member; 0 for one that has never moved any. */
export function versionOf(page: Page, account: number | undefined): bigint {
  if (account === undefined) return 0n
  let version = page.state.aside.versions.get(account) ?? 0n
  for (const moved of page.balances.values()) {
    if (Math.abs(moved.account) === account && moved.seq > version) version = moved.seq
  }
  return version
}

export function addMember(page: Page, id: string): number {
  const account = page.nextAccount++
  page.accounts.set(id, account)
  page.members.push({ account, id })
  return account
}
