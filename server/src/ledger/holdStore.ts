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
        order by seq desc limit $3) h
      cross join lateral (select id from points where realm = $1 and number = h.point limit 1) p
      order by h.seq desc`,
  },
} as const

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
  { member, limit }: { readonly member: string; readonly limit: number },
): Promise<HoldView[]> {
  return (await db.query<HoldView>(statements.listHolds, [realm, member, limit])).rows
}
