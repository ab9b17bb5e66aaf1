import { setTimeout as sleep } from 'node:timers/promises'
import type { Queryable } from '../db/session.ts'
import type { RealmConfig } from '../realms/realms.ts'
import type { Command } from './command.ts'
import { balanceKey, type RealmState, type Stored } from './decide.ts'
import { partiesOf } from './parties.ts'
import { type Asked, readParties } from './store.ts'
import type { Decided } from './write.ts'

/** Balances remembered at most, some 60 MB of them; past it a realm's are dropped and read again. */
const balancesCap = 200_000
/** Idempotency-Keys seen last, twice this many at most. */
const requestsCap = 50_000
/** How long a batch waits for what is missing in memory. */
const learnMs = 250
/** Batches that a realm is read under the lock after its memory proved wrong, at most. */
const doubtCap = 64

/** A realm as this process will have left it when all that it has sent is committed. */
type Realm = {
  readonly config: RealmConfig
  readonly nextAccount: number
  seq: bigint
  hash: string
  atUs: bigint
  readonly accounts: Map<string, number>
  readonly balances: Map<string, Stored>
}

/** Batches still to be read under the lock, and how many it will be after the next mistake. */
type Doubt = { left: number; next: number }

/**
 * What this process knows of realms, so that it need not ask. It may be wrong at any time, as others write
 * too: all that was decided from it is checked by PostgreSQL in the same transaction, and what is wrong is
 * forgotten.
 */
export class Memory {
  readonly #db: Queryable
  readonly #realms = new Map<number, Realm>()
  readonly #doubts = new Map<number, Doubt>()
  #recent = new Set<string>()
  #older = new Set<string>()
  #balances = 0
  /** What the database's clock is ahead of ours, in microseconds. */
  #aheadUs = 0n

  /** `db` must be the one that is written to. */
  constructor(db: Queryable) {
    this.#db = db
  }

  /** The realms among these whose commands can all be decided from memory, once what is missing was read. */
  async recall(commands: readonly Command[]): Promise<ReadonlySet<number>> {
    const missing: Asked[] = []
    const recalled = this.#sort(commands, missing)
    if (missing.length === 0) return recalled
    // Who can't be read now is read under the lock, where a database that is away is answered for.
    await Promise.race([this.#learn(missing).catch(() => {}), sleep(learnMs, undefined, { ref: false })])
    return this.#sort(commands, [])
  }

  /** What a decision looks at, and the hash it goes on from. Only of a realm just recalled. */
  stateOf(realm: number, nowUs: bigint): { readonly hash: string; readonly state: RealmState } {
    const known = this.#realms.get(realm)
    if (!known) throw new Error(`realm ${realm} is not in memory`)
    const { hash, config, seq, atUs, nextAccount, accounts, balances } = known
    const state = { config, seq, atUs, nextAccount, accounts, balances, remembered: new Map() }
    return { hash, state: { ...state, nowUs } }
  }

  /** Takes up what was decided from memory, before it is committed: the next batch builds on it. */
  advance(decided: Decided): void {
    const known = this.#realms.get(decided.realm)
    if (!known) return
    this.#take(known, decided)
  }

  /** Takes up what was read and decided under the lock, and committed. */
  keep(decided: Decided): void {
    const { realm, state, hash } = decided
    this.readClock(state.nowUs)
    const known = this.#realms.get(realm)
    // Someone else writes here: what they did to balances that are remembered is not known.
    if (known && known.hash !== hash) this.forget(realm)
    if (!this.#trusts(realm)) {
      this.#noteRequests(decided)
      return
    }
    const same = this.#realms.get(realm)
    const { config, nextAccount } = state
    const kept: Realm = {
      config,
      nextAccount,
      seq: state.seq,
      hash,
      atUs: state.atUs,
      accounts: same?.accounts ?? new Map(),
      balances: same?.balances ?? new Map(),
    }
    this.#realms.delete(realm)
    this.#realms.set(realm, kept)
    for (const [id, account] of state.accounts) kept.accounts.set(id, account)
    for (const { id, account } of decided.decision.members) kept.accounts.set(id, account)
    for (const [key, stored] of state.balances) this.#set(kept, key, stored)
    this.#take(kept, decided)
  }

  /** A batch decided from memory was committed. */
  confirm(realms: Iterable<number>): void {
    for (const realm of realms) {
      const doubt = this.#doubts.get(realm)
      if (doubt && --doubt.next < 1) this.#doubts.delete(realm)
    }
  }

  /** What is remembered of the realm was wrong. The more often, the longer it is not relied on. */
  forget(realm: number): void {
    if (!this.#realms.has(realm)) return
    this.#drop(realm)
    const next = this.#doubts.get(realm)?.next ?? 1
    this.#doubts.delete(realm)
    this.#doubts.set(realm, { left: next, next: Math.min(doubtCap, next * 2) })
    if (this.#doubts.size > requestsCap) this.#doubts.delete(this.#doubts.keys().next().value ?? realm)
  }

  /** The time by the database's clock, as far as we know it. */
  get nowUs(): bigint {
    return ownClockUs() + this.#aheadUs
  }

  /** The database's clock, as it was just read. */
  readClock(nowUs: bigint): void {
    this.#aheadUs = nowUs - ownClockUs()
  }

  #trusts(realm: number): boolean {
    const doubt = this.#doubts.get(realm)
    if (!doubt || doubt.left <= 0) return true
    doubt.left -= 1
    return doubt.left <= 0
  }

  /** The realms that all is known of for these commands. What else must be read is added to `missing`. */
  #sort(commands: readonly Command[], missing: Asked[]): Set<number> {
    const recalled = new Set<number>()
    const others = new Set<number>()
    for (const command of commands) {
      const { realm, retry } = command
      const known = this.#realms.get(realm)
      if (!known || (retry && this.#wasSeen(retry.request))) {
        others.add(realm)
        continue
      }
      recalled.add(realm)
      for (const { id, point } of partiesOf(command, known.config)) {
        const account = known.accounts.get(id)
        if (account !== undefined && known.balances.has(balanceKey(account, point))) continue
        others.add(realm)
        missing.push({ realm, id, point })
      }
    }
    for (const realm of others) recalled.delete(realm)
    return recalled
  }

  #wasSeen(request: string): boolean {
    return this.#recent.has(request) || this.#older.has(request)
  }

  async #learn(missing: readonly Asked[]): Promise<void> {
    const asked = new Map(missing.map(({ realm }) => [realm, this.#realms.get(realm)]))
    for (const { realm, id, point, account, balance, seq } of await readParties(this.#db, missing)) {
      const known = this.#realms.get(realm)
      // Forgotten meanwhile, and perhaps learnt anew from a later state than was read here.
      if (!known || known !== asked.get(realm)) continue
      known.accounts.set(id, account)
      const key = balanceKey(account, point)
      if (!known.balances.has(key)) this.#set(known, key, { balance, seq })
    }
  }

  #take(known: Realm, decided: Decided): void {
    const { decision, sealed } = decided
    known.seq = sealed.at(-1)?.entry.seq ?? known.seq
    known.hash = sealed.at(-1)?.hash ?? known.hash
    known.atUs = decision.atUs
    for (const { account, point, balance, seq } of decision.balances) {
      this.#set(known, balanceKey(account, point), { balance, seq })
    }
    this.#noteRequests(decided)
    if (this.#balances > balancesCap) this.#makeRoom()
  }

  #noteRequests({ commands }: Decided): void {
    for (const { retry } of commands) if (retry) this.#recent.add(retry.request)
    if (this.#recent.size < requestsCap) return
    this.#older = this.#recent
    this.#recent = new Set()
  }

  #set(known: Realm, key: string, stored: Stored): void {
    const before = known.balances.size
    known.balances.set(key, stored)
    this.#balances += known.balances.size - before
  }

  #drop(realm: number): void {
    this.#balances -= this.#realms.get(realm)?.balances.size ?? 0
    this.#realms.delete(realm)
  }

  /** The realm that was read longest ago goes first. */
  #makeRoom(): void {
    for (const realm of this.#realms.keys()) {
      this.#drop(realm)
      if (this.#balances <= balancesCap / 2) return
    }
  }
}

const ownClockUs = (): bigint => BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000))
