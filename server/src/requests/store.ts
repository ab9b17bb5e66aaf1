import type { Queryable, Writable } from '../db/session.ts'

export const statements = {
  /** Returns a row when the caller may go on: the key is new, or a day has passed. */
  claim: {
    name: 'requests_claim',
    writes: true,
    text: `insert into requests (realm, request, fingerprint, member, until)
      select $1::integer, $2::uuid, $3::uuid, $4::bigint, now() + interval '24 hours'
      where (select count(*) from (select from requests where realm = $1::integer limit $5) k) < $5
      on conflict (realm, request) do update set fingerprint = excluded.fingerprint,
        member = excluded.member, status = null, body = null, until = excluded.until
        where requests.until < now()
      returning realm`,
  },
  find: {
    name: 'requests_find',
    text: `select fingerprint, status, body from requests
      where realm = $1 and request = $2 and until >= now()`,
  },
  /**
   * These two only end a claim of this process: another one waits for it. So they are not fenced. Where the
   * realm has just gone, such a row still reaches its new cell, if it is written in time.
   */
  finish: {
    name: 'requests_finish',
    text: 'update requests set status = $3, body = $4 where realm = $1 and request = $2',
  },
  release: {
    name: 'requests_release',
    text: 'delete from requests where realm = $1 and request = $2',
  },
  /** Every claim deletes up to 100 expired rows, so the table holds about one day. */
  sweep: {
    name: 'requests_sweep',
    writes: true,
    text: `delete from requests r using (
        select ctid as place from requests where realm = $1 and until < now()
        order by until limit 100 offset 0) old
      where r.ctid = old.place and r.realm is not distinct from $1::integer`,
  },
  forgetMember: {
    name: 'requests_forget_member',
    writes: true,
    text: 'delete from requests where realm = $1 and member = $2::bigint',
  },
} as const

export type RequestKey = {
  readonly realm: number
  /** The Idempotency-Key and the fingerprint of the request, each as 128 bits in UUID form. */
  readonly request: string
  readonly fingerprint: string
  readonly member: string | null
}

export type EarlierRow = { fingerprint: string; status: number | null; body: string | null }

export async function claim(db: Writable, key: RequestKey, cap: number): Promise<boolean> {
  const values = [key.realm, key.request, key.fingerprint, key.member, cap]
  return (await db.query(statements.claim, values)).rows.length > 0
}

export async function find(db: Queryable, { realm, request }: RequestKey): Promise<EarlierRow | undefined> {
  return (await db.query<EarlierRow>(statements.find, [realm, request])).rows[0]
}

export type StoredAnswer = { readonly status: number; readonly body: string | null }

export async function finish(
  db: Queryable,
  { realm, request }: RequestKey,
  { status, body }: StoredAnswer,
): Promise<void> {
  await db.query(statements.finish, [realm, request, status, body])
}

export async function release(db: Queryable, { realm, request }: RequestKey): Promise<void> {
  await db.query(statements.release, [realm, request])
}

export async function sweep(db: Writable, realm: number): Promise<void> {
  await db.query(statements.sweep, [realm])
}

export async function forgetMember(db: Writable, realm: number, member: string): Promise<void> {
  await db.query(statements.forgetMember, [realm, member])
}
