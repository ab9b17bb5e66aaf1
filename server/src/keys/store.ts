import type { Queryable } from '../db/session.ts'
import type { LimitColumns } from '../limits/limits.ts'
import type { ListedRow } from './listed.ts'

/** How far back the news of changes reaches. A commit may wait long for a standby. */
const newsSpanMs = 3_600_000

const shown =
  'number, name, prefix, last_four, scopes, created_at, expires_at, last_used_at, revoked_at, rate, burst'

export const statements = {
  /** The directory: a key is found by its hash alone, before any realm is known. */
  findKey: {
    name: 'keys_find',
    text: `select k.realm, k.number, k.name, k.scopes, k.expires_at, k.changed_at::text,
        k.rate, k.burst, r.id as realm_id, r.rate as realm_rate, r.burst as realm_burst
      from unnest($1::bytea[]) as asked (hash)
      cross join lateral (select * from keys where hash = asked.hash and revoked_at is null
        and (expires_at is null or expires_at > now()) limit 1) k
      cross join lateral (select id, rate, burst from realms where realm = k.realm limit 1) r`,
  },
  takeNumber: {
    name: 'keys_take_number',
    text: 'update realms set next_key = next_key + 1 where realm = $1 returning next_key - 1 as number',
  },
  insertKey: {
    name: 'keys_insert',
    text: `insert into keys (realm, number, secret_id, hash, name, prefix, last_four, scopes, expires_at,
        rate, burst) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning ${shown}`,
  },
  listKeys: {
    name: 'keys_list',
    text: `select * from (select ${shown} from keys where realm = $1 order by number desc limit 1000) newest
      order by number`,
  },
  /** A key that still opens something, locked: whoever else changes it waits. */
  lockKey: {
    name: 'keys_lock',
    text: `select ${shown} from keys where realm = $1 and number = $2 and revoked_at is null
      and (expires_at is null or expires_at > now()) for update`,
  },
  changeKey: {
    name: 'keys_change',
    text: `update keys set name = $3, expires_at = $4, rate = $5, burst = $6, changed_at = clock_timestamp()
      where realm = $1 and number = $2 returning ${shown}`,
  },
  revokeKey: {
    name: 'keys_revoke',
    text: `update keys set revoked_at = coalesce(revoked_at, now()), changed_at = clock_timestamp()
      where realm = $1 and number = $2 returning ${shown}`,
  },
  /** The keys of all realms that were changed of late. */
  listChanged: {
    name: 'keys_list_changed',
    text: `select realm, number, changed_at::text from keys
      where changed_at > now() - $1 * interval '1 millisecond'`,
  },
  keepUse: {
    name: 'keys_keep_use',
    text: `update keys k set last_used_at = now() from (
        select f.place from unnest($1::integer[], $2::integer[]) as u (realm, number)
        cross join lateral (select ctid as place from keys where realm = u.realm and number = u.number
          limit 1) f offset 0) as used
      where k.ctid = used.place`,
  },
} as const

export type FoundRow = LimitColumns & {
  realm: number
  number: number
  name: string
  scopes: string[] | null
  expires_at: Date | null
  changed_at: string
  realm_id: string
  realm_rate: number | null
  realm_burst: number | null
}
export type KeyRow = LimitColumns & ListedRow & { scopes: string[] | null }

export async function findKey(db: Queryable, hashes: readonly Buffer[]): Promise<FoundRow | undefined> {
  return (await db.query<FoundRow>(statements.findKey, [hashes])).rows[0]
}

export type ChangedRow = { realm: number; number: number; changed_at: string }

export async function listChanged(db: Queryable): Promise<ChangedRow[]> {
  return (await db.query<ChangedRow>(statements.listChanged, [newsSpanMs])).rows
}

export async function keepUse(
  db: Queryable,
  keys: readonly Pick<ChangedRow, 'realm' | 'number'>[],
): Promise<void> {
  await db.query(statements.keepUse, [keys.map((key) => key.realm), keys.map((key) => key.number)])
}

export async function takeNumber(db: Queryable, realm: number): Promise<number> {
  const { rows } = await db.query<{ number: number }>(statements.takeNumber, [realm])
  const [row] = rows
  if (!row) throw new Error(`realm ${realm} is missing`)
  return row.number
}

export type NewKey = {
  realm: number
  number: number
  secretId: string
  hash: Buffer
  name: string
  prefix: string
  lastFour: string
  scopes: readonly string[] | null
  expiresAt: Date | null
  limit: LimitColumns
}

export async function insertKey(db: Queryable, key: NewKey): Promise<KeyRow> {
  const { realm, number, secretId, hash, name, prefix, lastFour, scopes, expiresAt, limit } = key
  const shownAs = [name, prefix, lastFour, scopes, expiresAt, limit.rate, limit.burst]
  const values = [realm, number, secretId, hash, ...shownAs]
  const { rows } = await db.query<KeyRow>(statements.insertKey, values)
  const [row] = rows
  if (!row) throw new Error('a new key was not stored')
  return row
}

export async function listKeys(db: Queryable, realm: number): Promise<KeyRow[]> {
  return (await db.query<KeyRow>(statements.listKeys, [realm])).rows
}

export async function lockKey(db: Queryable, realm: number, number: number): Promise<KeyRow | undefined> {
  return (await db.query<KeyRow>(statements.lockKey, [realm, number])).rows[0]
}

export type KeyChange = {
  readonly name: string
  readonly expiresAt: Date | null
  readonly limit: LimitColumns
}

export async function changeKey(
  db: Queryable,
  { realm, number }: { readonly realm: number; readonly number: number },
  { name, expiresAt, limit }: KeyChange,
): Promise<KeyRow | undefined> {
  return (
    await db.query<KeyRow>(statements.changeKey, [realm, number, name, expiresAt, limit.rate, limit.burst])
  ).rows[0]
}

export async function revokeKey(db: Queryable, realm: number, number: number): Promise<KeyRow | undefined> {
  return (await db.query<KeyRow>(statements.revokeKey, [realm, number])).rows[0]
}
