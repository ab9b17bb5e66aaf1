import { digits, type MemberId } from './ids.ts'
import { List, type ListOptions } from './list.ts'
import type { Realm } from './realm.ts'
import { type AnswerOf, type CallOptions, sentAs } from './routes.ts'
import type { Transport } from './transport.ts'

export type MergeData = AnswerOf<'GET /merges/{mergeNumber}'>
export type MergeResult = AnswerOf<'POST /members/{memberID}/merges'>
export type UndoneMerge = AnswerOf<'POST /merges/{mergeNumber}/undo'>

/** `force` merges two members that have both joined; `dryRun` only shows what would happen. */
export type MergeOptions = CallOptions & { readonly force?: boolean; readonly dryRun?: boolean }

export type MergeFilter = ListOptions & { readonly memberId?: string }

/** What each part of the client has of its realm. */
type Inner = { readonly transport: Transport; readonly base: string }

const asked = (dryRun: boolean | undefined): string => (dryRun ? '?dryRun=true' : '')

/**
 * Members that are the same person, merged into one.
 *
 * @example
 * ```ts
 * const merges = new Merges(realm)
 * for await (const { memberId, mergedId } of merges.list()) console.log(`${mergedId} is ${memberId} now`)
 * ```
 */
export class Merges {
  readonly #transport: Transport
  readonly #base: string

  constructor(realm: Realm) {
    const { transport, base } = realm as unknown as Inner
    this.#transport = transport
    this.#base = base
  }

  /**
   * Moves all that `from` has to the member. Requests to the old id act on that member from then on.
   *
   * @example
   * ```ts
   * await realm.member('274781412937486888').adjust(10)
   * await realm.member('twitch:ada_99').adjust(25, { reason: 'raid' })
   * await new Merges(realm).merge('274781412937486888', 'twitch:ada_99')
   * ```
   */
  merge(member: MemberId, from: MemberId, options: MergeOptions = {}): Promise<MergeResult> {
    const { force, dryRun, ...rest } = options
    const path = `${this.#base}/members/${encodeURIComponent(digits(member))}/merges${asked(dryRun)}`
    const body = { from: digits(from), ...(force === undefined ? {} : { force }) }
    return this.#transport.send({ method: 'POST', path, body, ...sentAs(rest) })
  }

  /**
   * The latest first; with `memberId` those of one member.
   *
   * @example
   * ```ts
   * const all = await new Merges(realm).list({ memberId: '274781412937486888' }).toArray({ max: 100 })
   * ```
   */
  list({ memberId, ...options }: MergeFilter = {}): List<AnswerOf<'GET /merges'>> {
    return new List(this.#transport, `${this.#base}/merges`, { ...options, query: { memberId } })
  }

  /**
   * Reads a merge.
   *
   * @example
   * ```ts
   * const merges = new Merges(realm)
   * for await (const { number } of merges.list()) console.log(await merges.show(number))
   * ```
   */
  show(number: string): Promise<MergeData> {
    return this.#transport.send({ method: 'GET', path: `${this.#base}/merges/${encodeURIComponent(number)}` })
  }

  /**
   * Restores the merged member; rejected if the points were spent since.
   *
   * @example
   * ```ts
   * await realm.member('458502524956399629').adjust(10)
   * await realm.member('twitch:bob_7').adjust(25)
   * const merges = new Merges(realm)
   * const { number = '' } = await merges.merge('458502524956399629', 'twitch:bob_7')
   * await merges.undo(number)
   * ```
   */
  undo(number: string, options: CallOptions & { readonly dryRun?: boolean } = {}): Promise<UndoneMerge> {
    const { dryRun, ...rest } = options
    const path = `${this.#base}/merges/${encodeURIComponent(number)}/undo${asked(dryRun)}`
    return this.#transport.send({ method: 'POST', path, body: {}, ...sentAs(rest) })
  }
}
