import { plainArray as plain, textArray as texts } from '../../db/arrays.ts'
import type { Writable } from '../../db/session.ts'
import type { Points, Sent } from './loadStore.ts'
import type { LoadedAward, LoadedHold } from './realmFile.ts'

/** Inserts the holds and awards of an exported realm. */
export const statements = {
  insertHolds: {
    name: 'loads_insert_holds',
    writes: true,
    text: `insert into holds (realm, seq, account, point, amount, expires_us, ended_seq)
      select $1::integer, * from unnest($2::bigint[], $3::integer[], $4::smallint[], $5::bigint[],
        $6::bigint[], $7::bigint[])
      on conflict (realm, seq) do nothing`,
  },
  insertAwards: {
    name: 'loads_insert_awards',
    writes: true,
    text: `insert into awards (realm, seq, account, point, amount, grant_us, ended_seq)
      select $1::integer, * from unnest($2::bigint[], $3::integer[], $4::smallint[], $5::bigint[],
        $6::bigint[], $7::bigint[])
      on conflict (realm, seq) do nothing`,
  },
} as const

type Page<T> = { readonly rows: readonly T[]; readonly points: Points }
type LoadedAside = Omit<LoadedHold, 'expiresUs'>

/** What holds and awards have in common, with the time at which each ends by itself. */
const asideOf = <T extends LoadedAside>(
  realm: number,
  { rows, points }: Page<T>,
  due: (row: T) => string | null,
) => [
  realm,
  texts(rows, (row) => row.seq),
  plain(rows, (row) => row.account),
  plain(rows, (row) => points.get(row.realmPointId)),
  texts(rows, (row) => row.tokens),
  texts(rows, due),
  texts(rows, (row) => row.endedBy),
]

export const insertHolds = (db: Writable, realm: number, page: Page<LoadedHold>): Sent =>
  db.query(
    statements.insertHolds,
    asideOf(realm, page, (row) => row.expiresUs),
  )

export const insertAwards = (db: Writable, realm: number, page: Page<LoadedAward>): Sent =>
  db.query(
    statements.insertAwards,
    asideOf(realm, page, (row) => row.grantUs),
  )
