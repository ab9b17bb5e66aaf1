import type { Queryable } from '../db/session.ts'
import type { LimitColumns } from '../limits/limits.ts'

/** How far back the news of revocations reaches. A commit may wait long for a standby. */
const newsSpanMs = 3_600_000

export const statements = {
  /** The directory: a key is found by its hash alone, before any realm is known. */
  findKey: {
    name: 'keys_find',
    text: `select k.realm, k.number, k.rate, k.burst, r.id as realm_id,
        r.rate as realm_rate, r.burst as realm_burst
      from unnest($1::bytea[]) as asked (hash)
      cross join lateral (select * from keys where hash = asked.hash and revoked_at is null limit 1) k
      cross join lateral (select id, rate, burst from realms where realm = k.realm limit 1) r`,
  },
  takeNumber: {
    name: 'keys_take_number',
    text: 'update realms set next_key = next_key + 1 where realm = $1 returning next_key - 1 as number',
  },
  insertKey: {
    name: 'keys_insert',
    text: `insert into keys (realm, number, secret_id, hash, name, prefix, last_four, rate, burst)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      returning number, name, prefix, last_four, created_at, revoked_at, rate, burst`,
  },
  listKeys: {
    name: 'keys_list',
    text: `select number, name, prefix, last_four, created_at, revoked_at, rate, burst from keys
      where realm = $1 order by number limit 1000`,
  },
  revokeKey: {
    name: 'keys_revoke',
    text: `update keys set revoked_at = coalesce(revoked_at, now()) where realm = $1 and number = $2
      returning number, name, prefix, last_four, created_at, revoked_at, rate, burst`,
  },
  /** The keys of all realms that were revoked of late. */
  listRevoked: {
    name: 'keys_list_revoked',
    text: `select realm, number from keys where revoked_at > now() - $1 * interval '1 millisecond'`,
  },
} as const

export type FoundRow = LimitColumns & {
  realm: number
  number: number
  realm_id: string
  realm_rate: number | null
  realm_burst: number | null
}
export type KeyRow = LimitColumns & {
  number: number
  name: string
  prefix: string
  last_four: string
  created_at: Date
  revoked_at: Date | null
}

export async function findKey(db: Queryable, hashes: readonly Buffer[]): Promise<FoundRow | undefined> {
  return (await db.query<FoundRow>(statements.findKey, [hashes])).rows[0]
}

export async function listRevoked(db: Queryable): Promise<{ realm: number; number: number }[]> {
  return (await db.query<{ realm: number; number: number }>(statements.listRevoked, [newsSpanMs])).rows
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
  limit: LimitColumns
}

export async function insertKey(db: Queryable, key: NewKey): Promise<KeyRow> {
  const values = [key.realm, key.number, key.secretId, key.hash, key.name, key.prefix, key.lastFour]
  const { rate, burst } = key.limit
  const { rows } = await db.query<KeyRow>(statements.insertKey, [...values, rate, burst])
  const [row] = rows
  if (!row) throw new Error('a new key was not stored')
  return row
}

export async function listKeys(db: Queryable, realm: number): Promise<KeyRow[]> {
  return (await db.query<KeyRow>(statements.listKeys, [realm])).rows
}

export async function revokeKey(db: Queryable, realm: number, number: number): Promise<KeyRow | undefined> {
  return (await db.query<KeyRow>(statements.revokeKey, [realm, number])).rows[0]
}
