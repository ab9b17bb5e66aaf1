import type { Queryable } from '../db/session.ts'
import type { LimitColumns } from '../limits/index.ts'
import type { Role } from './roles.ts'

/** A valid session key of a valid session, and its person. */
const live = (condition: string) => `from unnest($1::bytea[]) as asked (hash)
      cross join lateral (select * from session_keys where hash = asked.hash and ended_at is null
        and expires_at > now() and ${condition} limit 1) k
      cross join lateral (select person from sessions where session = k.session and ended_at is null
        and expires_at > now() limit 1) s
      cross join lateral (select person, operator from people where person = s.person limit 1) w`

const state = `asked.hash, k.number, k.expires_at, coalesce(k.changed_at::text, '') as changed_at, w.person`

/** Every process notices the change by `changed_at`. */
const endKeys = `update session_keys set ended_at = now(), changed_at = clock_timestamp()
      where ended_at is null and expires_at > now()`

export const statements = {
  insertSession: {
    name: 'sessions_insert',
    text: `insert into sessions (secret_id, hash, person, expires_at)
      values ($1, $2, $3, now() + $4 * interval '1 second') returning session, expires_at`,
  },
  findSession: {
    name: 'sessions_find',
    text: `select s.session, s.expires_at, s.person, w.name, w.email, w.operator, w.by_provider
      from unnest($1::bytea[]) as asked (hash)
      cross join lateral (select session, expires_at, person from sessions where hash = asked.hash
        and ended_at is null and expires_at > now()
        and used_at > now() - $2 * interval '1 second' limit 1) s
      cross join lateral (select name, email, operator, issuer is not null as by_provider
        from people where person = s.person limit 1) w
      where w.name is not null`,
  },
  /** Once a minute is enough to detect an idle session. */
  touch: {
    name: 'sessions_touch',
    text: `update sessions set used_at = now()
      where session = $1 and used_at < now() - interval '1 minute'`,
  },
  end: {
    name: 'sessions_end',
    text: 'update sessions set ended_at = now() where session = $1 and ended_at is null',
  },
  endAll: {
    name: 'sessions_end_all',
    text: 'update sessions set ended_at = now() where person = $1 and ended_at is null',
  },
  endKeysOfSession: {
    name: 'sessions_end_keys',
    text: `${endKeys} and session = $1`,
  },
  endKeysOfPerson: {
    name: 'sessions_end_keys_of_person',
    text: `${endKeys} and session = any (array(select session from sessions where person = $1))`,
  },
  /** Makes processes look up again what a key may do. */
  changeKeys: {
    name: 'sessions_change_keys',
    text: `update session_keys set changed_at = clock_timestamp() where realm = $2 and ended_at is null
      and expires_at > now()
      and session = any (array(select session from sessions where person = $1 and ended_at is null))`,
  },
  insertKey: {
    name: 'sessions_insert_key',
    text: `insert into session_keys (secret_id, hash, session, realm, expires_at)
      select $1, $2, s.session, $4, least(s.expires_at, now() + $5 * interval '1 second')
      from sessions s where s.session = $3 and s.ended_at is null and s.expires_at > now() for share
      returning expires_at`,
  },
  countKeys: {
    name: 'sessions_count_keys',
    text: `select count(*)::int as count from (select 1 from session_keys where session = $1
      and ended_at is null and expires_at > now() limit $2) k`,
  },
  findKeys: {
    name: 'sessions_find_key',
    text: `select ${state}, w.operator, o.key, o.role, k.realm, r.id as realm_id, r.cell, r.rate, r.burst
      ${live('realm is not null')}
      cross join lateral (select key, role from roles
        where realm = k.realm and person = w.person limit 1) o
      cross join lateral (select id, cell, rate, burst from realms where realm = k.realm limit 1) r
      where w.operator or o.role is not null`,
  },
  /** The limits of realms, which their cell has. */
  readLimits: {
    name: 'sessions_read_limits',
    text: `select r.* from unnest($1::integer[]) as asked (realm)
      cross join lateral (select realm, rate, burst from realms where realm = asked.realm limit 1) r`,
  },
  findTokens: {
    name: 'sessions_find_token',
    text: `select ${state} ${live('realm is null')} where w.operator`,
  },
  listChanged: {
    name: 'sessions_list_changed',
    text: `select number, changed_at::text from session_keys
      where changed_at > clock_timestamp() - $1 * interval '1 millisecond' limit $2`,
  },
  /**
   * Deletes what expired long ago, a few rows at a time: entries name a person's own number, never a session
   * key.
   */
  sweepKeys: {
    name: 'sessions_sweep_keys',
    text: `delete from session_keys where number = any (array(select number from session_keys
      where expires_at < now() - interval '2 hours' order by expires_at limit 100))`,
  },
  sweepSessions: {
    name: 'sessions_sweep',
    text: `delete from sessions where session = any (array(select session from sessions
      where expires_at < now() - interval '30 days' order by expires_at limit 100))`,
  },
} as const

export type SessionRow = {
  session: bigint
  expires_at: Date
  person: number
  name: string
  email: string | null
  operator: boolean
  by_provider: boolean
}

export type NewSecret = { readonly secretId: string; readonly hash: Buffer }

export async function insertSession(
  tx: Queryable,
  { secretId, hash }: NewSecret,
  { person, seconds }: { readonly person: number; readonly seconds: number },
): Promise<void> {
  await tx.query(statements.sweepSessions)
  await tx.query(statements.insertSession, [secretId, hash, person, seconds])
}

export async function findSession(
  db: Queryable,
  hashes: readonly Buffer[],
  idleSeconds: number,
): Promise<SessionRow | undefined> {
  return (await db.query<SessionRow>(statements.findSession, [hashes, idleSeconds])).rows[0]
}

export async function touch(db: Queryable, session: bigint): Promise<void> {
  await db.query(statements.touch, [session])
}

export async function endSession(tx: Queryable, session: bigint): Promise<void> {
  await tx.query(statements.end, [session])
  await tx.query(statements.endKeysOfSession, [session])
}

export async function endSessionsOf(tx: Queryable, person: number): Promise<void> {
  await tx.query(statements.endAll, [person])
  await tx.query(statements.endKeysOfPerson, [person])
}

export async function changeKeys(tx: Queryable, person: number, realm: number): Promise<void> {
  await tx.query(statements.changeKeys, [person, realm])
}

export type NewSessionKey = NewSecret & {
  readonly session: bigint
  readonly realm: number | null
  readonly seconds: number
}

/** Undefined when the session has ended meanwhile. */
export async function insertKey(tx: Queryable, made: NewSessionKey): Promise<Date | undefined> {
  await tx.query(statements.sweepKeys)
  const { secretId, hash, session, realm, seconds } = made
  const values = [secretId, hash, session, realm, seconds]
  return (await tx.query<{ expires_at: Date }>(statements.insertKey, values)).rows[0]?.expires_at
}

/** How many keys of a session are valid, counted up to a cap. */
export async function countKeys(tx: Queryable, session: bigint, cap: number): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(statements.countKeys, [session, cap])
  return rows[0]?.count ?? 0
}

export type SessionTokenRow = {
  hash: Buffer
  number: bigint
  expires_at: Date
  changed_at: string
  person: number
}
export type FoundKey = SessionTokenRow &
  LimitColumns & {
    operator: boolean
    key: number
    role: Role | null
    realm: number
    realm_id: string
    cell: number
  }

export async function findSessionKeys(db: Queryable, hashes: readonly Buffer[]): Promise<FoundKey[]> {
  return (await db.query<FoundKey>(statements.findKeys, [hashes])).rows
}

export async function readLimits(
  db: Queryable,
  realms: readonly number[],
): Promise<(LimitColumns & { realm: number })[]> {
  return (await db.query<LimitColumns & { realm: number }>(statements.readLimits, [realms])).rows
}

export async function findSessionTokens(
  db: Queryable,
  hashes: readonly Buffer[],
): Promise<SessionTokenRow[]> {
  return (await db.query<SessionTokenRow>(statements.findTokens, [hashes])).rows
}

export async function listChanged(
  db: Queryable,
  withinMs: number,
  limit: number,
): Promise<Map<string, string>> {
  const values = [withinMs, limit]
  const { rows } = await db.query<{ number: bigint; changed_at: string }>(statements.listChanged, values)
  return new Map(rows.map((row) => [String(row.number), row.changed_at]))
}
