import { type EntryType, entryTypeOf, entryTypes } from '../ledger/index.ts'
import type { RealmConfig } from '../realms/index.ts'
import { dateOf } from './days.ts'
import { longestActive, type StatisticsDays, type StatisticsRow } from './statisticsStore.ts'

type Supplied = {
  readonly point: string
  readonly issued: string
  readonly spent: string
  readonly lapsed: string
  readonly held: string
  readonly claimed: string
}

/** Sums of points are strings: they have no bound. */
export type Statistics = {
  /** The entry that supply, days and active members are current at. */
  readonly seq: bigint
  readonly timeZone: string
  /** `to` is exclusive. */
  readonly from: string
  readonly to: string
  readonly members: number
  /** Members active on the last day, the last 7 and the last 30. */
  readonly active: { readonly today: number; readonly week: number; readonly month: number }
  readonly supply: readonly (Supplied & { readonly circulation: string })[]
  /** Earliest first, every requested day. */
  readonly days: readonly {
    readonly day: string
    readonly active: number
    readonly entries: readonly {
      readonly point: string
      readonly kind: EntryType
      readonly entries: number
      readonly amount: string
    }[]
    /** What the day changed; only point types that changed. */
    readonly supply: readonly Supplied[]
  }[]
}

export function statisticsOf(
  row: StatisticsRow,
  config: RealmConfig,
  { from, to, today }: StatisticsDays,
): Statistics {
  const points = [...config.points.values()]
  const idOf = new Map(points.map(({ number, id }) => [number, id]))
  const supplied = new Map(row.supply.map((one) => [one.point, one]))
  const activeOn = new Map(row.active.map(({ day, active }) => [day, active]))
  const dailyOn = Map.groupBy(row.daily, ({ day }) => day)
  // A member active in these days has its last active day among them.
  const activeIn = (count: number) =>
    row.recent.filter(({ day }) => day > today - count).reduce((sum, { latest }) => sum + latest, 0)
  return {
    seq: row.seq,
    timeZone: config.timeZone,
    from: dateOf(from),
    to: dateOf(to + 1),
    members: row.next_account - 1 - Number(row.departed),
    active: { today: activeIn(1), week: activeIn(7), month: activeIn(longestActive) },
    supply: points.map(({ number, id }) => {
      const {
        issued = '0',
        spent = '0',
        lapsed = '0',
        held = '0',
        claimed = '0',
      } = supplied.get(number) ?? {}
      const gone = [spent, lapsed, held, claimed].reduce((sum, one) => sum + BigInt(one), 0n)
      return { point: id, issued, spent, lapsed, held, claimed, circulation: String(BigInt(issued) - gone) }
    }),
    days: Array.from({ length: to - from + 1 }, (_, index) => from + index).map((day) => ({
      day: dateOf(day),
      active: activeOn.get(day) ?? 0,
      entries: (dailyOn.get(day) ?? []).flatMap(({ point: number, kind, entries, amount }) => {
        const point = idOf.get(number)
        return point === undefined ? [] : [{ point, kind: entryTypeOf(kind), entries, amount }]
      }),
      supply: suppliedOn(dailyOn.get(day) ?? [], idOf),
    })),
  }
}

/** All entry kinds together, by point type. */
function suppliedOn(daily: StatisticsRow['daily'], idOf: ReadonlyMap<number, string>): readonly Supplied[] {
  return [...Map.groupBy(daily, ({ point }) => point)].flatMap(([number, rows]) => {
    const point = idOf.get(number)
    const sum = (of: 'issued' | 'spent' | 'lapsed' | 'held') =>
      String(rows.reduce((total, row) => total + BigInt(row[of]), 0n))
    const claimed = rows.find(({ kind }) => kind === entryTypes.claim.number)?.amount ?? '0'
    const sums = { issued: sum('issued'), spent: sum('spent'), lapsed: sum('lapsed'), held: sum('held') }
    return point === undefined ? [] : [{ point, ...sums, claimed }]
  })
}
