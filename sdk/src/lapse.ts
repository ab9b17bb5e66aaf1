import { List, type ListOptions } from './list.ts'
import type { Realm } from './realm.ts'
import { type AnswerOf, type BodyOf, type CallOptions, sentAs } from './routes.ts'
import type { Transport } from './transport.ts'

export type LapseRule = BodyOf<'PUT /points/{realmPointId}/lapse'>
export type LapseRuleChange = AnswerOf<'PUT /points/{realmPointId}/lapse'>

/** What each part of the client has of its realm. */
type Inner = { readonly transport: Transport; readonly base: string }

/**
 * When a point type's points lapse.
 *
 * @example
 * ```ts
 * const { id } = await realm.points.create({ name: 'Gold' })
 * await new Lapse(realm, id).set({ after: { months: 12, roundTo: 'month' } })
 * ```
 */
export class Lapse {
  readonly #transport: Transport
  readonly #path: string

  constructor(realm: Realm, realmPointId: string) {
    const { transport, base } = realm as unknown as Inner
    this.#transport = transport
    this.#path = `${base}/points/${encodeURIComponent(realmPointId)}`
  }

  /**
   * Sets or changes the rule, for points that are issued from now on. With `dryRun` nothing is changed.
   *
   * @example
   * ```ts
   * const { id } = await realm.points.create({ name: 'Gold' })
   * const { existing } = await new Lapse(realm, id).set({ on: ['12-31'] }, { dryRun: true })
   * console.log(existing.members, existing.tokens, existing.lapsesOn)
   * ```
   */
  set(rule: LapseRule, options: CallOptions & { readonly dryRun?: boolean } = {}): Promise<LapseRuleChange> {
    const query = { dryRun: options.dryRun ? 'true' : undefined }
    return this.#transport.send({
      method: 'PUT',
      path: `${this.#path}/lapse`,
      query,
      body: rule,
      ...sentAs(options),
    })
  }

  /**
   * Removes the rule: nothing lapses any more.
   *
   * @example
   * ```ts
   * const { id } = await realm.points.create({ name: 'Gold' })
   * const lapse = new Lapse(realm, id)
   * await lapse.set({ after: { days: 90 } })
   * await lapse.remove()
   * ```
   */
  async remove(options: CallOptions = {}): Promise<void> {
    const doneBy = { code: 'lapse_rule_not_found', value: undefined }
    await this.#transport.send({ method: 'DELETE', path: `${this.#path}/lapse`, doneBy, ...sentAs(options) })
  }

  /**
   * Who loses which points, and when; with `rule` as if it were set now, which changes nothing.
   *
   * @example
   * ```ts
   * const { id } = await realm.points.create({ name: 'Gold' })
   * const rule = { after: { months: 12 } }
   * for await (const { memberId, lapsesOn, tokens } of new Lapse(realm, id).list({ rule }))
   *   console.log(memberId, lapsesOn, tokens)
   * ```
   */
  list(
    options: ListOptions & { readonly before?: string; readonly rule?: LapseRule } = {},
  ): List<AnswerOf<'GET /points/{realmPointId}/lapsing'>> {
    const { before, rule, ...rest } = options
    const query = { before, rule: rule && JSON.stringify(rule) }
    return new List(this.#transport, `${this.#path}/lapsing`, { ...rest, query })
  }
}
