import { type CallOptions, sentAs } from './routes.ts'
import type { Call, Transport } from './transport.ts'

/** A page of a list: `nextCursor` is null when the list is complete. */
export type PageOf<Item> = { readonly data: readonly Item[]; readonly nextCursor: string | null }

/** Which page of a list, and how long. */
export type PageOptions = {
  /** The most items, 1 to 1000; 50 by default. */
  readonly limit?: number
  /** `nextCursor` of the previous page. */
  readonly cursor?: string
}

/** Options of a list: `limit` is the page size, `cursor` the start. */
export type ListOptions = CallOptions & PageOptions

/** With the filters of the list, as they are sent. */
type Asked = ListOptions & { readonly query?: NonNullable<Call['query']> }

/** Page size while a whole list is read. */
const wholePages = 1000

/**
 * A list on the server. Nothing is requested until it is read: item by item, page by page, or as an array.
 *
 * @example
 * ```ts
 * for await (const { id } of realm.members.list()) console.log(id)
 * const { data, nextCursor } = await realm.members.list().page({ limit: 20 })
 * const first = await realm.members.list().toArray({ max: 100 })
 * ```
 */
export class List<Page extends PageOf<unknown>, Item = Page['data'][number]> implements AsyncIterable<Item> {
  readonly #transport: Transport
  readonly #path: string
  readonly #query: NonNullable<Call['query']>
  readonly #options: ListOptions

  constructor(transport: Transport, path: string, { query = {}, ...options }: Asked = {}) {
    this.#transport = transport
    this.#path = path
    this.#query = query
    this.#options = options
  }

  /**
   * One page: the first, or the one at a cursor.
   *
   * @example
   * ```ts
   * const { data, nextCursor } = await realm.members.list().page({ limit: 20 })
   * ```
   */
  page(options: ListOptions = {}): Promise<Page> {
    const all = { ...this.#options, ...options }
    const query = { ...this.#query, limit: all.limit, cursor: all.cursor }
    return this.#transport.send({ method: 'GET', path: this.#path, query, ...sentAs(all) })
  }

  /** Every item; pages are requested as needed. */
  [Symbol.asyncIterator](): AsyncGenerator<Item> {
    return this.#read(wholePages)
  }

  /**
   * The first items of the list, at most `max`.
   *
   * @example
   * ```ts
   * const richest = await realm.leaderboard().toArray({ max: 100 })
   * ```
   */
  async toArray({ max }: { readonly max: number }): Promise<Item[]> {
    const items: Item[] = []
    if (max < 1) return items
    for await (const item of this.#read(Math.min(max, wholePages))) {
      items.push(item)
      if (items.length >= max) break
    }
    return items
  }

  async *#read(usualLimit: number): AsyncGenerator<Item> {
    const { limit = usualLimit } = this.#options
    for (let cursor: string | null | undefined = this.#options.cursor; cursor !== null; ) {
      const page: Page = await this.page({ limit, ...(cursor === undefined ? {} : { cursor }) })
      yield* page.data as readonly Item[]
      cursor = page.nextCursor
    }
  }
}
