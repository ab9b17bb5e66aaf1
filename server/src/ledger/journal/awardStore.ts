import type { Queryable } from '../../db/session.ts'
import type { HoldPage } from './holdStore.ts'

const columns = `a.seq, m.id::text as member, p.id as point, a.amount, a.grant_us, a.ended_seq,
      a.postponed_by`

const ofPoint = `cross join lateral (select id from points where realm = $1 and number = a.point limit 1) p`
const ofMember = `${ofPoint}
      left join lateral (select id from members where realm = $1 and account = a.account limit 1) m on true`

export const statements = {
  readAward: {
    name: 'awards_read',
    text: `select ${columns}, j.kind as ended_kind
      from (select * from awards where realm = $1 and seq = $2 limit 1) a
      left join lateral (select kind from bound_journal
        where realm = $1 and seq = a.ended_seq limit 1) j on true
      ${ofMember}`,
  },
  listOfMember: {
    name: 'awards_list',
    text: `select ${columns}
      from (select id, account from members where realm = $1 and id = $2 limit 1) m
      cross join lateral (select * from awards where realm = $1 and account = m.account and ended_seq is null
        and seq < $3 order by seq desc limit $4) a
      ${ofPoint}
      order by a.seq desc`,
  },
  listOfRealm: {
    name: 'awards_list_of_realm',
    text: `select ${columns}
      from (select * from awards where realm = $1 and ended_seq is null and seq < $2
        order by seq desc limit $3) a
      ${ofMember}
      order by a.seq desc`,
  },
} as const

/** Above every entry number. */
const latest = 9_223_372_036_854_775_807n

export type AwardRow = {
  seq: bigint
  member: string | null
  point: string
  amount: bigint
  grant_us: bigint | null
  ended_seq: bigint | null
  postponed_by: string | null
  /** The kind of the entry that ended it; not read where all are pending. */
  ended_kind?: number | null
}

export async function readAward(db: Queryable, realm: number, seq: bigint): Promise<AwardRow | undefined> {
  return (await db.query<AwardRow>(statements.readAward, [realm, seq])).rows[0]
}

/** Pending ones, newest first: of one member, or of all. */
export async function listAwards(
  db: Queryable,
  realm: number,
  { member, before, limit }: HoldPage & { readonly member?: string },
): Promise<AwardRow[]> {
  const page = [before ?? latest, limit]
  const { rows } =
    member === undefined
      ? await db.query<AwardRow>(statements.listOfRealm, [realm, ...page])
      : await db.query<AwardRow>(statements.listOfMember, [realm, member, ...page])
  return rows
}
