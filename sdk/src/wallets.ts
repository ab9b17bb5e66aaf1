import { digits, type MemberId } from './ids.ts'
import type { Realm } from './realm.ts'
import { type AnswerOf, type CallOptions, type Shown, sentAs } from './routes.ts'
import type { Transport } from './transport.ts'

export type WalletLink = Shown<AnswerOf<'POST /members/{memberID}/wallets/links'>, 'url'>
export type WalletLinkOptions = CallOptions & {
  /** Where the page leads when it is done: https://… */
  readonly returnUrl?: string
}

/** What each part of the client has of its realm. */
type Inner = { readonly transport: Transport; readonly base: string }

/**
 * Links to the page where a member proves that a wallet is theirs.
 *
 * @example
 * ```ts
 * const { url, expiresAt } = await new WalletLinks(realm).create('1190194345295482952')
 * ```
 */
export class WalletLinks {
  readonly #transport: Transport
  readonly #base: string

  constructor(realm: Realm) {
    const { transport, base } = realm as unknown as Inner
    this.#transport = transport
    this.#base = base
  }

  /**
   * Creates a link, which works once, for 15 minutes. Send it only to the member: anyone with it can link a
   * wallet to them. Each call creates another one.
   *
   * @example
   * ```ts
   * const links = new WalletLinks(realm)
   * const { url } = await links.create('1190194345295482952', { returnUrl: 'https://example.com/profile' })
   * ```
   */
  create(member: MemberId, { returnUrl, ...options }: WalletLinkOptions = {}): Promise<WalletLink> {
    const path = `${this.#base}/members/${encodeURIComponent(digits(member))}/wallets/links`
    return this.#transport.send({ method: 'POST', path, body: { returnUrl }, ...sentAs(options) })
  }
}
