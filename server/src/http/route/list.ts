import { createHash } from 'node:crypto'
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { RefusalError } from '../../errors.ts'
import type { Caller, Scope } from '../../keys/index.ts'
import { isMemberId } from '../../members/index.ts'
import type { Reply } from '../problem.ts'
import { expectMark } from './expects.ts'
import { LongList } from './longList.ts'
import { numberParam } from './queryValues.ts'
import {
  type MakeRoute,
  operatorRoute,
  type ParamsOf,
  type Request,
  type Route,
  type RouteDescription,
  realmRoute,
  type Services,
} from './route.ts'
import { Type } from './schemas.ts'

/** All lists of the API share these parameters and this form of response. */

/** The page size when `limit` is omitted. */
export const usualLimit = 50

const limitParam = numberParam({
  from: 1,
  to: 1000,
  usual: usualLimit,
  description: `The maximum number of items, from 1 to 1000; ${usualLimit} by default.`,
})

const cursorParam = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,2000}$',
  description: '`nextCursor` of the previous page. Send the same filters with it.',
  [expectMark]: '`nextCursor` of the previous page',
})

const nextCursor = Type.Union([Type.String(), Type.Null()], {
  description: 'The `cursor` of the next page; null on the last page.',
})

/** An entry number in a cursor, in the same range as member ids. */
export const seqText = Type.Refine(Type.String({ pattern: '^[1-9][0-9]{0,18}$' }), isMemberId)

/** A number in a cursor that the database stores as an integer. */
export const smallNumber = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })

/** A time in a cursor, in microseconds since 1970. */
export const microseconds = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

type Values = readonly (string | number | null)[]

/** What a list declares; `limit`, `cursor`, `data` and `nextCursor` are added. */
export type ListDescription = Omit<RouteDescription, 'methods' | 'writes' | 'answer' | 'body' | 'list'> & {
  /** One item of `data`. */
  readonly item: TSchema
  /** Fields of the response besides `data` and `nextCursor`. */
  readonly beside?: Readonly<Record<string, TSchema>>
}

/** The requested part of a list: at most `limit` items that follow `after`. */
export type PageRequest<Place> = { readonly limit: number; readonly after: Place | undefined }

export type Page<Place, Item> = {
  /** All at once, or in pieces as they are read. */
  readonly items: readonly Item[] | AsyncIterable<readonly Item[]>
  readonly bodyOf?: (item: Item) => object
  /** Where the next page begins; called once all items were read. */
  readonly next: () => Readonly<Place> | null
  /** The other fields of the response, given the cursor of the next page, and how to make others. */
  readonly beside?: (nextCursor: string | null, cursorOf: (place: Readonly<Place>) => string) => object
}

type ListRequest<L> = Request<undefined, ParamsOf<L>>

type Read<Place, Item, Asked> = (
  request: Asked,
  services: Services,
  asked: PageRequest<Place>,
) => Promise<Page<Place, Item>>

/** Encodes a place in a list as a cursor, and decodes it. */
export type Cursors<Place> = {
  readonly param: TSchema
  of(place: Readonly<Place>, request: Request, route: Bound): string
  in(cursor: string, request: Request, route: Bound): Place
}

/** What a cursor is bound to. */
type Bound = { readonly path: string; readonly filters: readonly string[] }

const malformed = (): RefusalError => faulty('Invalid cursor. Send `nextCursor` of the previous page.')

function faulty(detail: string, code?: string): RefusalError {
  const fault = { pointer: 'query:cursor', detail, ...(code === undefined ? {} : { code }) }
  return new RefusalError({ code: 'invalid_request', detail: `query:cursor: ${detail}`, faults: [fault] })
}

/** Identifies the list that a cursor belongs to: route, path parameters and filters. */
function fingerprint({ params, query }: Request, { path, filters }: Bound): string {
  const asked = filters.flatMap((name) => query.getAll(name).map((value) => [name, value]))
  const list = JSON.stringify([path, params, asked])
  return createHash('sha256').update(list).digest('base64url').slice(0, 11)
}

/** Opaque cursors: the values of a place, with the fingerprint of their list. */
export function cursorsOf<const S extends TSchema>(place: S): Cursors<Static<S>> {
  const compiled = Compile(place)
  return {
    param: cursorParam,
    of: (values, request, route) => {
      const text = JSON.stringify([fingerprint(request, route), ...(values as unknown as Values)])
      return Buffer.from(text).toString('base64url')
    },
    in: (cursor, request, route) => {
      const [bound, ...values] = valuesIn(cursor)
      if (typeof bound !== 'string' || bound.length !== 11) throw malformed()
      if (bound !== fingerprint(request, route))
        throw faulty('This cursor belongs to another list, or to other filters.', 'cursor_mismatch')
      if (!compiled.Check(values)) throw malformed()
      return values as Static<S>
    },
  }
}

function valuesIn(cursor: string): readonly unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(values) ? values : []
  } catch {
    return []
  }
}

/** Lists of the same item share a name in the document: `MemberList`. */
function nameOf(item: TSchema): { title?: string } {
  const { title } = item as { readonly title?: string }
  return title === undefined ? {} : { title: `${title}List` }
}

function documentedOf(listed: ListDescription, param: TSchema): RouteDescription {
  const { item, beside = {}, ...documented } = listed
  return {
    ...documented,
    methods: ['GET'],
    writes: false,
    list: true,
    query: { ...listed.query, limit: limitParam, cursor: param },
    answer: Type.Object(
      { data: Type.Array(item, { description: 'The items of this page.' }), nextCursor, ...beside },
      nameOf(item),
    ),
  }
}

function handlerOf<Place, Item>(
  listed: ListDescription,
  cursors: Cursors<Place>,
  read: Read<Place, Item, never>,
) {
  const route: Bound = { path: listed.path, filters: Object.keys(listed.query ?? {}) }
  return async (request: Request, services: Services): Promise<Reply> => {
    const cursor = request.query.get('cursor')
    const page = await read(request as never, services, {
      limit: Number(request.query.get('limit') ?? usualLimit),
      after: cursor === null ? undefined : cursors.in(cursor, request, route),
    })
    const { items, bodyOf = (item) => item as object, beside } = page
    const list = new LongList('data')
    if (Array.isArray(items)) await list.add(items as readonly Item[], bodyOf)
    else for await (const piece of items as AsyncIterable<readonly Item[]>) await list.add(piece, bodyOf)
    const place = page.next()
    const cursorOf = (at: Readonly<Place>) => cursors.of(at, request, route)
    const next = place === null ? null : cursorOf(place)
    return list.end({ nextCursor: next, ...beside?.(next, cursorOf) })
  }
}

/** A list under /api/v4, for a key of the realm. */
export function realmList<
  const L extends ListDescription & { readonly scope: Scope | readonly Scope[] },
  Place,
  Item,
>(
  listed: L,
  cursors: Cursors<Place>,
  read: Read<Place, Item, ListRequest<L> & { readonly caller: Caller }>,
): Route {
  const documented = { ...documentedOf(listed, cursors.param), scope: listed.scope }
  return realmRoute(documented, handlerOf(listed, cursors, read) as never)
}

/** A list for a realm key or for the operator. */
export const listAt =
  (route: MakeRoute) =>
  <const L extends ListDescription, Place, Item>(
    listed: L,
    cursors: Cursors<Place>,
    read: Read<Place, Item, ListRequest<L>>,
  ): Route =>
    route(documentedOf(listed, cursors.param), handlerOf(listed, cursors, read) as never)

/** A list under /operator/v1. */
export const operatorList = listAt(operatorRoute)

/**
 * A page of rows in the order of their key. One row more than the page has was read, to know whether another
 * page follows.
 */
export function pageOfRows<Place, Row>(
  rows: readonly Row[],
  { limit }: PageRequest<Place>,
  {
    placeOf,
    bodyOf,
  }: { readonly placeOf: (row: Row) => Readonly<Place>; readonly bodyOf: (row: Row) => object },
): Page<Place, Row> {
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    items: rows.slice(0, limit),
    bodyOf,
    next: () => (last === undefined ? null : placeOf(last)),
  }
}

/** Rows to read for a page: one more than it returns. */
export const rowsFor = ({ limit }: PageRequest<unknown>): number => limit + 1

/** For objects whose id is a sequence number. */
export const numbered = cursorsOf(Type.Tuple([smallNumber]))

type Numbered = readonly [number]

/** What to read for a page in ascending order of numbers. */
export const pageAfter = (asked: PageRequest<Numbered>) => ({
  after: asked.after?.[0] ?? 0,
  limit: rowsFor(asked),
})

/** What to read for a page with the newest first. */
export const pageBelow = (asked: PageRequest<Numbered>) => ({
  below: asked.after?.[0],
  limit: rowsFor(asked),
})

export const pageByNumber = <Row extends { readonly id: string }>(
  rows: readonly Row[],
  asked: PageRequest<Numbered>,
): Page<Numbered, Row> =>
  pageOfRows(rows, asked, { placeOf: ({ id }): Numbered => [Number(id)], bodyOf: (row) => row })
