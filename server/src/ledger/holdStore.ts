import type { Queryable } from '../db/session.ts'

export const statements = {
  readHold: {
    name: 'holds_read',
    text: `select h.seq, m.id::text as member, p.id as point, h.amount, h.expires_us, h.ended_seq
      from (select * from holds where realm = $1 and seq = $2 limit 1) h
      cross join lateral (select id from points where realm = $1 and number = h.point limit 1) p
      left join lateral (select id from members where realm = $1 and account = h.account limit 1) m on true`,
  },
  listHolds: {
    name: 'holds_list',
    text: `select h.seq, m.id::text as member, p.id as point, h.amount, h.expires_us, h.ended_seq
      from (select id, account from members where realm = $1 and id = $2 limit 1) m
      cross join lateral (select * from holds where realm = $1 and account = m.account and ended_seq is null
        and seq < $3 order by seq desc limit $4) h
      cross join lateral (select id from points where realm = $1 and number = h.point limit 1) p
      order by h.seq desc`,
  },
  listOfRealm: {
    name: 'holds_list_of_realm',
    text: `select h.seq, m.id::text as member, p.id as point, h.amount, h.expires_us, h.ended_seq
      from (select * from holds where realm = $1 and ended_seq is null and seq < $2
        order by seq desc limit $3) h
      cross join lateral (select id from points where realm = $1 and number = h.point limit 1) p
      left join lateral (select id from members where realm = $1 and account = h.account limit 1) m on true
      order by h.seq desc`,
  },
} as const

/** Above every number of an entry. */
const latest = 9_223_372_036_854_775_807n

/** A page of open holds, the newest first: those made before this entry. */
export type HoldPage = { readonly before: bigint | undefined; readonly limit: number }

export type HoldView = {
  seq: bigint
  member: string | null
  point: string
  amount: bigint
  expires_us: bigint
  ended_seq: bigint | null
}

export async function readHold(db: Queryable, realm: number, seq: bigint): Promise<HoldView | undefined> {
  return (await db.query<HoldView>(statements.readHold, [realm, seq])).rows[0]
}

export async function listHolds(
  db: Queryable,
  realm: number,
  { member, before, limit }: HoldPage & { readonly member: string },
): Promise<HoldView[]> {
  return (await db.query<HoldView>(statements.listHolds, [realm, member, before ?? latest, limit])).rows
}

/** The open holds of all members, also of those who have left. */
export async function listRealmHolds(
  db: Queryable,
  realm: number,
  { before, limit }: HoldPage,
): Promise<HoldView[]> {
  return (await db.query<HoldView>(statements.listOfRealm, [realm, before ?? latest, limit])).rows
}
