import { type OnceOptions, onceOf } from './change.ts'
import { List, type ListOptions } from './list.ts'
import { type AnswerOf, type BodyOf, type CallOptions, type Shown, sentAs } from './routes.ts'
import type { Transport } from './transport.ts'

export type KeyPage = AnswerOf<'GET /keys'>
export type KeyData = KeyPage['data'][number]
/** `key` is only in this response. */
export type IssuedKey = Shown<AnswerOf<'POST /keys'>, 'key'>
export type RotatedKey = Shown<AnswerOf<'POST /keys/{keyID}/rotate'>, 'key'>
export type Rotation = BodyOf<'POST /keys/{keyID}/rotate'>
export type Scope = NonNullable<BodyOf<'POST /keys'>['scopes']>[number]
export type RateLimit = KeyData['rateLimit']

export type NewKey = Omit<BodyOf<'POST /keys'>, 'expiresAt'> & { readonly expiresAt?: Date }
export type KeyChange = Omit<BodyOf<'PATCH /keys/{keyID}'>, 'expiresAt'> & {
  readonly expiresAt?: Date | 'never'
}

/** A key with its issuer. */
export type OrphanedKey = AnswerOf<'GET /keys/orphaned'>['data'][number]

export type KeyFilter = ListOptions & { readonly status?: 'active' | 'revoked' }

/** The keys of a realm. */
export class Keys {
  readonly #transport: Transport
  readonly #path: string

  constructor(transport: Transport, base: string) {
    this.#transport = transport
    this.#path = `${base}/keys`
  }

  /**
   * The active keys, without their secrets; with `status: 'revoked'` the revoked and expired ones.
   *
   * @example
   * ```ts
   * for await (const { id, name, lastUsedAt } of realm.keys.list()) console.log(id, name, lastUsedAt)
   * ```
   */
  list({ status, ...options }: KeyFilter = {}): List<KeyPage> {
    return new List(this.#transport, this.#path, { ...options, query: { status } })
  }

  /**
   * One key, without its secret; also a revoked one.
   *
   * @example
   * ```ts
   * const { id } = await realm.keys.issue({ name: 'the shop' })
   * const { status, lastUsedAt } = await realm.keys.get(id)
   * ```
   */
  get(keyId: string, options: CallOptions = {}): Promise<KeyData> {
    return this.#transport.send({ method: 'GET', path: this.#of(keyId), ...sentAs(options) })
  }

  /**
   * Active keys issued by people who were removed or can no longer issue keys.
   *
   * @example
   * ```ts
   * for await (const { id } of realm.keys.orphaned()) await realm.keys.revoke(id)
   * ```
   */
  orphaned(options: ListOptions = {}): List<AnswerOf<'GET /keys/orphaned'>> {
    return new List(this.#transport, `${this.#path}/orphaned`, options)
  }

  /**
   * Issues a key. It is only in this response. Not retried when the response is lost, as that would issue a
   * second key: check the list, and revoke what you don't recognise.
   *
   * @example
   * ```ts
   * const { id, key } = await realm.keys.issue({ name: 'the bot', scopes: ['members:read', 'points:write'] })
   * const agent = await realm.keys.issue({ name: 'the agent', maxPerChange: 100, maxPerDay: 1_000 })
   * ```
   */
  issue({ expiresAt, ...wanted }: NewKey = {}, options: CallOptions = {}): Promise<IssuedKey> {
    const body = { ...wanted, ...(expiresAt === undefined ? {} : { expiresAt: timeOf(expiresAt) }) }
    return this.#transport.send({ method: 'POST', path: this.#path, body, ...sentAs(options) })
  }

  /**
   * Replaces a key with a new one with the same name, scopes and limits. The old one keeps working for a
   * day, or for `overlapSeconds`.
   *
   * @example
   * ```ts
   * const { id } = await realm.keys.issue({ name: 'the shop' })
   * const { key } = await realm.keys.rotate(id, { overlapSeconds: 3600 })
   * ```
   */
  rotate(keyId: string, body: Rotation = {}, options: CallOptions = {}): Promise<RotatedKey> {
    const path = `${this.#of(keyId)}/rotate`
    return this.#transport.send({ method: 'POST', path, body, ...sentAs(options) })
  }

  /**
   * Renames a key, or sets its expiry or its limits.
   *
   * @example
   * ```ts
   * const { id } = await realm.keys.issue({ name: 'an event' })
   * await realm.keys.change(id, { expiresAt: new Date(Date.now() + 86_400_000) })
   * ```
   */
  change(keyId: string, { expiresAt, ...change }: KeyChange, options: OnceOptions = {}): Promise<KeyData> {
    const body = { ...change, ...(expiresAt === undefined ? {} : { expiresAt: timeOf(expiresAt) }) }
    return this.#transport.send({ method: 'PATCH', path: this.#of(keyId), body, ...onceOf(options) })
  }

  /**
   * Revokes a key: it stops working everywhere within one second. It can still be read.
   *
   * @example
   * ```ts
   * const { id } = await realm.keys.issue({ name: 'lost' })
   * await realm.keys.revoke(id)
   * ```
   */
  async revoke(keyId: string, options: CallOptions = {}): Promise<void> {
    const doneBy = { code: 'key_not_found', value: undefined }
    await this.#transport.send({ method: 'DELETE', path: this.#of(keyId), doneBy, ...sentAs(options) })
  }

  #of(keyId: string): string {
    return `${this.#path}/${encodeURIComponent(keyId)}`
  }
}

const timeOf = (moment: Date | 'never'): string => (moment === 'never' ? moment : moment.toISOString())
