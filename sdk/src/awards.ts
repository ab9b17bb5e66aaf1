import { type ChangeOptions, callOf } from './change.ts'
import { digits, type MemberId } from './ids.ts'
import { List, type ListOptions } from './list.ts'
import type { Realm } from './realm.ts'
import { type AnswerOf, type CallOptions, sentAs } from './routes.ts'
import type { Transport } from './transport.ts'

export type AwardData = AnswerOf<'GET /awards/{awardID}'>
export type AwardPage = AnswerOf<'GET /awards'>
export type NewAward = AnswerOf<'POST /members/{memberID}/awards'>
export type GrantResult = AnswerOf<'POST /awards/{awardID}/grant'>
export type CancelResult = AnswerOf<'POST /awards/{awardID}/cancel'>

export type AwardOptions = ChangeOptions & {
  /** When it is granted without a request; by default it is granted only on request. */
  readonly grantAt?: Date | string
}
export type EndAwardOptions = Omit<ChangeOptions, 'realmPointId'>

/** What each part of the client has of its realm. */
type Inner = { readonly transport: Transport; readonly base: string }

/**
 * Pending awards: points that are promised to members, and that they can't spend before they are granted.
 *
 * @example
 * ```ts
 * const awards = new Awards(realm)
 * const { awardId } = await awards.create('1190194345295482952', 50, { reason: 'order 17' })
 * await awards.grant(awardId)
 * ```
 */
export class Awards {
  readonly #transport: Transport
  readonly #base: string

  constructor(realm: Realm) {
    const { transport, base } = realm as unknown as Inner
    this.#transport = transport
    this.#base = base
  }

  /**
   * Promises points to a member.
   *
   * @example
   * ```ts
   * const grantAt = new Date(Date.now() + 14 * 86_400_000)
   * await new Awards(realm).create('1190194345295482952', 50, { grantAt })
   * ```
   */
  create(member: MemberId, tokens: number, { grantAt, ...options }: AwardOptions = {}): Promise<NewAward> {
    const { said, call } = callOf(options)
    const path = `${this.#base}/members/${encodeURIComponent(digits(member))}/awards`
    return this.#transport.send({ method: 'POST', path, body: { tokens, grantAt, ...said }, ...call })
  }

  /**
   * Reads an award: its points, when it is due, and whether it is pending or how it ended.
   *
   * @example
   * ```ts
   * const awards = new Awards(realm)
   * const { awardId } = await awards.create('1190194345295482952', 50)
   * const { status } = await awards.get(awardId)
   * ```
   */
  get(awardId: string, options: CallOptions = {}): Promise<AwardData> {
    return this.#transport.send({ method: 'GET', path: this.#of(awardId), ...sentAs(options) })
  }

  /**
   * The pending awards of a member, or of the whole realm, newest first.
   *
   * @example
   * ```ts
   * for await (const { awardId, tokens } of new Awards(realm).list()) console.log(awardId, tokens)
   * ```
   */
  list(member?: MemberId, options: ListOptions = {}): List<AwardPage> {
    const of = member === undefined ? '' : `/members/${encodeURIComponent(digits(member))}`
    return new List(this.#transport, `${this.#base}${of}/awards`, options)
  }

  /**
   * Grants an award: its points are added to the balance.
   *
   * @example
   * ```ts
   * const awards = new Awards(realm)
   * const { awardId } = await awards.create('1190194345295482952', 50)
   * const { newBalance } = await awards.grant(awardId)
   * ```
   */
  grant(awardId: string, options: EndAwardOptions = {}): Promise<GrantResult> {
    return this.#end<GrantResult>(`${this.#of(awardId)}/grant`, options)
  }

  /**
   * Cancels an award: the member does not receive its points.
   *
   * @example
   * ```ts
   * const awards = new Awards(realm)
   * const { awardId } = await awards.create('1190194345295482952', 50)
   * await awards.cancel(awardId, { reason: 'sent back' })
   * ```
   */
  cancel(awardId: string, options: EndAwardOptions = {}): Promise<CancelResult> {
    return this.#end<CancelResult>(`${this.#of(awardId)}/cancel`, options)
  }

  #end<T>(path: string, options: EndAwardOptions): Promise<T> {
    const { said, call } = callOf(options)
    return this.#transport.send<T>({ method: 'POST', path, body: said, ...call })
  }

  #of(awardId: string): string {
    return `${this.#base}/awards/${encodeURIComponent(awardId)}`
  }
}
