import type { Queryable } from '../db/session.ts'
import { RefusalError, wrongCell } from '../errors.ts'

export const statements = {
  /**
   * All in one statement, so that everything is current at one entry. Its cost depends on the number of days.
   */
  readStatistics: {
    name: 'standings_read_statistics',
    text: `select h.next_account, coalesce(p.seq, 0) as seq,
        (select count(*) from departures where realm = $1) as departed,
        (select coalesce(json_agg(json_build_object('point', point, 'issued', issued::text,
            'spent', spent::text, 'lapsed', lapsed::text, 'held', held::text,
            'claimed', claimed::text)), '[]')
          from supply where realm = $1 and build = p.build) as supply,
        (select coalesce(json_agg(json_build_object('day', day, 'point', point, 'kind', kind,
            'entries', entries, 'amount', amount::text, 'issued', issued::text, 'spent', spent::text,
            'lapsed', lapsed::text, 'held', held::text) order by day, point, kind), '[]')
          from daily where realm = $1 and build = p.build and day between $2 and $3) as daily,
        (select coalesce(json_agg(json_build_object('day', day, 'active', active)), '[]')
          from active_days where realm = $1 and build = p.build and day between $2 and $3) as active,
        (select coalesce(json_agg(json_build_object('day', day, 'latest', latest)), '[]')
          from active_days where realm = $1 and build = p.build and day between $4 and $5) as recent
      from heads h
      left join lateral (select seq, build from standings where realm = $1 limit 1) p on true
      where h.realm = $1`,
  },
} as const

export type StatisticsRow = {
  next_account: number
  seq: bigint
  departed: bigint
  supply: {
    point: number
    issued: string
    spent: string
    lapsed: string
    held: string
    claimed: string
  }[]
  daily: {
    day: number
    point: number
    kind: number
    entries: number
    amount: string
    issued: string
    spent: string
    lapsed: string
    held: string
  }[]
  active: { day: number; active: number }[]
  recent: { day: number; latest: number }[]
}

/** The longest period for which active members are counted, in days. */
export const longestActive = 30

/** The requested days, both inclusive, and today. */
export type StatisticsDays = { readonly from: number; readonly to: number; readonly today: number }

/** Entries and active members by day, and recently active members. */
export async function readStatistics(
  db: Queryable,
  realm: number,
  { from, to, today }: StatisticsDays,
): Promise<StatisticsRow> {
  const values = [realm, from, to, today - longestActive + 1, today]
  const [row] = (await db.query<StatisticsRow>(statements.readStatistics, values)).rows
  if (!row) throw new RefusalError(wrongCell)
  return row
}
