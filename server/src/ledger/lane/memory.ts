import { setTimeout as sleep } from 'node:timers/promises'
import { areApart, clockGapMs } from '../../db/clock.ts'
import type { Database } from '../../db/database.ts'
import type { RealmConfig } from '../../realms/index.ts'
import type { Outcome, Posted, Rehearsed } from '../rules/command.ts'
import { balanceKey, nothingAside, type RealmState, type Stored } from '../rules/state.ts'
import { isPlain, partiesOf } from './parties.ts'
import { type Asked, readParties } from './store.ts'
import type { Decided } from './write.ts'

/** Balances and realms remembered at most, 45 MB of balances; past it the realms used longest ago go. */
const balancesCap = 200_000
const realmsCap = 20_000
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
  /** The hash that its head had when we last heard. */
  committed: string
  atUs: bigint
  readonly accounts: Map<string, number>
  readonly frozen: Set<number>
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
  readonly #db: Pick<Database, 'within'>
  readonly #realms = new Map<number, Realm>()
  readonly #doubts = new Map<number, Doubt>()
  /** Realms of batches that failed, with the hash that their heads have if it was not their fault. */
  readonly #suspects = new Map<number, string>()
  #recent = new Set<string>()
  #older = new Set<string>()
  #balances = 0
  /** What the database's clock is ahead of ours, in microseconds. */
  #aheadUs = 0n
  /** Whether it is so far from ours that one of them is wrong. */
  #isApart = false

  /** `db` must be the one that is written to. */
  constructor(db: Pick<Database, 'within' | 'onFailover'>) {
    this.#db = db
    // A member that was added without an entry may be lost, and its account be another's: no hash tells.
    db.onFailover(() => this.#clear())
  }

  /** The realms among these whose commands can all be decided from memory, once what is missing was read. */
  async recall(commands: readonly Posted[]): Promise<ReadonlySet<number>> {
    // Under the lock the clock is read again, and an entry refused if it is still wrong.
    if (this.#isApart) return new Set()
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
    const { hash, config, seq, atUs, nextAccount, accounts, frozen, balances } = known
    const state = { config, seq, atUs, nextAccount, accounts, frozen, balances, remembered: new Map() }
    return { hash, state: { ...state, nowUs, aside: nothingAside } }
  }

  /** Takes up what was decided from memory, before it is committed: the next batch builds on it. */
  advance(decided: Decided): void {
    const { realm } = decided
    const known = this.#realms.get(realm)
    if (!known) return
    this.#realms.delete(realm)
    this.#realms.set(realm, known)
    this.#take(known, decided)
  }

  /** Takes up what was read and decided under the lock, and committed. */
  keep(decided: Decided): void {
    const { realm, state, hash } = decided
    this.readClock(state.nowUs)
    this.#judge(decided)
    // Members that were frozen or removed since are told by the version alone.
    if (this.#realms.get(realm)?.config.version !== state.config.version) this.#drop(realm)
    const known = this.#realms.get(realm)
    if (!this.#trusts(realm)) {
      this.#noteRequests(decided)
      return
    }
    const kept: Realm = {
      config: state.config,
      nextAccount: state.nextAccount,
      seq: state.seq,
      hash,
      committed: decided.sealed.at(-1)?.hash ?? hash,
      atUs: state.atUs,
      accounts: known?.accounts ?? new Map(),
      frozen: known?.frozen ?? new Set(),
      balances: known?.balances ?? new Map(),
    }
    this.#realms.delete(realm)
    this.#realms.set(realm, kept)
    for (const [id, account] of state.accounts) kept.accounts.set(id, account)
    for (const { id, account } of decided.decision.members) kept.accounts.set(id, account)
    for (const account of state.frozen) kept.frozen.add(account)
    for (const [key, stored] of state.balances) this.#set(kept, key, stored)
    this.#take(kept, decided)
  }

  /** A batch decided from memory was committed. */
  confirm({ realm, hash, sealed }: Decided): void {
    const known = this.#realms.get(realm)
    if (known) known.committed = sealed.at(-1)?.hash ?? hash
    const doubt = this.#doubts.get(realm)
    if (doubt && --doubt.next < 1) this.#doubts.delete(realm)
  }

  /** A batch with commands of this realm failed. Whether memory was wrong about it, the lock will tell. */
  suspect(realm: number): void {
    const known = this.#realms.get(realm)
    if (!known) return
    this.#drop(realm)
    this.#suspects.set(realm, known.committed)
    if (this.#suspects.size > realmsCap) this.#suspects.clear()
  }

  /**
   * What was read under the lock tells whether memory failed us: another moved the head, or a key was old.
   * The more often, the longer the realm is not decided from memory.
   */
  #judge({ realm, hash, decision }: Decided): void {
    const committed = this.#suspects.get(realm) ?? this.#realms.get(realm)?.hash
    const suspected = this.#suspects.delete(realm)
    const replays = suspected && decision.outcomes.some(isReplay)
    if (committed === undefined || (committed === hash && !replays)) return
    this.#drop(realm)
    const next = this.#doubts.get(realm)?.next ?? 1
    this.#doubts.delete(realm)
    this.#doubts.set(realm, { left: next, next: Math.min(doubtCap, next * 2) })
    if (this.#doubts.size > realmsCap) this.#doubts.clear()
  }

  /** The time by the database's clock, as far as we know it. */
  get nowUs(): bigint {
    return ownClockUs() + this.#aheadUs
  }

  /** The database's clock, as it was just read. */
  readClock(nowUs: bigint): void {
    this.#aheadUs = nowUs - ownClockUs()
    this.#isApart = areApart(clockGapMs(nowUs, Date.now()))
  }

  #trusts(realm: number): boolean {
    const doubt = this.#doubts.get(realm)
    if (!doubt || doubt.left <= 0) return true
    doubt.left -= 1
    return doubt.left <= 0
  }

  /** The realms that all is known of for these commands. What else must be read is added to `missing`. */
  #sort(commands: readonly Posted[], missing: Asked[]): Set<number> {
    const recalled = new Set<number>()
    const others = new Set<number>()
    for (const command of commands) {
      const { realm, retry } = command
      const known = this.#realms.get(realm)
      if (!known || !isPlain(command, known.config) || (retry && this.#wasSeen(retry.request))) {
        others.add(realm)
        continue
      }
      recalled.add(realm)
      if (this.#knows(known, command)) continue
      others.add(realm)
      for (const { id, point } of partiesOf(command, known.config)) missing.push({ realm, id, point })
    }
    for (const realm of others) recalled.delete(realm)
    return recalled
  }

  #knows({ config, accounts, balances }: Realm, command: Posted): boolean {
    return partiesOf(command, config).every(({ id, point }) => {
      const account = accounts.get(id)
      return account !== undefined && balances.has(balanceKey(account, point))
    })
  }

  #wasSeen(request: string): boolean {
    return this.#recent.has(request) || this.#older.has(request)
  }

  async #learn(missing: readonly Asked[]): Promise<void> {
    const asked = new Map(missing.map(({ realm }) => [realm, this.#realms.get(realm)]))
    const found = await readParties(this.#db.within([...asked.keys()]), missing)
    for (const { realm, id, point, account, frozen, balance, seq } of found) {
      const known = this.#realms.get(realm)
      // Forgotten meanwhile, and perhaps learnt anew from a later state than was read here.
      if (!known || known !== asked.get(realm)) continue
      known.accounts.set(id, account)
      if (frozen) known.frozen.add(account)
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
    if (this.#balances > balancesCap || this.#realms.size > realmsCap) this.#makeRoom()
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

  #clear(): void {
    this.#realms.clear()
    this.#suspects.clear()
    this.#balances = 0
  }

  #drop(realm: number): void {
    this.#balances -= this.#realms.get(realm)?.balances.size ?? 0
    this.#realms.delete(realm)
  }

  #makeRoom(): void {
    for (const realm of this.#realms.keys()) {
      if (this.#balances <= balancesCap / 2 && this.#realms.size <= realmsCap / 2) return
      this.#drop(realm)
    }
  }
}

const isReplay = (outcome: Outcome | Rehearsed): boolean =>
  outcome.kind === 'recalled' || (outcome.kind !== 'rehearsed' && outcome.replayed)

const ownClockUs = (): bigint => BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000))
