import { invalid } from '../errors.ts'

/** A key or token as it is listed: never its text. */
export type Listed = {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly lastFour: string
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
  /** Who issued it, in words; null where that was not kept. */
  readonly madeBy: string | null
}

export type ListedRow = {
  number: number
  name: string
  prefix: string
  last_four: string
  created_at: Date
  expires_at: Date | null
  last_used_at: Date | null
  revoked_at: Date | null
  made_by: string | null
}

export function listedOf(row: ListedRow): Listed {
  return {
    id: String(row.number),
    name: row.name,
    prefix: row.prefix,
    lastFour: row.last_four,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
    madeBy: row.made_by,
  }
}

/** The number behind an id; undefined for what can be none. */
export const numberOf = (id: string): number | undefined =>
  /^[1-9][0-9]{0,8}$/.test(id) ? Number(id) : undefined

/** That can be live at once, of a realm or of the installation: so all of them can be listed. */
export const liveCap = 1_000
/** Above every number there is. */
const top = 2 ** 31 - 1

/** Which part of a list: the live ones, or those that ended, below an id. By default the live ones first. */
export type ListAsked = {
  readonly status?: 'live' | 'revoked' | undefined
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

export type ListPage<Item> = { readonly items: readonly Item[]; readonly next: string | null }

type Reader<Row> = {
  readonly live: () => Promise<Row[]>
  readonly ended: (page: { readonly below: number; readonly limit: number }) => Promise<Row[]>
}

/** All that are live, and behind them those that ended, the newest first, in pages. */
export async function pageOf<Row extends ListedRow>(
  { status, cursor, limit = 1_000 }: ListAsked,
  { live, ended }: Reader<Row>,
): Promise<ListPage<Row>> {
  // First: what ends meanwhile is listed twice, not missed.
  const alive = cursor === undefined && status !== 'revoked' ? await live() : []
  if (status === 'live') return { items: alive, next: null }
  const over = await ended({ below: numberOf(cursor ?? '') ?? top, limit })
  const last = over.length < limit ? undefined : over.at(-1)
  return { items: [...alive, ...over], next: last ? String(last.number) : null }
}

/** An expiry that has passed would be a revocation that nobody asked for. */
export function later(expiresAt: Date | null): Date | null {
  if (expiresAt !== null && !(expiresAt.getTime() > Date.now()))
    throw invalid('/expiresAt', 'Expected a time to come, such as 2030-01-31T00:00:00Z.')
  return expiresAt
}
