import type { KeyFilter } from './keys.ts'
import { List } from './list.ts'
import { type CallOptions, type OperatorAnswer, type Shown, sentAs } from './routes.ts'
import type { Transport } from './transport.ts'

export type TokenData = OperatorAnswer<'GET /tokens'>['data'][number]
/** `token` is only in this response. */
export type IssuedToken = Shown<OperatorAnswer<'POST /tokens'>, 'token'>

export type NewToken = {
  readonly name: string
  readonly expiresAt?: Date
  /** The same in seconds from now. */
  readonly expiresIn?: number
}

/** Tokens for the operator API. */
export class Tokens {
  readonly #transport: Transport
  readonly #path: string

  constructor(transport: Transport, base: string) {
    this.#transport = transport
    this.#path = `${base}/tokens`
  }

  /**
   * The active tokens, without their secrets; with `status: 'revoked'` the others.
   *
   * @example
   * ```ts
   * for await (const { id, name } of operator.tokens.list()) console.log(id, name)
   * ```
   */
  list({ status, ...options }: KeyFilter = {}): List<OperatorAnswer<'GET /tokens'>> {
    return new List(this.#transport, this.#path, { ...options, query: { status } })
  }

  /**
   * Issues a token for a person or program. It is only in this response.
   *
   * @example
   * ```ts
   * const { token } = await operator.tokens.issue({ name: 'ann' })
   * ```
   */
  issue({ name, expiresAt, expiresIn }: NewToken, options: CallOptions = {}): Promise<IssuedToken> {
    const body = { name, expiresAt: expiresAt?.toISOString(), expiresIn }
    return this.#transport.send({ method: 'POST', path: this.#path, body, ...sentAs(options) })
  }

  /**
   * One token, without its secret; also a revoked one.
   *
   * @example
   * ```ts
   * const { id } = await operator.tokens.issue({ name: 'the backup' })
   * const { status } = await operator.tokens.get(id)
   * ```
   */
  get(tokenId: string, options: CallOptions = {}): Promise<TokenData> {
    const path = `${this.#path}/${encodeURIComponent(tokenId)}`
    return this.#transport.send({ method: 'GET', path, ...sentAs(options) })
  }

  /**
   * Revokes a token: it stops working everywhere within one second. It can still be read.
   *
   * @example
   * ```ts
   * const { id } = await operator.tokens.issue({ name: 'lost' })
   * await operator.tokens.revoke(id)
   * ```
   */
  async revoke(tokenId: string, options: CallOptions = {}): Promise<void> {
    const path = `${this.#path}/${encodeURIComponent(tokenId)}`
    const doneBy = { code: 'token_not_found', value: undefined }
    await this.#transport.send({ method: 'DELETE', path, doneBy, ...sentAs(options) })
  }
}
