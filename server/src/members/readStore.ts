import { plainArray as plain } from '../db/arrays.ts'
import type { Queryable } from '../db/session.ts'
import { textRows } from '../db/statement.ts'

/**
 * Its balances on one side. Not `account = any (…)`: planned on a small table, PostgreSQL before 17 would
 * read all balances of the realm.
 */
const balancesAs = (side: number, account: string) =>
  `select ${side} as side, point, balance, at_us, seq, lots from balances
          where realm = asked.realm and account = ${account}`

export const statements = {
  /**
   * For all waiting reads: one row for each balance of a member, or one without a balance; and, without a
   * place, one for each realm with its configuration version, in the same snapshot.
   */
  readMembers: {
    name: 'members_read',
    text: `select null as place, h.realm as number, h.config_version::bigint as value, null as username,
        null as display_name, null as joined_at, null as updated_at, null as frozen, null as hidden,
        null as at_us, null as seq, null as side, null as account, null as lots
      from unnest($3::integer[]) as asked (realm)
      cross join lateral (select realm, config_version from heads where realm = asked.realm limit 1) h
      union all
      select asked.place, b.point, b.balance, m.username, m.display_name,
        (date_part('epoch', m.joined_at) * 1000000)::bigint,
        (date_part('epoch', m.updated_at) * 1000000)::bigint, m.frozen_at is not null, m.hidden, b.at_us,
        b.seq, b.side, m.account, b.lots
      from unnest($1::integer[], $2::bigint[]) with ordinality as asked (realm, id, place)
      cross join lateral (select * from members where realm = asked.realm and id = asked.id limit 1) m
      left join lateral (
        ${balancesAs(0, 'm.account')}
        union all ${balancesAs(1, '-m.account')}
        union all ${balancesAs(2, '-1073741824 - m.account')}) b on true`,
    ...textRows,
  },
} as const

/** As text; times in microseconds. */
type MemberRow = readonly [
  place: string | null,
  /** The point type; without a place, the realm. */
  number: string | null,
  /** The balance; without a place, the configuration version. */
  value: string | null,
  username: string | null,
  displayName: string | null,
  joinedAtUs: string,
  updatedAtUs: string,
  frozen: string,
  hidden: string,
  atUs: string,
  seq: string,
  /** The spendable balance, the held or the pending one. */
  side: string,
  account: string,
  lots: string | null,
]

export type BalanceSide = 'spendable' | 'held' | 'pending'

/** By the number that `readMembers` has for each. */
const balanceSides = ['spendable', 'held', 'pending'] as const

/** A balance of a member. */
export type BalanceRow = {
  readonly point: number
  readonly balance: bigint
  readonly atUs: number
  readonly seq: bigint
  readonly side: BalanceSide
  /** When it lapses, where its point type has a rule. */
  readonly lots: string | null
}

/** A member as it is stored. */
export type StoredMember = {
  readonly account: number
  readonly username: string | null
  readonly displayName: string | null
  readonly joinedAtUs: number
  readonly updatedAtUs: number
  readonly frozen: boolean
  readonly hidden: boolean
  readonly balances: BalanceRow[]
}

export type FoundMembers = {
  /** Each by its place; undefined where the realm has no such member. */
  readonly members: readonly (StoredMember | undefined)[]
  /** Of the configurations of these realms at that time. */
  readonly versions: ReadonlyMap<number, number>
}

export type MemberKey = { readonly realm: number; readonly id: string }

/** `realms` are those of the members, each once. */
export async function readMembers(
  db: Queryable,
  asked: readonly MemberKey[],
  realms: readonly number[],
): Promise<FoundMembers> {
  const values = [plain(asked, (one) => one.realm), plain(asked, (one) => one.id), realms]
  const { rows } = await db.query<MemberRow>(statements.readMembers, values)
  const members: (StoredMember | undefined)[] = asked.map(() => undefined)
  const versions = new Map<number, number>()
  for (const row of rows) {
    const [place, number, value] = row
    if (place === null) versions.set(Number(number), Number(value))
    else {
      const index = Number(place) - 1
      const member = members[index] ?? memberOf(row)
      members[index] = member
      if (number !== null) member.balances.push(balanceOf(row))
    }
  }
  return { members, versions }
}

const isTrue = (text: string): boolean => text === 't'

function memberOf(row: MemberRow): StoredMember {
  const [, , , username, displayName, joinedAtUs, updatedAtUs, frozen, hidden, , , , account] = row
  return {
    account: Number(account),
    username,
    displayName,
    joinedAtUs: Number(joinedAtUs),
    updatedAtUs: Number(updatedAtUs),
    frozen: isTrue(frozen),
    hidden: isTrue(hidden),
    balances: [],
  }
}

function balanceOf(row: MemberRow): BalanceRow {
  const [, point, balance, , , , , , , atUs, seq, side, , lots] = row
  return {
    point: Number(point),
    balance: BigInt(balance ?? 0),
    atUs: Number(atUs),
    seq: BigInt(seq),
    side: balanceSides[Number(side)] ?? 'spendable',
    lots,
  }
}
