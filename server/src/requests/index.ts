import { installation } from '../audit/index.ts'
import { bind, type Walled } from '../db/rowSecurity.ts'
import type { Queryable } from '../db/session.ts'
import { Refused, refuse } from '../errors.ts'
import { type Answered, claim, find, finish, forgetMember, type RequestKey, release, sweep } from './store.ts'

export type { Answered, RequestKey } from './store.ts'

/** Requests with a key that one realm, or the operator, may send in a day. */
const rowCap = 10_000
/** A longer answer is not kept: a retry of its request is refused, not done again. */
const bodyCapBytes = 256 * 1024

const inProgress = (): Refused =>
  new Refused({
    code: 'request_in_progress',
    detail:
      'A request with this Idempotency-Key is running, or was cut short. If this answer stays, check ' +
      'whether the change happened, and send a new key to do it again.',
    headers: { 'retry-after': '1' },
  })

const notKept = (): Refused =>
  new Refused({
    code: 'request_in_progress',
    detail: 'A request with this Idempotency-Key was done. Its answer is too long to be sent again.',
    headers: { 'retry-after': '86400' },
  })

const tooMany = (): Refused =>
  new Refused({
    code: 'rate_limited',
    detail:
      `More than ${rowCap} requests came with an Idempotency-Key in 24 hours. Nothing was changed; send ` +
      'it without a key, or later.',
    headers: { 'retry-after': '3600' },
  })

export const keyReused = (): Refused =>
  refuse('idempotency_key_reused', 'This Idempotency-Key was used for another request. Send a new one.')

/** Requests that came with an Idempotency-Key and change no points: each is done once in 24 hours. */
export class Requests {
  readonly #db: Walled
  readonly #onFault: (error: unknown) => void

  constructor(db: Walled, onFault: (error: unknown) => void) {
    this.#db = db
    this.#onFault = onFault
  }

  /** Undefined when the request is the first with its key; what the first was answered otherwise. */
  async claim(key: RequestKey): Promise<{ readonly status: number; readonly body: string } | undefined> {
    if (await this.#isFirst(key)) return undefined
    const earlier = await find(this.#within(key), key)
    if (!earlier) throw tooMany()
    if (earlier.fingerprint !== key.fingerprint) throw keyReused()
    if (earlier.status === null) throw inProgress()
    if (earlier.body === null) throw notKept()
    return { status: earlier.status, body: earlier.body }
  }

  /** Binds a key to one request whose parts are done once by themselves: any other is refused. */
  async bind(key: RequestKey): Promise<void> {
    if (await this.#isFirst(key)) return
    const earlier = await find(this.#within(key), key)
    if (!earlier) throw tooMany()
    if (earlier.fingerprint !== key.fingerprint) throw keyReused()
  }

  /** The answer is sent whether or not it can be kept: a retry is then refused as one that still runs. */
  async finish(key: RequestKey, { status, body }: Answered): Promise<void> {
    const kept = body !== null && Buffer.byteLength(body) <= bodyCapBytes ? body : null
    await finish(this.#within(key), key, { status, body: kept }).catch(this.#onFault)
  }

  /** For a request that changed nothing: the same key may be sent again. */
  async release(key: RequestKey): Promise<void> {
    await release(this.#within(key), key).catch(this.#onFault)
  }

  async #isFirst(key: RequestKey): Promise<boolean> {
    const db = this.#within(key)
    await sweep(db, key.realm)
    return claim(db, key, rowCap)
  }

  #within({ realm }: RequestKey): Queryable {
    return this.#db.within([realm])
  }
}

/** Deletes the answers that were kept for requests about a member, of its realm and of the operator. */
export async function forgetRequests(tx: Queryable, realm: number, id: string): Promise<void> {
  await bind(tx, [realm, installation])
  await forgetMember(tx, realm, id)
  await forgetMember(tx, installation, id)
  await bind(tx, [realm])
}
