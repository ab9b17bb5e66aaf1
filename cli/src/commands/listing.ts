import type { Context } from '../command.ts'
import { wrongUsage } from '../exits.ts'
import { grouped } from '../output.ts'
import type { Cell, Column } from '../table.ts'
import { countOf } from './values.ts'

/** Options of every list; the default is one page of the API. */
export const listFlags = {
  limit: { value: 'N', what: 'how many at most; 50 by default' },
  all: { what: 'all of them' },
} as const

export type Listing = { readonly limit?: string; readonly all?: true }

/** The requested number of items. */
export function listCount({ limit, all }: Listing): number {
  if (limit !== undefined && all) throw wrongUsage('Give either --limit or --all, not both.')
  return all ? Number.POSITIVE_INFINITY : countOf('--limit', limit, 50)
}

type Source<T> = { toArray(options: { readonly max: number }): Promise<T[]> }
type Listed<T> = { readonly items: readonly T[]; readonly hasMore: boolean }

export async function listed<T>(source: Source<T>, listing: Listing): Promise<Listed<T>> {
  const count = listCount(listing)
  const found = await source.toArray({ max: count + 1 })
  return { items: found.slice(0, count), hasMore: found.length > count }
}

type Shape<T> = {
  readonly columns: readonly Column[]
  readonly row: (item: T) => readonly Cell[]
  /** Message for an empty list. */
  readonly empty: string
}

/** A list as a table. A note on stderr says when there is more, also with --json. */
export function showList<T>({ out }: Context, { items, hasMore }: Listed<T>, shape: Shape<T>): void {
  const { columns, row, empty } = shape
  out.answer(items, () => {
    if (items.length === 0) out.aside(empty)
    else out.table(columns, items.map(row))
  })
  if (hasMore) out.aside(`The first ${grouped(items.length)}. For more, give --limit N or --all.`)
}
