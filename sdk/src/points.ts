import { type OnceOptions, onceOf } from './change.ts'
import { List, type ListOptions } from './list.ts'
import { type AnswerOf, type BodyOf, type CallOptions, sentAs } from './routes.ts'
import type { Transport } from './transport.ts'

export type PointData = AnswerOf<'GET /points'>['data'][number]
export type NewPoint = BodyOf<'POST /points'>
export type PointChange = BodyOf<'PATCH /points/{realmPointId}'>

/** A realm's point types. */
export class Points {
  readonly #transport: Transport
  readonly #path: string

  constructor(transport: Transport, base: string) {
    this.#transport = transport
    this.#path = `${base}/points`
  }

  /**
   * All of them, in the order they were created, archived ones too. `default` marks the realm's default.
   *
   * @example
   * ```ts
   * for await (const { id, name } of realm.points.list()) console.log(id, name)
   * ```
   */
  list(options: ListOptions = {}): List<AnswerOf<'GET /points'>> {
    return new List(this.#transport, this.#path, options)
  }

  /**
   * One of them, by its id.
   *
   * @example
   * ```ts
   * const { id } = await realm.points.create({ name: 'Copper' })
   * const { transferable } = await realm.points.get(id)
   * ```
   */
  get(realmPointId: string, options: CallOptions = {}): Promise<PointData> {
    const path = `${this.#path}/${encodeURIComponent(realmPointId)}`
    return this.#transport.send({ method: 'GET', path, ...sentAs(options) })
  }

  /**
   * Adds a point type.
   *
   * @example
   * ```ts
   * const gems = await realm.points.create({ id: 'gems', name: 'Gems', maxPerDay: 100 })
   * ```
   */
  create(point: NewPoint, options: OnceOptions = {}): Promise<PointData> {
    return this.#transport.send({ method: 'POST', path: this.#path, body: point, ...onceOf(options) })
  }

  /**
   * Changes its name or its rules. Omitted fields stay unchanged.
   *
   * @example
   * ```ts
   * const { id } = await realm.points.create({ name: 'Silver' })
   * await realm.points.change(id, { maxBalance: 1_000, transferable: false })
   * ```
   */
  change(realmPointId: string, change: PointChange, options: OnceOptions = {}): Promise<PointData> {
    const path = `${this.#path}/${encodeURIComponent(realmPointId)}`
    return this.#transport.send({ method: 'PATCH', path, body: change, ...onceOf(options) })
  }

  /**
   * Archives it: it is hidden and can't be changed. Balances are kept.
   *
   * @example
   * ```ts
   * const { id } = await realm.points.create({ name: 'Last season' })
   * await realm.points.archive(id)
   * ```
   */
  archive(realmPointId: string, options: OnceOptions = {}): Promise<PointData> {
    return this.change(realmPointId, { archived: true }, options)
  }

  /**
   * Restores it from the archive, with all balances.
   *
   * @example
   * ```ts
   * const { id } = await realm.points.create({ name: 'This season' })
   * await realm.points.archive(id)
   * await realm.points.restore(id)
   * ```
   */
  restore(realmPointId: string, options: OnceOptions = {}): Promise<PointData> {
    return this.change(realmPointId, { archived: false }, options)
  }

  /**
   * Makes it the default for requests that name no point type.
   *
   * @example
   * ```ts
   * const [first] = await realm.points.list().toArray({ max: 1 })
   * await realm.points.makeDefault(first.id)
   * ```
   */
  makeDefault(realmPointId: string, options: OnceOptions = {}): Promise<PointData> {
    return this.change(realmPointId, { default: true }, options)
  }
}
