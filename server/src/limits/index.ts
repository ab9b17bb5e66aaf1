import type { Queryable } from '../db/session.ts'
import { Bucket } from './bucket.ts'
import { Exchange } from './exchange.ts'
import type { Limit, LimitSetting } from './limit.ts'
import { Pace } from './pace.ts'

export type { Bucket } from './bucket.ts'
export {
  columnsOf,
  type Limit,
  type LimitColumns,
  type LimitSetting,
  limitCap,
  limitIn,
  settingOf,
} from './limit.ts'

/** The limits set for a caller's realm and key, and when they were read. */
export type CallerLimits = {
  readonly realm: LimitSetting
  readonly key: LimitSetting
  readonly readAtMs: number
}

/** The caller whose requests are counted. */
type Counted = { readonly realm: number; readonly key: number; readonly limits: CallerLimits }

/** The buckets that one key's requests are taken from; undefined where there is no limit. */
export type Meter = { readonly realm: Bucket | undefined; readonly key: Bucket | undefined }

/** How long the caller has to wait; 0 when the request is accepted. */
export type Passage = { readonly meter: Meter; readonly waitMs: number }

export type LimitsOptions = {
  readonly db: Queryable
  /** For every realm and every key that has no limit of its own. */
  readonly realm: Limit | undefined
  readonly key: Limit | undefined
  readonly nowMs?: () => number
}

/** Realms counted at once; beyond it the longest known is dropped and starts with a full bucket. */
const realmsCap = 20_000
/** Keys of one realm. */
const keysCap = 1_000
const sweepEveryMs = 10_000

type RealmMeter = { bucket: Bucket | undefined; readAtMs: number; readonly keys: Map<number, KeyMeter> }
type KeyMeter = { meter: Meter; readAtMs: number }

/** Counts requests against the limits of their realm and key, in memory. */
export class Limits {
  readonly #options: LimitsOptions
  readonly #nowMs: () => number
  readonly #exchange: Exchange
  readonly #pace = new Pace()
  readonly #realms = new Map<number, RealmMeter>()
  #sweptAtMs = Number.NEGATIVE_INFINITY

  constructor(options: LimitsOptions) {
    this.#options = options
    this.#nowMs = options.nowMs ?? (() => performance.now())
    this.#exchange = new Exchange(options.db, this.#pace, this.#nowMs)
  }

  /** One request of this caller: it takes a token from both buckets or from neither. */
  pass(caller: Counted): Passage {
    const nowMs = this.#nowMs()
    if (nowMs - this.#sweptAtMs > sweepEveryMs) this.#sweep(nowMs)
    const meter = this.#meterOf(caller, nowMs)
    const { realm, key } = meter
    const waitMs = Math.max(realm?.ask(nowMs) ?? 0, key?.ask(nowMs) ?? 0)
    if (waitMs === 0) {
      realm?.take()
      key?.take()
    }
    if (realm?.isBusy(nowMs)) this.#exchange.watch(realm, { realm: caller.realm, key: 0 })
    if (key?.isBusy(nowMs)) this.#exchange.watch(key, caller)
    return { meter, waitMs }
  }

  /** An accepted request counts as `weight` requests: its first token was already taken. */
  charge(caller: Counted, weight: number): void {
    const { realm, key } = this.#meterOf(caller, this.#nowMs())
    realm?.charge(weight - 1)
    key?.charge(weight - 1)
  }

  close(): Promise<void> {
    return this.#exchange.close()
  }

  #meterOf({ realm: number, key, limits }: Counted, nowMs: number): Meter {
    const realm = this.#realmOf(number, limits, nowMs)
    const known = realm.keys.get(key)
    if (known && known.readAtMs >= limits.readAtMs && known.meter.realm === realm.bucket) return known.meter
    const limit = limitOf(limits.key, this.#options.key)
    const meter = { realm: realm.bucket, key: this.#renewed(known?.meter.key, limit, nowMs) }
    realm.keys.delete(key)
    dropFirst(realm.keys, keysCap)
    realm.keys.set(key, { meter, readAtMs: limits.readAtMs })
    return meter
  }

  /** The limit read last applies, whichever key it was read with. */
  #realmOf(number: number, limits: CallerLimits, nowMs: number): RealmMeter {
    let known = this.#realms.get(number)
    if (!known) {
      dropFirst(this.#realms, realmsCap)
      known = { bucket: undefined, readAtMs: Number.NEGATIVE_INFINITY, keys: new Map() }
      this.#realms.set(number, known)
    }
    if (known.readAtMs < limits.readAtMs) {
      known.bucket = this.#renewed(known.bucket, limitOf(limits.realm, this.#options.realm), nowMs)
      known.readAtMs = limits.readAtMs
    }
    return known
  }

  /** The same bucket for the same limit; a changed limit starts with a full one. */
  #renewed(bucket: Bucket | undefined, limit: Limit | undefined, nowMs: number): Bucket | undefined {
    if (!limit) return undefined
    const same = bucket && bucket.limit.rate === limit.rate && bucket.limit.burst === limit.burst
    return same ? bucket : new Bucket(limit, nowMs, this.#pace)
  }

  /** A full bucket holds no information that a new one would not. */
  #sweep(nowMs: number): void {
    this.#sweptAtMs = nowMs
    void this.#exchange.beat()
    for (const [number, { bucket, keys }] of this.#realms) {
      for (const [key, { meter }] of keys) if (meter.key?.isFull(nowMs) ?? true) keys.delete(key)
      if (keys.size === 0 && (bucket?.isFull(nowMs) ?? true)) this.#realms.delete(number)
    }
  }
}

function limitOf(setting: LimitSetting, byDefault: Limit | undefined): Limit | undefined {
  if (setting === 'default') return byDefault
  return setting === 'off' ? undefined : setting
}

function dropFirst<Key>(map: Map<Key, unknown>, cap: number): void {
  if (map.size < cap) return
  const [first] = map.keys()
  if (first !== undefined) map.delete(first)
}
