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
  readonly status: 'active' | 'expired' | 'revoked'
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
    status: statusOf(row),
    madeBy: row.made_by,
  }
}

function statusOf({ revoked_at: revokedAt, expires_at: expiresAt }: ListedRow): Listed['status'] {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt.getTime() <= Date.now() ? 'expired' : 'active'
}

/** The number behind an id; undefined for what can be none. */
export const numberOf = (id: string): number | undefined =>
  /^[1-9][0-9]{0,8}$/.test(id) ? Number(id) : undefined

/** That can be live at once, of a realm or of the installation. */
export const liveCap = 1_000
/** Above every number there is. */
const top = 2 ** 31 - 1

/** Which part of a list: the live ones as they were issued, or those that ended, the newest first. */
export type ListAsked = {
  readonly status: 'active' | 'revoked'
  /** The number that the page before ended with. */
  readonly from: number | undefined
  readonly limit: number
}

type Reader<Row> = {
  readonly live: (page: { readonly after: number; readonly limit: number }) => Promise<Row[]>
  readonly ended: (page: { readonly below: number; readonly limit: number }) => Promise<Row[]>
}

export function pageOf<Row extends ListedRow>(
  { status, from, limit }: ListAsked,
  { live, ended }: Reader<Row>,
): Promise<Row[]> {
  return status === 'active' ? live({ after: from ?? 0, limit }) : ended({ below: from ?? top, limit })
}

/** All that are live, and behind them the last that ended. */
export async function liveAndEnded<Item>(read: (asked: ListAsked) => Promise<Item[]>): Promise<Item[]> {
  const page = { from: undefined, limit: liveCap }
  const live = await read({ status: 'active', ...page })
  return [...live, ...(await read({ status: 'revoked', ...page }))]
}

/** An expiry that has passed would be a revocation that nobody asked for. */
export function later(expiresAt: Date | null): Date | null {
  if (expiresAt !== null && !(expiresAt.getTime() > Date.now()))
    throw invalid('/expiresAt', 'Expected a time to come, such as 2030-01-31T00:00:00Z.')
  return expiresAt
}
