import { digits, type MemberId } from './ids.ts'
import { List, type ListOptions } from './list.ts'
import type { Realm } from './realm.ts'
import { type AnswerOf, type BodyOf, type CallOptions, sentAs } from './routes.ts'
import type { Transport } from './transport.ts'

export type IdentityData = AnswerOf<'PUT /members/{memberID}/identities/{identity}'>
export type IdentityDetails = BodyOf<'PUT /members/{memberID}/identities/{identity}'>

/** What each part of the client has of its realm. */
type Inner = { readonly transport: Transport; readonly base: string }

/**
 * What other systems call a member. Each identity can be used in place of the id, in every call.
 *
 * @example
 * ```ts
 * const identities = new Identities(realm, '1190194345295482952')
 * await identities.link('shop:9f1c')
 * await realm.member('shop:9f1c').adjust(5)
 * ```
 */
export class Identities {
  readonly #transport: Transport
  readonly #path: string

  constructor(realm: Realm, member: MemberId) {
    const { transport, base } = realm as unknown as Inner
    this.#transport = transport
    this.#path = `${base}/members/${encodeURIComponent(digits(member))}/identities`
  }

  /**
   * The member's identities, at most 16.
   *
   * @example
   * ```ts
   * const identities = new Identities(realm, '1190194345295482952')
   * for await (const { identity, name } of identities.list()) console.log(identity, name)
   * ```
   */
  list(options: ListOptions = {}): List<AnswerOf<'GET /members/{memberID}/identities'>> {
    return new List(this.#transport, this.#path, options)
  }

  /**
   * Links an identity to the member, or changes its details. An e-mail address, `email:ada@example.org`, is
   * sent in the body; the server stores and returns its keyed hash.
   *
   * @example
   * ```ts
   * await new Identities(realm, '1190194345295482952').link('twitch:ann', { name: 'Ann' })
   * ```
   */
  link(identity: string, details: IdentityDetails = {}, options: CallOptions = {}): Promise<IdentityData> {
    const call = /^email:.*@/s.test(identity)
      ? ({ method: 'POST', path: this.#path, body: { identity, ...details } } as const)
      : ({ method: 'PUT', path: this.#of(identity), body: details } as const)
    return this.#transport.send({ ...call, ...sentAs(options) })
  }

  /**
   * Unlinks an identity. The points stay with the member.
   *
   * @example
   * ```ts
   * const identities = new Identities(realm, '1190194345295482952')
   * await identities.link('game:ann')
   * await identities.unlink('game:ann')
   * ```
   */
  async unlink(identity: string, options: CallOptions = {}): Promise<void> {
    const doneBy = { code: 'identity_not_found', value: undefined }
    await this.#transport.send({ method: 'DELETE', path: this.#of(identity), doneBy, ...sentAs(options) })
  }

  #of(identity: string): string {
    return `${this.#path}/${encodeURIComponent(identity)}`
  }
}
