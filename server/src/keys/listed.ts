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
  }
}

/** The number behind an id; undefined for what can be none. */
export const numberOf = (id: string): number | undefined =>
  /^[1-9][0-9]{0,8}$/.test(id) ? Number(id) : undefined

/** An expiry that has passed would be a revocation that nobody asked for. */
export function later(expiresAt: Date | null): Date | null {
  if (expiresAt !== null && !(expiresAt.getTime() > Date.now()))
    throw invalid('/expiresAt', 'Expected a time to come, such as 2030-01-31T00:00:00Z.')
  return expiresAt
}
