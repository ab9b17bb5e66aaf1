import { randomUUID } from 'node:crypto'
import { type Actor, record } from '../../audit/index.ts'
import type { Database } from '../../db/database.ts'
import { writeTransaction } from '../../db/rowSecurity.ts'
import type { Writable } from '../../db/session.ts'
import { addNotices } from '../../notices/index.ts'
import {
  endTrack,
  type Held,
  isHeld,
  type LeasedRow,
  readThresholds,
  readTracks,
  releaseLease,
  renewLease,
  saveHealth,
  saveTrack,
  type TrackRow,
  takeLease,
} from './deliveryStore.ts'
import type { At, ThresholdRow, TrackName } from './endpointStore.ts'
import type { Event } from './entryEvents.ts'
import { type LogEntry, log, type NewParked, type ParkedRow, park, unpark } from './logStore.ts'
import { messageOf } from './message.ts'
import {
  afterFailure,
  type Failure,
  type Health,
  healthy,
  isGone,
  isSuccess,
  nextAttemptMs,
} from './schedule.ts'
import type { Delivery, Sender, Target } from './sender.ts'
import { isReplayTrack, placeNameOf, type Selection } from './sources.ts'

/** A process that was killed delays an endpoint by this long. A delivery may take longer: it is renewed. */
const leaseSeconds = 5
/** One may fail. Longer than a run stays with an endpoint that has nothing to send. */
export const renewEveryMs = 1_500
const server: Actor = { name: 'server', address: null, requestId: null }

/** Another process delivers now, or a client changed the endpoint. */
export class LeaseLost extends Error {}

export type LeaseOptions = {
  readonly db: Database
  readonly sender: Sender
  readonly secretsOf: (sealed: readonly (string | null)[]) => readonly string[]
  readonly now: () => number
  readonly onFirstAttempt?: ((delayMs: number) => void) | undefined
}

/** What is not written yet. */
type Unsaved = { parked: NewParked[]; unparked: ParkedRow[]; logged: LogEntry[] }

const nothing = (): Unsaved => ({ parked: [], unparked: [], logged: [] })

type Found = {
  readonly row: LeasedRow
  readonly tracks: TrackRow[]
  readonly thresholds: readonly ThresholdRow[]
  readonly leasedAtMs: number
}

type Sent = {
  readonly track: TrackName
  readonly event: Event
  readonly previous: bigint | null
  readonly attempt: number
}

const dateOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))
const msOf = (date: Date | null): number | null => (date === null ? null : date.getTime())

/** One endpoint while this process has its lease: sends single events, and writes what came of them. */
export class LeasedEndpoint {
  readonly selection: Selection
  readonly tracks: TrackRow[]
  readonly ordered: boolean
  readonly #options: LeaseOptions
  readonly #held: Held
  readonly #target: Target
  readonly #parallel: number
  #health: Health
  #blocked: { readonly track: TrackName; readonly event: string } | undefined
  #why: string | undefined
  #parkedCount: number
  #unsaved = nothing()
  #isAnnounced = false
  /** By the clock of this process, and never later than by the database's. */
  #leasedAtMs: number
  #isLost = false
  /** Events of before waited for the receiver. */
  #timedFromMs = 0

  private constructor(options: LeaseOptions, held: Held, found: Found) {
    const { row, tracks, thresholds, leasedAtMs } = found
    this.#leasedAtMs = leasedAtMs
    this.#options = options
    this.#held = held
    this.tracks = tracks
    this.ordered = row.ordered
    this.#parallel = row.parallel
    this.#parkedCount = row.parked
    this.#target = { url: new URL(row.url), secrets: options.secretsOf([row.secret, row.old_secret]) }
    this.selection = {
      realm: held.realm,
      realmId: row.realm_id,
      types: row.types,
      includeDetails: row.include_details,
      thresholds: thresholds.map((one) => {
        const { number, point_id: pointId, tokens, from_seq: fromSeq, to_seq: toSeq } = one
        return { number, pointId, tokens, fromSeq, toSeq }
      }),
    }
    this.#health = {
      state: row.state,
      failures: row.failures,
      failingSinceMs: msOf(row.failing_since),
      attempt: row.attempt,
      nextAtMs: msOf(row.next_at),
    }
  }

  /** Undefined when another process has it, or it is disabled. */
  static async take(options: LeaseOptions, { realm, number }: At): Promise<LeasedEndpoint | undefined> {
    const held = { realm, number, lease: randomUUID(), seconds: leaseSeconds }
    const own = options.db.within([realm])
    const leasedAtMs = performance.now()
    const row = await takeLease(options.db.writing([realm]), held)
    if (!row) return undefined
    const [tracks, thresholds] = await Promise.all([readTracks(own, held), readThresholds(own, held)])
    return new LeasedEndpoint(options, held, { row, tracks, thresholds, leasedAtMs })
  }

  get parkedCount(): number {
    return this.#parkedCount
  }

  get isWaiting(): boolean {
    return this.#health.state === 'waiting'
  }

  /**
   * Whether nothing may be sent now. A process that was frozen for longer than its lease notices here, before
   * it sends anything beside the process that has the endpoint now.
   */
  get isStopped(): boolean {
    const { state, nextAtMs } = this.#health
    if (this.#isLost || performance.now() - this.#leasedAtMs >= leaseSeconds * 1_000) return true
    return state === 'disabled' || (nextAtMs !== null && nextAtMs > this.#options.now())
  }

  /** Events that may be under way at once. */
  get width(): number {
    return this.ordered || this.isWaiting ? 1 : this.#parallel
  }

  /** Sends an event of a track. False when the track must not go on without it. */
  async send(track: TrackName, event: Event, previous: bigint | null): Promise<boolean> {
    const delivery = await this.#deliver({ track, event, previous, attempt: this.#health.attempt + 1 })
    if (isSuccess(delivery)) {
      this.#recover()
      return true
    }
    const stands = this.ordered || this.isWaiting
    if (!stands) this.#park({ track, event: event.id, seq: event.seq, previous, attempt: 1 }, delivery)
    this.#fail(delivery)
    if (stands) this.#blocked = { track, event: event.id }
    return !stands
  }

  /** Tries a parked event again. */
  async retry(row: ParkedRow, event: Event | undefined): Promise<void> {
    if (!event) return this.#unpark(row)
    const { track, previous } = row
    const attempt = row.attempt + 1
    const isProbe = this.isWaiting
    const delivery = await this.#deliver({ track, event, previous, attempt })
    if (isSuccess(delivery)) {
      this.#unpark(row)
      this.#recover()
      return
    }
    // A probe is about the endpoint: it does not use up the attempts of an event.
    if (!isProbe) this.#park({ ...row, attempt }, delivery)
    this.#fail(delivery)
  }

  /** Writes everything that happened, and the position of a track. Rejects when the lease is lost. */
  async save(moved?: TrackRow, hasEnded = false): Promise<void> {
    const { db } = this.#options
    const { realm } = this.#held
    const unsaved = this.#unsaved
    this.#unsaved = nothing()
    const startedMs = performance.now()
    await writeTransaction(db, [realm], async (tx) => {
      const health = this.#healthValues()
      const last = await saveHealth(tx, this.#held, { health, logged: unsaved.logged.length })
      if (last === undefined) throw new LeaseLost()
      if (moved) await (hasEnded ? endTrack(tx, this.#held, moved.track) : saveTrack(tx, this.#held, moved))
      await park(tx, this.#held, unsaved.parked)
      await unpark(tx, this.#held, unsaved.unparked)
      await log(tx, this.#held, { last, rows: unsaved.logged })
      if (this.#health.state === 'disabled') await this.#announce(tx)
    })
    this.#leasedAtMs = startedMs
  }

  /** Never rejects: without a lease, `isStopped`. */
  async renew(): Promise<void> {
    const startedMs = performance.now()
    // A position that was saved has renewed it too.
    if (startedMs - this.#leasedAtMs < renewEveryMs / 2) return
    try {
      const isHeld = await renewLease(this.#options.db.writing([this.#held.realm]), this.#held)
      if (isHeld) this.#leasedAtMs = Math.max(this.#leasedAtMs, startedMs)
      else this.#isLost = true
    } catch {
      // The lease ends unless the next one succeeds.
    }
  }

  /** Rejects when the lease is lost: the settings may have changed. */
  async check(): Promise<void> {
    if (!(await isHeld(this.#options.db.within([this.#held.realm]), this.#held))) throw new LeaseLost()
  }

  async release(): Promise<void> {
    await releaseLease(this.#options.db.writing([this.#held.realm]), this.#held)
  }

  async #deliver(sent: Sent): Promise<Delivery> {
    const { track, event, previous, attempt } = sent
    const isReplay = isReplayTrack(track)
    const at = new Date(this.#options.now())
    const message = messageOf({ event, previous }, placeNameOf(track), isReplay)
    const delivery = await this.#options.sender.send(this.#target, message)
    const { status, durationMs, error, answer } = delivery
    const { id, type } = event
    if (track === 'live' && attempt === 1) this.#time(event, at.getTime())
    this.#unsaved.logged.push({ event: id, type, isReplay, at, attempt, status, durationMs, error, answer })
    return delivery
  }

  #time({ atUs }: Event, sentAtMs: number): void {
    const atMs = Number(atUs / 1000n)
    if (atMs >= this.#timedFromMs) this.#options.onFirstAttempt?.(Math.max(0, sentAtMs - atMs))
  }

  #recover(): void {
    if (this.#health.state === 'disabled') return
    if (this.#health.failures > 0) this.#timedFromMs = this.#options.now()
    this.#health = healthy
    this.#blocked = undefined
  }

  #fail(outcome: Failure['outcome']): void {
    if (this.#health.state === 'disabled') return
    const nowMs = this.#options.now()
    const failure = { outcome, nowMs, ordered: this.ordered, parked: this.#parkedCount }
    this.#health = afterFailure(this.#health, failure)
    if (this.#health.state === 'disabled')
      this.#why ??= isGone(outcome) ? 'The receiver responded 410.' : 'Every attempt failed for 5 days.'
  }

  #park(row: ParkedRow, outcome: Failure['outcome']): void {
    const nextAtMs = nextAttemptMs(row.attempt, outcome, this.#options.now())
    if (nextAtMs === undefined) {
      this.#unpark(row)
      return
    }
    if (row.attempt === 1) this.#parkedCount += 1
    this.#unsaved.parked.push({ ...row, nextAt: new Date(nextAtMs) })
  }

  #unpark(row: ParkedRow): void {
    this.#parkedCount -= 1
    this.#unsaved.unparked.push(row)
  }

  #healthValues() {
    const { state, failures, failingSinceMs, attempt, nextAtMs } = this.#health
    const disabled =
      state === 'disabled' ? { at: new Date(this.#options.now()), why: this.#why ?? '' } : undefined
    const times = { failingSince: dateOf(failingSinceMs), nextAt: dateOf(nextAtMs) }
    return { state, failures, attempt, ...times, blocked: this.#blocked, disabled }
  }

  /** The other endpoints get an event, and the audit log an entry. */
  async #announce(tx: Writable): Promise<void> {
    if (this.#isAnnounced) return
    this.#isAnnounced = true
    const { realm, number } = this.#held
    const data = { webhookId: String(number), url: this.#target.url.href, reason: this.#why }
    await record(tx, server, { realm, action: 'webhook.disable', subject: String(number) })
    await addNotices(tx, realm, [{ type: 'endpoint.disabled', data }])
  }
}
