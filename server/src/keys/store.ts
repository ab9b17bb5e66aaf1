import type { Queryable, Writable } from '../db/session.ts'
import type { LimitColumns } from '../limits/index.ts'
import type { ListedRow } from './listed.ts'
import type { MoveColumns, MoveLimits } from './moves.ts'

const shown = `number, name, prefix, last_four, scopes, created_at, expires_at, last_used_at, revoked_at,
  rate, burst, max_per_change, max_per_day, made_by`

/** Still valid. A key that is not will never be valid again. */
const live = 'revoked_at is null and (expires_at is null or expires_at > now())'

export const statements = {
  /** The directory: a key is found by its hash alone, before any realm is known. */
  findKeys: {
    name: 'keys_find',
    text: `select asked.hash, k.realm, k.number, k.name, k.scopes, k.expires_at, k.changed_at::text,
        k.made_by_person, k.rate, k.burst, k.max_per_change, k.max_per_day,
        r.id as realm_id, r.rate as realm_rate, r.burst as realm_burst
      from unnest($1::bytea[]) as asked (hash)
      cross join lateral (select * from keys where hash = asked.hash and revoked_at is null
        and (expires_at is null or expires_at > now()) limit 1) k
      cross join lateral (select id, rate, burst from realms where realm = k.realm limit 1) r`,
  },
  takeNumber: {
    name: 'keys_take_number',
    writes: true,
    text: 'update realms set next_key = next_key + 1 where realm = $1 returning next_key - 1 as number',
  },
  insertKey: {
    name: 'keys_insert',
    writes: true,
    text: `insert into keys (realm, number, secret_id, hash, name, prefix, last_four, scopes, expires_at,
        rate, burst, made_by, made_by_person, max_per_change, max_per_day)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) returning ${shown}`,
  },
  listLive: {
    name: 'keys_list_live',
    text: `select ${shown} from keys where realm = $1 and ${live} and number > $2
      order by number limit $3`,
  },
  /** Newest first, below a number. */
  listEnded: {
    name: 'keys_list_ended',
    text: `select ${shown} from keys where realm = $1 and number < $2 and not (${live})
      order by number desc limit $3`,
  },
  countLive: {
    name: 'keys_count_live',
    text: `select count(*)::int as count from (select 1 from keys where realm = $1 and ${live} limit $2) k`,
  },
  /** The active keys of a realm that a person is responsible for. */
  listMadeIn: {
    name: 'keys_list_made_in',
    text: `select ${shown} from keys where made_by_person = $1 and realm = $2 and ${live}
      order by number limit 1000`,
  },
  /** The active keys of a realm that any person is responsible for, and which person. */
  listMadeByPeople: {
    name: 'keys_list_made_by_people',
    text: `select made_by_person, ${shown} from keys where realm = $1 and ${live}
      and made_by_person is not null order by number limit 1000`,
  },
  /** Those of one person in all realms. */
  listMadeBy: {
    name: 'keys_list_made_by',
    text: `select r.id as realm_id, k.* from (select realm, ${shown} from keys
        where made_by_person = $1 and ${live} order by realm, number limit 1000) k
      cross join lateral (select id from realms where realm = k.realm limit 1) r order by k.realm, k.number`,
  },
  /** An active key, locked: concurrent changes wait. */
  lockKey: {
    name: 'keys_lock',
    text: `select ${shown} from keys where realm = $1 and number = $2 and ${live} for update`,
  },
  changeKey: {
    name: 'keys_change',
    writes: true,
    text: `update keys set name = $3, expires_at = $4, rate = $5, burst = $6, max_per_change = $7,
        max_per_day = $8, changed_at = clock_timestamp()
      where realm = $1 and number = $2 returning ${shown}`,
  },
  readKey: {
    name: 'keys_read',
    text: `select ${shown} from keys where realm = $1 and number = $2`,
  },
  revokeKey: {
    name: 'keys_revoke',
    writes: true,
    text: `update keys set revoked_at = now(), changed_at = clock_timestamp()
      where realm = $1 and number = $2 and revoked_at is null returning ${shown}`,
  },
  /** Keys of all realms that expire soon and had no notice of it. */
  listExpiring: { name: 'keys_list_expiring', text: 'select realm, number from expiring_keys($1)' },
  markExpiring: {
    name: 'keys_mark_expiring',
    writes: true,
    text: `update keys set expiry_noticed = expires_at where realm = $1 and number = $2 and ${live}
        and expires_at <= now() + interval '7 days' and expiry_noticed is distinct from expires_at
      returning ${shown}`,
  },
  /** The recently changed keys of all realms; not those only issued. */
  listChanged: {
    name: 'keys_list_changed',
    text: `select realm, number, changed_at::text from keys
      where changed_at > created_at and changed_at > clock_timestamp() - $1 * interval '1 millisecond'
      limit $2`,
  },
  keepUse: {
    name: 'keys_keep_use',
    writes: true,
    text: `update keys k set last_used_at = now() from (
        select f.place from unnest($1::integer[], $2::integer[]) as u (realm, number)
        cross join lateral (select ctid as place from keys where realm = u.realm and number = u.number
          limit 1) f offset 0) as used
      where k.ctid = used.place`,
  },
} as const

export type FoundRow = LimitColumns &
  MoveColumns & {
    hash: Buffer
    realm: number
    number: number
    name: string
    scopes: string[] | null
    expires_at: Date | null
    changed_at: string
    made_by_person: number | null
    realm_id: string
    realm_rate: number | null
    realm_burst: number | null
  }
export type KeyRow = LimitColumns & MoveColumns & ListedRow & { scopes: string[] | null }

export async function findKeys(db: Queryable, hashes: readonly Buffer[]): Promise<FoundRow[]> {
  return (await db.query<FoundRow>(statements.findKeys, [hashes])).rows
}

export type ChangedRow = { realm: number; number: number; changed_at: string }

export async function listChanged(db: Queryable, withinMs: number, limit: number): Promise<ChangedRow[]> {
  return (await db.query<ChangedRow>(statements.listChanged, [withinMs, limit])).rows
}

export async function keepUse(
  db: Writable,
  keys: readonly Pick<ChangedRow, 'realm' | 'number'>[],
): Promise<void> {
  await db.query(statements.keepUse, [keys.map((key) => key.realm), keys.map((key) => key.number)])
}

export async function takeNumber(db: Writable, realm: number): Promise<number> {
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
  moves: MoveLimits
  madeBy: string
  person: number | null
}

export async function insertKey(db: Writable, key: NewKey): Promise<KeyRow> {
  const { realm, number, secretId, hash, name, prefix, lastFour, scopes, expiresAt, limit, moves } = key
  const shownAs = [name, prefix, lastFour, scopes, expiresAt, limit.rate, limit.burst, key.madeBy, key.person]
  const values = [realm, number, secretId, hash, ...shownAs, moves.maxPerChange, moves.maxPerDay]
  const { rows } = await db.query<KeyRow>(statements.insertKey, values)
  const [row] = rows
  if (!row) throw new Error('a new key was not stored')
  return row
}

export async function listLive(
  db: Queryable,
  realm: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<KeyRow[]> {
  return (await db.query<KeyRow>(statements.listLive, [realm, after, limit])).rows
}

export async function listEnded(
  db: Queryable,
  realm: number,
  { below, limit }: { readonly below: number; readonly limit: number },
): Promise<KeyRow[]> {
  return (await db.query<KeyRow>(statements.listEnded, [realm, below, limit])).rows
}

/** How many keys of a realm are active, counted up to a cap. */
export async function countLive(db: Queryable, realm: number, cap: number): Promise<number> {
  return (await db.query<{ count: number }>(statements.countLive, [realm, cap])).rows[0]?.count ?? 0
}

export async function listMadeIn(db: Queryable, person: number, realm: number): Promise<KeyRow[]> {
  return (await db.query<KeyRow>(statements.listMadeIn, [person, realm])).rows
}

export type PersonsRow = KeyRow & { made_by_person: number }

export async function listMadeByPeople(db: Queryable, realm: number): Promise<PersonsRow[]> {
  return (await db.query<PersonsRow>(statements.listMadeByPeople, [realm])).rows
}

export type MadeRow = KeyRow & { realm_id: string }

export async function listMadeBy(db: Queryable, person: number): Promise<MadeRow[]> {
  return (await db.query<MadeRow>(statements.listMadeBy, [person])).rows
}

export async function lockKey(db: Queryable, realm: number, number: number): Promise<KeyRow | undefined> {
  return (await db.query<KeyRow>(statements.lockKey, [realm, number])).rows[0]
}

export type KeyChange = {
  readonly name: string
  readonly expiresAt: Date | null
  readonly limit: LimitColumns
  readonly moves: MoveLimits
}

export async function changeKey(
  db: Writable,
  { realm, number }: { readonly realm: number; readonly number: number },
  { name, expiresAt, limit, moves }: KeyChange,
): Promise<KeyRow | undefined> {
  const limits = [limit.rate, limit.burst, moves.maxPerChange, moves.maxPerDay]
  return (await db.query<KeyRow>(statements.changeKey, [realm, number, name, expiresAt, ...limits])).rows[0]
}

export async function readKey(db: Queryable, realm: number, number: number): Promise<KeyRow | undefined> {
  return (await db.query<KeyRow>(statements.readKey, [realm, number])).rows[0]
}

/** Undefined if it does not exist, or was revoked before. */
export async function revokeKey(db: Writable, realm: number, number: number): Promise<KeyRow | undefined> {
  return (await db.query<KeyRow>(statements.revokeKey, [realm, number])).rows[0]
}

type KeyAt = Pick<ChangedRow, 'realm' | 'number'>

export async function listExpiring(db: Queryable, most: number): Promise<KeyAt[]> {
  return (await db.query<KeyAt>(statements.listExpiring, [most])).rows
}

/** Undefined if it had its notice, or has ended or got another expiry meanwhile. */
export async function markExpiring(db: Writable, realm: number, number: number): Promise<KeyRow | undefined> {
  return (await db.query<KeyRow>(statements.markExpiring, [realm, number])).rows[0]
}
