import { digits, type MemberId } from './ids.ts'
import type { ListOptions } from './list.ts'
import { type RangeOptions, rangeOf } from './ranges.ts'
import type { AnswerOf } from './routes.ts'

export type Leaderboard = AnswerOf<'GET /leaderboard'>
export type RankedMember = Leaderboard['data'][number]

/** Which leaderboard. `from` and `to` are days: `from` is included, `to` is not. */
export type BoardOptions = RangeOptions & {
  readonly realmPointId?: string
  readonly period?: 'all' | 'week' | 'month' | 'range'
  /** Members to leave out. */
  readonly exclude?: readonly MemberId[]
}
export type LeaderboardOptions = BoardOptions & ListOptions

export const boardQuery = ({ realmPointId, period, exclude, ...range }: BoardOptions) => ({
  realmPointId,
  period,
  ...rangeOf(range),
  exclude: exclude?.map(digits).join(','),
})
