import type { Queryable, Writable } from '../db/session.ts'

export const statements = {
  insertAct: {
    name: 'audit_insert',
    writes: true,
    text: `insert into audit (realm, actor, action, subject, address, request_id, person)
      values ($1, $2, $3, $4, $5, $6, $7)`,
  },
  /** In the directory, wherever the realm is. */
  insertOnPeople: {
    name: 'audit_insert_on_people',
    text: `insert into audit (realm, actor, action, subject, address, request_id, person)
      values ($1, $2, $3, $4, $5, $6, $7)`,
  },
  /** Newest first, before a position in time. */
  listActs: {
    name: 'audit_list',
    text: `select a.id, a.at, a.actor, a.action, a.subject, a.address, a.request_id,
        a.person, w.name as person_name, (extract(epoch from a.at) * 1000000)::bigint as at_us
      from audit a
      left join lateral (select name from people where person = a.person limit 1) w on true
      where a.realm = $1 and (a.at, a.id) < (
        coalesce('epoch'::timestamptz + $2::float8 * interval '1 microsecond', 'infinity'),
        coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
      order by a.at desc, a.id desc limit $4`,
  },
  /** Limited to the last 35 days, so that it stays cheap where no such act exists. */
  findLast: {
    name: 'audit_find_last',
    text: `select a.at, a.action from audit a
      where a.realm = $1 and a.at > now() - interval '35 days' and a.action = any ($2::text[])
      order by a.at desc, a.id desc limit 1`,
  },
  /** The oldest rows of all realms; the first migration documents what it rejects. */
  trim: { name: 'audit_trim', text: 'select trim_audit($1, $2) as trimmed' },
} as const

export type ActRow = {
  id: string
  at: Date
  actor: string
  action: string
  subject: string
  address: string | null
  request_id: string | null
  person: number | null
  person_name: string | null
  at_us: bigint
}

/** Acts before this one, by its time: the act itself may have been deleted meanwhile. */
export type ActPage = {
  readonly before: { readonly atUs: number; readonly id: string } | undefined
  readonly limit: number
}

export async function insertAct(db: Writable, values: readonly (string | number | null)[]): Promise<void> {
  await db.query(statements.insertAct, values)
}

export async function insertOnPeople(
  db: Queryable,
  values: readonly (string | number | null)[],
): Promise<void> {
  await db.query(statements.insertOnPeople, values)
}

export async function listActs(db: Queryable, realm: number, { before, limit }: ActPage): Promise<ActRow[]> {
  const values = [realm, before?.atUs ?? null, before?.id ?? null, limit]
  return (await db.query<ActRow>(statements.listActs, values)).rows
}

type LastRow = { at: Date; action: string }

export async function findLast(
  db: Queryable,
  realm: number,
  actions: readonly string[],
): Promise<LastRow | undefined> {
  return (await db.query<LastRow>(statements.findLast, [realm, actions])).rows[0]
}

/** Deletes acts older than `keepDays` days, `most` at once; returns how many. */
export async function trimActs(db: Queryable, keepDays: number, most: number): Promise<number> {
  const { rows } = await db.query<{ trimmed: number }>(statements.trim, [keepDays, most])
  return rows[0]?.trimmed ?? 0
}
