import { invalid } from '../errors.ts'

/** A key or token as it is listed: never its secret. */
export type ListItem = {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly lastFour: string
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
  readonly status: 'active' | 'expired' | 'revoked'
  /** Who issued it, as text; null where that was not stored. */
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

export function listedOf(row: ListedRow): ListItem {
  return {
    id: String(row.number),
    name: row.name,
    prefix: row.prefix,
    lastFour: row.last_four,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
    status: statusOf(row),
    madeBy: row.made_by,
  }
}

function statusOf({ revoked_at: revokedAt, expires_at: expiresAt }: ListedRow): ListItem['status'] {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt.getTime() <= Date.now() ? 'expired' : 'active'
}

/** The number of an id; undefined for an invalid id. */
export const numberOf = (id: string): number | undefined =>
  /^[1-9][0-9]{0,8}$/.test(id) ? Number(id) : undefined

/** Active at once, per realm or for the installation. */
export const liveCap = 1_000
/** Above every number. */
const top = 2 ** 31 - 1

/** Which part of a list: active ones in the order they were issued, or ended ones, newest first. */
export type ListQuery = {
  readonly status: 'active' | 'revoked'
  /** The last number of the previous page. */
  readonly from: number | undefined
  readonly limit: number
}

type Reader<Row> = {
  readonly live: (page: { readonly after: number; readonly limit: number }) => Promise<Row[]>
  readonly ended: (page: { readonly below: number; readonly limit: number }) => Promise<Row[]>
}

export function pageOf<Row extends ListedRow>(
  { status, from, limit }: ListQuery,
  { live, ended }: Reader<Row>,
): Promise<Row[]> {
  return status === 'active' ? live({ after: from ?? 0, limit }) : ended({ below: from ?? top, limit })
}

/** All active ones, followed by the most recently ended. */
export async function liveAndEnded<Item>(read: (asked: ListQuery) => Promise<Item[]>): Promise<Item[]> {
  const page = { from: undefined, limit: liveCap }
  const live = await read({ status: 'active', ...page })
  return [...live, ...(await read({ status: 'revoked', ...page }))]
}

/** An expiry in the past would be an unintended revocation. */
export function later(expiresAt: Date | null): Date | null {
  if (expiresAt !== null && !(expiresAt.getTime() > Date.now()))
    throw invalid('/expiresAt', 'Expected a time in the future, such as 2030-01-31T00:00:00Z.')
  return expiresAt
}
