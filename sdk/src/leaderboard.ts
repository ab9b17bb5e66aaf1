import { digits, type MemberId } from './ids.ts'
import type { ListOptions } from './list.ts'
import type { AnswerOf } from './routes.ts'

export type Leaderboard = AnswerOf<'GET /leaderboard'>
export type RankedMember = Leaderboard['data'][number]

/** Which leaderboard. */
export type BoardOptions = {
  readonly realmPointId?: string
  readonly period?: 'all' | 'week' | 'month' | 'range'
  /** Days of a range, as `2026-01-31`. */
  readonly from?: string
  readonly to?: string
  /** Members who are left out. */
  readonly exclude?: readonly MemberId[]
}
export type LeaderboardOptions = BoardOptions & ListOptions

export const boardQuery = ({ realmPointId, period, from, to, exclude }: BoardOptions) => ({
  realmPointId,
  period,
  from,
  to,
  exclude: exclude?.map(digits).join(','),
})
