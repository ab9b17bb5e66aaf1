import { createHash } from 'node:crypto'
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Refused } from '../../errors.ts'
import type { Caller, Scope } from '../../keys/index.ts'
import { isMemberId } from '../../members/index.ts'
import type { Reply } from '../problem.ts'
import { expectMark } from './expects.ts'
import { LongList } from './longList.ts'
import {
  type Documented,
  type MakeRoute,
  operatorRoute,
  type Request,
  type Route,
  realmRoute,
  type Services,
} from './route.ts'
import { Type } from './schemas.ts'

/** Every list of the API: one way to ask for a page, one form of its answer. */

/** Items of a page whose length is not asked for. */
export const usualLimit = 50

const limitParam = Type.String({
  pattern: '^([1-9][0-9]{0,2}|1000)$',
  description: `How many at most: a whole number from 1 to 1000; ${usualLimit} when left out.`,
  [expectMark]: 'a whole number from 1 to 1000',
  examples: ['50'],
})

const cursorParam = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,2000}$',
  description: 'The `nextCursor` of the page before, with the same filters.',
  [expectMark]: 'the `nextCursor` of the page before',
})

const nextCursor = Type.Union([Type.String(), Type.Null()], {
  description: 'The `cursor` of the next page; null when the list is complete.',
})

/** The number of an entry in a cursor; the same numbers as member ids. */
export const seqText = Type.Refine(Type.String({ pattern: '^[1-9][0-9]{0,18}$' }), isMemberId)

/** A number in a cursor that the database keeps as an integer. */
export const smallNumber = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })

/** A moment in a cursor, in microseconds since 1970. */
export const microseconds = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

type Values = readonly (string | number | null)[]

/** What a list declares of itself; `limit`, `cursor`, `data` and `nextCursor` are added to it. */
export type Listed = Omit<Documented, 'methods' | 'writes' | 'answer' | 'body' | 'list'> & {
  /** One item of `data`. */
  readonly item: TSchema
  /** What is answered beside `data` and `nextCursor`. */
  readonly beside?: Readonly<Record<string, TSchema>>
}

/** Which part of a list is asked for: so many items, those that follow this place. */
export type Asked<Place> = { readonly limit: number; readonly after: Place | undefined }

export type Page<Place, Item> = {
  /** All at once, or in pieces as they are read. */
  readonly items: readonly Item[] | AsyncIterable<readonly Item[]>
  readonly bodyOf?: (item: Item) => object
  /** Where the next page begins; asked for once all items were read. */
  readonly next: () => Readonly<Place> | null
  /** What is answered beside them; it is handed the cursor of the next page. */
  readonly beside?: (nextCursor: string | null) => object
}

type Read<Place, Item, Extra> = (
  request: Request<undefined> & Extra,
  services: Services,
  asked: Asked<Place>,
) => Promise<Page<Place, Item>>

/** How a place in a list is written as a cursor, and read from one. */
export type Cursors<Place> = {
  readonly param: TSchema
  of(place: Readonly<Place>, request: Request, route: Bound): string
  in(cursor: string, request: Request, route: Bound): Place
}

/** What a cursor is bound to. */
type Bound = { readonly path: string; readonly filters: readonly string[] }

const malformed = (): Refused => faulty('This is not a cursor. Send `nextCursor` of the page before.')

function faulty(detail: string, code?: string): Refused {
  const fault = { pointer: 'query:cursor', detail, ...(code === undefined ? {} : { code }) }
  return new Refused({ code: 'invalid_request', detail: `query:cursor: ${detail}`, faults: [fault] })
}

/** The list that a cursor is of: its route, whose it is, and its filters. */
function fingerprint({ params, query }: Request, { path, filters }: Bound): string {
  const asked = filters.flatMap((name) => query.getAll(name).map((value) => [name, value]))
  const list = JSON.stringify([path, params, asked])
  return createHash('sha256').update(list).digest('base64url').slice(0, 11)
}

/** Opaque cursors: the values of a place, with what they are bound to. */
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
        throw faulty('This cursor is of another list, or of other filters.', 'cursor_mismatch')
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

/** Lists of one thing have one name in the document: `MemberList` of members. */
function nameOf(item: TSchema): { title?: string } {
  const { title } = item as { readonly title?: string }
  return title === undefined ? {} : { title: `${title}List` }
}

function documentedOf(listed: Listed, param: TSchema): Documented {
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

function handlerOf<Place, Item, Extra>(
  listed: Listed,
  cursors: Cursors<Place>,
  read: Read<Place, Item, Extra>,
) {
  const route: Bound = { path: listed.path, filters: Object.keys(listed.query ?? {}) }
  return async (request: Request<undefined> & Extra, services: Services): Promise<Reply> => {
    const cursor = request.query.get('cursor')
    const page = await read(request, services, {
      limit: Number(request.query.get('limit') ?? usualLimit),
      after: cursor === null ? undefined : cursors.in(cursor, request, route),
    })
    const { items, bodyOf = (item) => item as object, beside } = page
    const list = new LongList('data')
    if (Array.isArray(items)) await list.add(items as readonly Item[], bodyOf)
    else for await (const piece of items as AsyncIterable<readonly Item[]>) await list.add(piece, bodyOf)
    const place = page.next()
    const next = place === null ? null : cursors.of(place, request, route)
    return list.end({ nextCursor: next, ...beside?.(next) })
  }
}

/** A list under /api/v4, for a key of the realm. */
export function realmList<Place, Item>(
  listed: Listed & { readonly scope: Scope | readonly Scope[] },
  cursors: Cursors<Place>,
  read: Read<Place, Item, { readonly caller: Caller }>,
): Route {
  const documented = { ...documentedOf(listed, cursors.param), scope: listed.scope }
  return realmRoute(documented, handlerOf(listed, cursors, read) as never)
}

/** A list at one of the doors. */
export const listAt =
  (route: MakeRoute) =>
  <Place, Item>(listed: Listed, cursors: Cursors<Place>, read: Read<Place, Item, object>): Route =>
    route(documentedOf(listed, cursors.param), handlerOf(listed, cursors, read) as never)

/** A list under /operator/v1. */
export const operatorList = listAt(operatorRoute)

/**
 * A page of rows in the order of their key, of which one more was read than is shown: only so it is known
 * whether any follow.
 */
export function pageOfRows<Place, Row>(
  rows: readonly Row[],
  { limit }: Asked<Place>,
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

/** Rows that a page needs: one more than is shown. */
export const rowsFor = ({ limit }: Asked<unknown>): number => limit + 1

/** Of what is numbered as it is made: its id is its number. */
export const numbered = cursorsOf(Type.Tuple([smallNumber]))

type Numbered = readonly [number]

/** What to read for a page in the order of numbers. */
export const pageAfter = (asked: Asked<Numbered>) => ({
  after: asked.after?.[0] ?? 0,
  limit: rowsFor(asked),
})

/** What to read for a page with the newest first. */
export const pageBelow = (asked: Asked<Numbered>) => ({ below: asked.after?.[0], limit: rowsFor(asked) })

export const pageByNumber = <Row extends { readonly id: string }>(
  rows: readonly Row[],
  asked: Asked<Numbered>,
): Page<Numbered, Row> =>
  pageOfRows(rows, asked, { placeOf: ({ id }): Numbered => [Number(id)], bodyOf: (row) => row })
