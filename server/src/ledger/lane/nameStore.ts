import { plainArray as plain, textArray as texts } from '../../db/arrays.ts'
import type { Queryable } from '../../db/session.ts'
import { splitIdentity } from '../../members/identities/index.ts'
import type { PartyQuery, PartyState } from './store.ts'

export const statements = {
  /** Like `readParties` for members that are named by an identity: one look-up by key more for each. */
  readNamedParties: {
    name: 'ledger_read_named_parties',
    text: `select asked.place::integer, i.account, m.frozen, b.balance, b.seq, b.lots
      from unnest($1::integer[], $2::text[], $3::text[], $4::smallint[])
        with ordinality as asked (realm, provider, subject, point, place)
      cross join lateral (select account from identities where realm = asked.realm
        and provider = asked.provider and subject = asked.subject limit 1) i
      cross join lateral (select frozen_at is not null as frozen from members
        where realm = asked.realm and account = i.account limit 1) m
      left join lateral (select balance, seq, lots from balances
        where realm = asked.realm and account = i.account and point = asked.point limit 1) b on true`,
  },
} as const

type Row = {
  place: number
  account: number
  frozen: boolean
  balance: bigint | null
  seq: bigint | null
  lots: string | null
}

/** Those of these parties whose identity belongs to a member. */
export async function readNamedParties(db: Queryable, asked: readonly PartyQuery[]): Promise<PartyState[]> {
  const split = asked.map(({ id }) => splitIdentity(id))
  const { rows } = await db.query<Row>(statements.readNamedParties, [
    plain(asked, ({ realm }) => realm),
    texts(split, ({ provider }) => provider),
    texts(split, ({ subject }) => subject),
    plain(asked, ({ point }) => point),
  ])
  return rows.flatMap(({ place, account, frozen, balance, seq, lots }) => {
    const party = asked[place - 1]
    return party ? [{ ...party, account, frozen, balance: balance ?? 0n, seq, lots }] : []
  })
}
