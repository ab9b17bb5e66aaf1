import { installation } from '../audit/index.ts'
import { bindForWrite, type RealmScoped, type RealmWriter } from '../db/rowSecurity.ts'
import type { Queryable } from '../db/session.ts'
import { RefusalError, refuse } from '../errors.ts'
import {
  claim,
  find,
  finish,
  forgetMember,
  type RequestKey,
  release,
  type StoredAnswer,
  sweep,
} from './store.ts'

export { followCommits, isPassing } from '../db/committed.ts'
export type { RequestKey, StoredAnswer } from './store.ts'

/** Requests with an Idempotency-Key that one realm, or the operator, may send in a day. */
const rowCap = 10_000
/** A longer answer is not stored: a retry of its request is rejected, not run again. */
const bodyCapBytes = 256 * 1024

const inProgress = (): RefusalError =>
  new RefusalError({
    code: 'request_in_progress',
    detail:
      'A request with this Idempotency-Key is still running, or was interrupted. If this persists, check ' +
      'whether the change happened, and send a new key to do it again.',
    headers: { 'retry-after': '1' },
  })

const notKept = (): RefusalError =>
  new RefusalError({
    code: 'request_in_progress',
    detail: 'A request with this Idempotency-Key completed, but its answer is too long to be repeated.',
    headers: { 'retry-after': '86400' },
  })

const tooMany = (): RefusalError =>
  new RefusalError({
    code: 'rate_limited',
    detail:
      `More than ${rowCap} requests with an Idempotency-Key in 24 hours. Nothing was changed; send ` +
      'it without a key, or later.',
    headers: { 'retry-after': '3600' },
  })

export const keyReused = (): RefusalError =>
  refuse('idempotency_key_reused', 'This Idempotency-Key was used for another request. Send a new one.')

/** Requests with an Idempotency-Key that change no points: each runs once in 24 hours. */
export class Requests {
  readonly #db: RealmScoped & RealmWriter
  readonly #onFault: (error: unknown) => void

  constructor(db: RealmScoped & RealmWriter, onFault: (error: unknown) => void) {
    this.#db = db
    this.#onFault = onFault
  }

  /** Undefined when the request is the first with its key; otherwise the stored answer of the first. */
  async claim(key: RequestKey): Promise<{ readonly status: number; readonly body: string } | undefined> {
    if (await this.#isFirst(key)) return undefined
    const earlier = await find(this.#within(key), key)
    if (!earlier) throw tooMany()
    if (earlier.fingerprint !== key.fingerprint) throw keyReused()
    if (earlier.status === null) throw inProgress()
    if (earlier.body === null) throw notKept()
    return { status: earlier.status, body: earlier.body }
  }

  /**
   * Binds a key to one request whose parts are idempotent by themselves; rejects any other request with it.
   */
  async bind(key: RequestKey): Promise<void> {
    if (await this.#isFirst(key)) return
    const earlier = await find(this.#within(key), key)
    if (!earlier) throw tooMany()
    if (earlier.fingerprint !== key.fingerprint) throw keyReused()
  }

  /** The answer is sent whether or not it can be stored: without it, a retry is rejected as still running. */
  async finish(key: RequestKey, { status, body }: StoredAnswer): Promise<void> {
    const kept = body !== null && Buffer.byteLength(body) <= bodyCapBytes ? body : null
    await finish(this.#within(key), key, { status, body: kept }).catch(this.#onFault)
  }

  /** For a request that changed nothing: the same key may be sent again. */
  async release(key: RequestKey): Promise<void> {
    await release(this.#within(key), key).catch(this.#onFault)
  }

  async #isFirst(key: RequestKey): Promise<boolean> {
    const db = this.#db.writing([key.realm])
    await sweep(db, key.realm)
    return claim(db, key, rowCap)
  }

  #within({ realm }: RequestKey): Queryable {
    return this.#db.within([realm])
  }
}

/** Deletes the stored answers of requests about a member, of its realm and of the operator. */
export async function forgetRequests(tx: Queryable, realm: number, id: string): Promise<void> {
  const both = await bindForWrite(tx, [realm, installation])
  await forgetMember(both, realm, id)
  await forgetMember(both, installation, id)
  await bindForWrite(tx, [realm])
}
