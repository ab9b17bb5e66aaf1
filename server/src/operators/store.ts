import type { Queryable } from '../db/session.ts'
import type { ListedRow } from '../keys/keys.ts'

const newsSpanMs = 3_600_000
const shown = 'number, name, prefix, last_four, created_at, expires_at, last_used_at, revoked_at'

export const statements = {
  findToken: {
    name: 'operators_find',
    text: `select t.number, t.name, t.expires_at, t.changed_at::text from unnest($1::bytea[]) as asked (hash)
      cross join lateral (select * from operator_tokens where hash = asked.hash and revoked_at is null
        and (expires_at is null or expires_at > now()) limit 1) t`,
  },
  insertToken: {
    name: 'operators_insert',
    text: `insert into operator_tokens (secret_id, hash, name, prefix, last_four, expires_at)
      values ($1, $2, $3, $4, $5, $6) returning ${shown}`,
  },
  listTokens: {
    name: 'operators_list',
    text: `select * from (select ${shown} from operator_tokens order by number desc limit 1000) newest
      order by number`,
  },
  revokeToken: {
    name: 'operators_revoke',
    text: `update operator_tokens set revoked_at = coalesce(revoked_at, now()), changed_at = clock_timestamp()
      where number = $1 returning ${shown}`,
  },
  listChanged: {
    name: 'operators_list_changed',
    text: `select number, changed_at::text from operator_tokens
      where changed_at > now() - $1 * interval '1 millisecond'`,
  },
  keepUse: {
    name: 'operators_keep_use',
    text: `update operator_tokens t set last_used_at = now() from (
        select f.place from unnest($1::integer[]) as u (number)
        cross join lateral (select ctid as place from operator_tokens where number = u.number limit 1) f
        offset 0) as used
      where t.ctid = used.place`,
  },
} as const

export type FoundRow = { number: number; name: string; expires_at: Date | null; changed_at: string }

export async function findToken(db: Queryable, hashes: readonly Buffer[]): Promise<FoundRow | undefined> {
  return (await db.query<FoundRow>(statements.findToken, [hashes])).rows[0]
}

export type NewToken = {
  secretId: string
  hash: Buffer
  name: string
  prefix: string
  lastFour: string
  expiresAt: Date | null
}

export async function insertToken(db: Queryable, token: NewToken): Promise<ListedRow> {
  const { secretId, hash, name, prefix, lastFour, expiresAt } = token
  const values = [secretId, hash, name, prefix, lastFour, expiresAt]
  const [row] = (await db.query<ListedRow>(statements.insertToken, values)).rows
  if (!row) throw new Error('a new token was not stored')
  return row
}

export async function listTokens(db: Queryable): Promise<ListedRow[]> {
  return (await db.query<ListedRow>(statements.listTokens)).rows
}

export async function revokeToken(db: Queryable, number: number): Promise<ListedRow | undefined> {
  return (await db.query<ListedRow>(statements.revokeToken, [number])).rows[0]
}

export async function listChanged(db: Queryable): Promise<{ number: number; changed_at: string }[]> {
  const { rows } = await db.query<{ number: number; changed_at: string }>(statements.listChanged, [
    newsSpanMs,
  ])
  return rows
}

export async function keepUse(db: Queryable, numbers: readonly number[]): Promise<void> {
  await db.query(statements.keepUse, [numbers])
}
