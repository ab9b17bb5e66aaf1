import type { Queryable } from '../db/session.ts'
import type { ListedRow } from '../keys/index.ts'

const shown = 'number, name, prefix, last_four, created_at, expires_at, last_used_at, revoked_at, made_by'
const live = 'revoked_at is null and (expires_at is null or expires_at > now())'

export const statements = {
  findTokens: {
    name: 'operators_find',
    text: `select asked.hash, t.number, t.name, t.expires_at, t.changed_at::text, t.made_by_person
      from unnest($1::bytea[]) as asked (hash)
      cross join lateral (select * from operator_tokens where hash = asked.hash and revoked_at is null
        and (expires_at is null or expires_at > now()) limit 1) t`,
  },
  insertToken: {
    name: 'operators_insert',
    text: `insert into operator_tokens (secret_id, hash, name, prefix, last_four, expires_at,
        made_by, made_by_person) values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${shown}`,
  },
  listLive: {
    name: 'operators_list_live',
    text: `select ${shown} from operator_tokens where ${live} and number > $1
      order by number limit $2`,
  },
  /** Newest first, below a number. */
  listEnded: {
    name: 'operators_list_ended',
    text: `select ${shown} from operator_tokens where number < $1 and not (${live})
      order by number desc limit $2`,
  },
  countLive: {
    name: 'operators_count_live',
    text: `select count(*)::int as count from (select 1 from operator_tokens where ${live} limit $1) t`,
  },
  /** The active ones that a person is responsible for. */
  listMadeBy: {
    name: 'operators_list_made_by',
    text: `select ${shown} from operator_tokens where made_by_person = $1 and ${live}
      order by number limit 1000`,
  },
  readToken: {
    name: 'operators_read',
    text: `select ${shown} from operator_tokens where number = $1`,
  },
  revokeToken: {
    name: 'operators_revoke',
    text: `update operator_tokens set revoked_at = now(), changed_at = clock_timestamp()
      where number = $1 and revoked_at is null returning ${shown}`,
  },
  listChanged: {
    name: 'operators_list_changed',
    text: `select number, changed_at::text from operator_tokens
      where changed_at > created_at and changed_at > clock_timestamp() - $1 * interval '1 millisecond'
      limit $2`,
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

export type FoundRow = {
  hash: Buffer
  number: number
  name: string
  expires_at: Date | null
  changed_at: string
  made_by_person: number | null
}

export async function findTokens(db: Queryable, hashes: readonly Buffer[]): Promise<FoundRow[]> {
  return (await db.query<FoundRow>(statements.findTokens, [hashes])).rows
}

export type NewToken = {
  secretId: string
  hash: Buffer
  name: string
  prefix: string
  lastFour: string
  expiresAt: Date | null
  madeBy: string
  person: number | null
}

export async function insertToken(db: Queryable, token: NewToken): Promise<ListedRow> {
  const { secretId, hash, name, prefix, lastFour, expiresAt, madeBy, person } = token
  const values = [secretId, hash, name, prefix, lastFour, expiresAt, madeBy, person]
  const [row] = (await db.query<ListedRow>(statements.insertToken, values)).rows
  if (!row) throw new Error('a new token was not stored')
  return row
}

export async function listLive(
  db: Queryable,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<ListedRow[]> {
  return (await db.query<ListedRow>(statements.listLive, [after, limit])).rows
}

export async function listEnded(
  db: Queryable,
  { below, limit }: { readonly below: number; readonly limit: number },
): Promise<ListedRow[]> {
  return (await db.query<ListedRow>(statements.listEnded, [below, limit])).rows
}

/** How many tokens are active, counted up to a cap. */
export async function countLive(db: Queryable, cap: number): Promise<number> {
  return (await db.query<{ count: number }>(statements.countLive, [cap])).rows[0]?.count ?? 0
}

export async function listMadeBy(db: Queryable, person: number): Promise<ListedRow[]> {
  return (await db.query<ListedRow>(statements.listMadeBy, [person])).rows
}

export async function readToken(db: Queryable, number: number): Promise<ListedRow | undefined> {
  return (await db.query<ListedRow>(statements.readToken, [number])).rows[0]
}

/** Undefined if it does not exist, or was revoked before. */
export async function revokeToken(db: Queryable, number: number): Promise<ListedRow | undefined> {
  return (await db.query<ListedRow>(statements.revokeToken, [number])).rows[0]
}

export async function listChanged(
  db: Queryable,
  withinMs: number,
  limit: number,
): Promise<{ number: number; changed_at: string }[]> {
  const values = [withinMs, limit]
  return (await db.query<{ number: number; changed_at: string }>(statements.listChanged, values)).rows
}

export async function keepUse(db: Queryable, numbers: readonly number[]): Promise<void> {
  await db.query(statements.keepUse, [numbers])
}
