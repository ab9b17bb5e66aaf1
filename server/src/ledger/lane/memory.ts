import { setTimeout as sleep } from 'node:timers/promises'
import { areApart, clockGapMs } from '../../db/clock.ts'
import type { Database } from '../../db/database.ts'
import { isNamed } from '../../members/identities/index.ts'
import type { RealmConfig } from '../../realms/index.ts'
import type { Outcome, PostedCommand, RehearsalOutcome } from '../rules/command.ts'
import { balanceKey, emptyContext, type RealmState, type StoredBalance } from '../rules/state.ts'
import type { RealmDecision } from './commit.ts'
import { readAnyParties } from './names.ts'
import { isPlain, partiesOf } from './parties.ts'
import type { PartyQuery } from './store.ts'

/** Remembered at most, 45 MB of balances; beyond it the least recently used realms are dropped. */
const balancesCap = 200_000
const realmsCap = 20_000
/** Recent Idempotency-Keys; at most twice this many are remembered. */
const requestsCap = 50_000
/** How long a batch waits for data that is missing in memory. */
const learnMs = 250
/** Batches that a realm is decided pessimistically after its memory was wrong, at most. */
const doubtCap = 64

/** A realm as it will be once everything this process has sent is committed. */
type Realm = {
  readonly config: RealmConfig
  readonly nextAccount: number
  seq: bigint
  hash: string
  /** The hash of its head, as last confirmed by the database. */
  committed: string
  atUs: bigint
  readonly accounts: Map<string, number>
  readonly frozen: Set<number>
  readonly balances: Map<string, StoredBalance>
}

/** Pessimistic batches still to come, and how many there will be after the next mistake. */
type Doubt = { left: number; next: number }

/**
 * What this process remembers of realms, to decide commands without a read. It may be wrong at any time, as
 * other processes write too: PostgreSQL checks everything decided from it in the same transaction, and what
 * is wrong is dropped. The protocol, for each realm:
 *
 *     unknown ── keep ──► known ── recall, stateOf, advance ──► sent ── confirm ──► known
 *                                                                 │
 *                                                              suspect: the batch failed
 *                                                                 ▼
 *     known ◄─────────────── keep: head unchanged ──────────── suspected
 *     doubted ◄── keep: head moved, or a key was used ─────────────┘
 *     (for 1, 2, 4 … 64 batches, then known)
 *
 * `keep` follows a pessimistic batch and judges a known realm in the same way. A failover, the caps and
 * another configuration version make a realm unknown.
 */
export class Memory {
  readonly #db: Pick<Database, 'within'>
  readonly #realms = new Map<number, Realm>()
  readonly #doubts = new Map<number, Doubt>()
  /** Realms of failed batches, with the hash that their heads have if memory was right. */
  readonly #suspects = new Map<number, string>()
  #recent = new Set<string>()
  #older = new Set<string>()
  #balances = 0
  /** How far the database's clock is ahead of ours, in microseconds. */
  #aheadUs = 0n
  /** Whether it differs so much from ours that one of them is wrong. */
  #isApart = false

  /** `db` must be the database that is written to. */
  constructor(db: Pick<Database, 'within' | 'onFailover'>) {
    this.#db = db
    // The new primary may lack a member that was added without an entry, and may reuse its account: no hash
    // shows it.
    db.onFailover(() => this.#clear())
  }

  /** The realms whose commands can all be decided from memory, once missing data was read. */
  async recall(commands: readonly PostedCommand[]): Promise<ReadonlySet<number>> {
    // The pessimistic path reads the clock again, and refuses to write if it is still wrong.
    if (this.#isApart) return new Set()
    const missing: PartyQuery[] = []
    const recalled = this.#sort(commands, missing)
    if (missing.length === 0) return recalled
    // What can't be read now is read under the lock, where an unreachable database is handled.
    await Promise.race([this.#learn(missing).catch(() => {}), sleep(learnMs, undefined, { ref: false })])
    return this.#sort(commands, [])
  }

  /** What a decision reads, and the hash it continues from. Only for a realm that was just recalled. */
  stateOf(realm: number, nowUs: bigint): { readonly hash: string; readonly state: RealmState } {
    const known = this.#realms.get(realm)
    if (!known) throw new Error(`realm ${realm} is not in memory`)
    const { hash, config, seq, atUs, nextAccount, accounts, frozen, balances } = known
    const state = { config, seq, atUs, nextAccount, accounts, frozen, balances, remembered: new Map() }
    return { hash, state: { ...state, nowUs, context: emptyContext } }
  }

  /** Applies what was decided from memory, before it is committed: the next batch builds on it. */
  advance(decided: RealmDecision): void {
    const { realm } = decided
    const known = this.#realms.get(realm)
    if (!known) return
    this.#realms.delete(realm)
    this.#realms.set(realm, known)
    this.#take(known, decided)
  }

  /** Stores what was read and decided under the lock, and committed. */
  keep(decided: RealmDecision): void {
    const { realm, state, hash } = decided
    this.readClock(state.nowUs)
    this.#judge(decided)
    // Only the configuration version shows that members were frozen or removed meanwhile.
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
    const { ids } = state.context
    for (const [id, account] of state.accounts) {
      // An old id stays unknown: answers to it name the member that has it now, which is read with it.
      if (isNamed(id) || !ids?.has(id)) kept.accounts.set(id, account)
    }
    for (const { id, account, identity } of decided.decision.members) {
      kept.accounts.set(id, account)
      if (identity !== undefined) kept.accounts.set(identity, account)
    }
    for (const account of state.frozen) kept.frozen.add(account)
    for (const [key, stored] of state.balances) this.#set(kept, key, stored)
    this.#take(kept, decided)
  }

  /** A batch decided from memory was committed. */
  confirm({ realm, hash, sealed }: RealmDecision): void {
    const known = this.#realms.get(realm)
    if (known) known.committed = sealed.at(-1)?.hash ?? hash
    const doubt = this.#doubts.get(realm)
    if (doubt && --doubt.next < 1) this.#doubts.delete(realm)
  }

  /** The realm is not in this cell any more. */
  forget(realm: number): void {
    this.#drop(realm)
    this.#suspects.delete(realm)
    this.#doubts.delete(realm)
  }

  /** A batch of this realm failed. The next read under the lock shows whether memory was wrong. */
  suspect(realm: number): void {
    const known = this.#realms.get(realm)
    if (!known) return
    this.#drop(realm)
    this.#suspects.set(realm, known.committed)
    if (this.#suspects.size > realmsCap) this.#suspects.clear()
  }

  /**
   * What was read under the lock shows whether memory was wrong: another process moved the head, or a key had
   * been used. The more often, the longer the realm is decided pessimistically.
   */
  #judge({ realm, hash, decision }: RealmDecision): void {
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

  /** The database's time, as this process estimates it. */
  get nowUs(): bigint {
    return ownClockUs() + this.#aheadUs
  }

  /** Takes the database's time, as just read. */
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

  /** The realms whose commands memory has all data for. What else must be read is added to `missing`. */
  #sort(commands: readonly PostedCommand[], missing: PartyQuery[]): Set<number> {
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

  #knows({ config, accounts, balances }: Realm, command: PostedCommand): boolean {
    return partiesOf(command, config).every(({ id, point }) => {
      const account = accounts.get(id)
      return account !== undefined && balances.has(balanceKey(account, point))
    })
  }

  #wasSeen(request: string): boolean {
    return this.#recent.has(request) || this.#older.has(request)
  }

  async #learn(missing: readonly PartyQuery[]): Promise<void> {
    const asked = new Map(missing.map(({ realm }) => [realm, this.#realms.get(realm)]))
    const found = await readAnyParties(this.#db.within([...asked.keys()]), missing)
    for (const { realm, id, point, account, frozen, balance, seq, lots } of found) {
      const known = this.#realms.get(realm)
      // Dropped meanwhile, and perhaps read again from a later state than this one.
      if (!known || known !== asked.get(realm)) continue
      known.accounts.set(id, account)
      if (frozen) known.frozen.add(account)
      const key = balanceKey(account, point)
      if (!known.balances.has(key)) this.#set(known, key, { balance, seq, lots })
    }
  }

  #take(known: Realm, decided: RealmDecision): void {
    const { decision, sealed } = decided
    known.seq = sealed.at(-1)?.entry.seq ?? known.seq
    known.hash = sealed.at(-1)?.hash ?? known.hash
    known.atUs = decision.atUs
    for (const { account, point, balance, seq, lots } of decision.balances) {
      this.#set(known, balanceKey(account, point), { balance, seq, lots })
    }
    this.#noteRequests(decided)
    if (this.#balances > balancesCap || this.#realms.size > realmsCap) this.#makeRoom()
  }

  #noteRequests({ commands }: RealmDecision): void {
    for (const { retry } of commands) if (retry) this.#recent.add(retry.request)
    if (this.#recent.size < requestsCap) return
    this.#older = this.#recent
    this.#recent = new Set()
  }

  #set(known: Realm, key: string, stored: StoredBalance): void {
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

const isReplay = (outcome: Outcome | RehearsalOutcome): boolean =>
  outcome.kind === 'recalled' || (outcome.kind !== 'rehearsed' && outcome.replayed)

const ownClockUs = (): bigint => BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000))
