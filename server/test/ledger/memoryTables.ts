import assert from 'node:assert/strict'
import { type LoadedState, statesOf } from '../../src/ledger/lane/loadState.ts'
import { partiesOf } from '../../src/ledger/lane/parties.ts'
import type { RequestRow } from '../../src/ledger/lane/store.ts'
import type { Command, PostedCommand } from '../../src/ledger/rules/command.ts'
import { entryTypes } from '../../src/ledger/rules/entryTypes.ts'
import {
  balanceKey,
  type Decision,
  type Entry,
  type Held,
  type RealmState,
} from '../../src/ledger/rules/state.ts'
import type { Point, RealmConfig } from '../../src/realms/realm.ts'
import type { Line, ModelRealm } from './requests.ts'

const realm = 1

type Stored = { readonly balance: bigint; readonly seq: bigint; readonly lots?: string | null | undefined }

/** A realm's tables in memory: the rows that the store would read for a batch, and write afterwards. */
export class MemoryTables {
  #config: RealmConfig
  #atUs = 0n
  #nextAccount: number
  readonly accounts: Map<string, number>
  readonly frozen = new Set<string>()
  readonly balances = new Map<string, Stored>()
  readonly journal: Entry[] = []
  readonly holds = new Map<bigint, Held>()
  readonly #refusals = new Map<string, RequestRow>()

  constructor(made: ModelRealm) {
    this.#config = configOf(made)
    this.accounts = new Map(made.members.map((id, index) => [id, index + 1]))
    this.#nextAccount = made.members.length + 1
  }

  /** The state as read for these commands only, deeply frozen. */
  read(posted: readonly PostedCommand[], nowUs: bigint): RealmState {
    const commands = posted.flatMap((one) => (one.kind === 'rehearsal' ? one.commands : [one]))
    const config = this.#config
    const parties = commands.flatMap((command) => partiesOf(command, config))
    const holders = commands.flatMap((one) => (one.kind === 'hold' ? partiesOf(one, config) : []))
    const matched = commands.flatMap((one) => ('member' in one && one.ifMatch ? [one.member] : []))
    const loaded: LoadedState = {
      parties: parties.flatMap(({ id, point }) => this.#party(id, point)),
      ...this.#requests(commands),
      originals: commands.flatMap((one) => (one.kind === 'reverse' ? this.#original(one.entry) : [])),
      holds: commands.flatMap((one) => ('hold' in one ? this.#hold(one.hold) : [])),
      held: holders.flatMap(({ id, point }) => this.#held(id, point)),
      awards: [],
      keyDays: [],
      following: [],
      given: [],
      versions: matched.flatMap((id) => this.#version(id)),
    }
    const seq = BigInt(this.journal.length)
    const numbers = { realm, seq, at_us: this.#atUs, next_account: this.#nextAccount, now_us: nowUs }
    const head = { ...numbers, hash: '', config_version: config.version }
    const state = statesOf([head], loaded, new Map([[realm, config]])).get(realm)
    if (!state) throw new Error('the realm has a head')
    return frozen({ ...state })
  }

  #at(account: number, point: number): Partial<Stored> {
    return this.balances.get(balanceKey(account, point)) ?? {}
  }

  #party(id: string, point: number): LoadedState['parties'] {
    const account = this.accounts.get(id)
    if (account === undefined) return []
    const { balance = 0n, seq = null, lots = null } = this.#at(account, point)
    return [{ realm, id, point, account, frozen: this.frozen.has(id), balance, seq, lots }]
  }

  #held(id: string, point: number): LoadedState['held'] {
    const account = -(this.accounts.get(id) ?? 0)
    const { balance, seq } = this.#at(account, point)
    return balance === undefined || seq === undefined ? [] : [{ realm, account, point, balance, seq }]
  }

  #version(id: string): LoadedState['versions'] {
    const account = this.accounts.get(id)
    if (account === undefined) return []
    const own = [...this.balances].filter(([key]) => Math.abs(Number(key.split(':')[0])) === account)
    return [{ realm, account, version: own.reduce((max, [, { seq }]) => (seq > max ? seq : max), 0n) }]
  }

  #original(asked: bigint): LoadedState['originals'] {
    const entry = this.journal[Number(asked) - 1]
    if (!entry) return []
    const { seq, kind, point, to, amount, lots = null } = entry
    const from = Math.abs(entry.from)
    const reversal = this.journal.find((one) => one.kind === 'reversal' && one.link === seq)
    const [sender, receiver] = [this.#at(from, point.number), this.#at(to, point.number)]
    const sides = { from_account: from, to_account: to }
    const ids = { from_id: this.memberOf(from), to_id: this.memberOf(to) }
    const senders = {
      from_balance: sender.balance ?? null,
      from_seq: sender.seq ?? null,
      from_lots: sender.lots ?? null,
    }
    const receivers = {
      to_balance: receiver.balance ?? null,
      to_seq: receiver.seq ?? null,
      to_lots: receiver.lots ?? null,
    }
    const row = { realm, seq, kind: entryTypes[kind].number, point: point.number, amount, lots }
    return [{ ...row, ...sides, ...ids, ...senders, ...receivers, reversed_by: reversal?.seq ?? null }]
  }

  #hold(seq: bigint): LoadedState['holds'] {
    const held = this.holds.get(seq)
    if (!held) return []
    const { account, point, amount, expiresUs, endedBy, lots = null } = held
    const [own, beside] = [this.#at(account, point), this.#at(-account, point)]
    const row = { realm, seq, account, point, amount, due_us: expiresUs, ended_seq: endedBy, lots }
    const owns = {
      balance: own.balance ?? null,
      balance_seq: own.seq ?? null,
      balance_lots: own.lots ?? null,
    }
    const helds = { held: beside.balance ?? null, held_seq: beside.seq ?? null }
    const member = this.memberOf(account)
    return [{ ...row, ...owns, ...helds, id: member, frozen: this.frozen.has(member ?? '') }]
  }

  #requests(commands: readonly Command[]): Pick<LoadedState, 'requests' | 'followers'> {
    const asked = new Set(commands.flatMap(({ retry }) => (retry ? [retry.request] : [])))
    const made = this.journal.filter(({ retry }) => retry && asked.has(retry.request))
    const refused = [...asked].flatMap((request) => this.#refusals.get(request) ?? [])
    const several = new Set(
      commands.flatMap(({ kind, retry }) => (kind === 'batch' || kind === 'capture' ? retry?.request : [])),
    )
    const followers = made
      .filter(({ retry }) => several.has(retry?.request))
      .flatMap((one) => this.#rest(one))
    return { requests: [...made.map(requestRow), ...refused], followers }
  }

  /** The entries of one request after its first. */
  #rest({ seq: first, kind, link, retry }: Entry): LoadedState['followers'] {
    const isNext = (entry: Entry) =>
      (entry.kind === 'adjust' && entry.link === first) ||
      (kind === 'capture' && entry.kind === 'release' && entry.link === link)
    return this.journal.filter(isNext).map(({ seq, atUs, amount, fromBalance, toBalance }) => {
      const balances = { from_balance: fromBalance, to_balance: toBalance }
      return { realm, request: retry?.request ?? '', seq, at_us: atUs, amount, ...balances }
    })
  }

  write({ entries, members, balances, holds, endedHolds, refusals, nextAccount, atUs }: Decision): void {
    this.#nextAccount = nextAccount
    this.#atUs = atUs
    for (const { id, account } of members) this.accounts.set(id, account)
    for (const { account, point, balance, seq, lots } of balances)
      this.balances.set(balanceKey(account, point), { balance, seq, lots })
    this.journal.push(...entries)
    for (const { seq, held } of holds) this.holds.set(seq, held)
    for (const { seq, endedBy } of endedHolds) {
      const held = this.holds.get(seq)
      if (held?.endedBy !== null) throw new Error(`hold ${seq} ends twice, or never existed`)
      this.holds.set(seq, { ...held, endedBy })
    }
    for (const { retry, point, refusal, requestId } of refusals) {
      const body = JSON.stringify({ code: refusal.code, requestId })
      this.#refusals.set(retry.request, {
        ...requestRow(),
        ...keyOf(retry),
        point_id: point,
        status: 422,
        body,
      })
    }
  }

  changeDefault(id: string): void {
    const { points, version } = this.#config
    const defaultPoint = points.get(id)
    if (!defaultPoint) throw new Error(`unknown point type ${id}`)
    this.#config = { ...this.#config, version: version + 1, defaultPoint }
  }

  forgetRefusals(): void {
    this.#refusals.clear()
  }

  memberOf(account: number): string | null {
    for (const [id, number] of this.accounts) if (number === account) return id
    return null
  }

  /** An account as the model names it. */
  nameOf(account: number): string | null {
    return account < 0 ? `held ${this.memberOf(-account)}` : this.memberOf(account)
  }

  /** All balances as the model names them. */
  namedBalances(): Map<string, bigint> {
    const names = new Map([...this.#config.points.values()].map(({ number, id }) => [number, id]))
    return new Map(
      [...this.balances].map(([key, { balance }]) => {
        const [account = 0, point = 0] = key.split(':').map(Number)
        return [`${names.get(point)} ${this.nameOf(account)}`, balance]
      }),
    )
  }

  lineOf({ seq, atUs, kind, from, to, point, amount, fromBalance, toBalance, ...rest }: Entry): Line {
    const sides = { from: this.nameOf(from), to: this.nameOf(to), point: point.id, amount }
    const { link, retry, details } = rest
    const origin = { link, reason: details?.reason, idempotencyKey: retry?.request }
    return { seq, atUs, kind, ...sides, fromBalance, toBalance, ...origin }
  }
}

const keyOf = ({ request, fingerprint }: { request: string; fingerprint: string }) => ({
  realm,
  request,
  fingerprint,
})

function requestRow(entry?: Entry): RequestRow {
  const { seq = null, atUs: at_us = null, amount = null, fromBalance = null, toBalance = null } = entry ?? {}
  const key = keyOf(entry?.retry ?? { request: '', fingerprint: '' })
  const balances = { from_balance: fromBalance, to_balance: toBalance }
  const refusal = { point_id: null, status: null, body: null }
  return { ...key, seq, at_us, amount, point: entry?.point.number ?? null, ...balances, ...refusal }
}

/** A point type without rules. */
export function plainPoint(id: string, number: number): Point {
  const limits = { maxBalance: null, maxPerTransfer: null, maxPerDay: null }
  return { id, name: id, number, emoji: null, archived: false, transferable: true, ...limits }
}

/** The default is not the first one created. */
function configOf({ open, points }: ModelRealm): RealmConfig {
  const made = points.map((point, index) => ({ ...plainPoint(point.id, points.length - index), ...point }))
  const [defaultPoint] = made
  if (!defaultPoint) throw new Error('a realm needs a point type')
  const looks = { id: 'realm', name: 'Realm', logo: null, colours: null, timeZone: 'UTC', publicBoard: false }
  const state = { version: 1, ...looks, suspended: null, hasMerges: false }
  const byId = new Map(made.map((point) => [point.id, point]))
  return { ...state, unknownMembers: open ? 'create' : 'refuse', defaultPoint, points: byId }
}

/** Freezes a value deeply; a Map by removing its mutating methods. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || Buffer.isBuffer(value)) {
    return value
  }
  if (value instanceof Map) {
    const refuse = () => assert.fail('a decision must not change its input')
    Object.assign(value, { set: refuse, delete: refuse, clear: refuse })
    for (const item of value.values()) frozen(item)
  }
  for (const item of Object.values(value)) frozen(item)
  return Object.freeze(value)
}
