import { digits, type MemberId } from './ids.ts'
import type { AnswerOf } from './routes.ts'

export type Leaderboard = AnswerOf<'GET /leaderboard'>
export type RankedMember = Leaderboard['members'][number]

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
export type LeaderboardOptions = BoardOptions & {
  readonly limit?: number
  /** The `next` of the page before. */
  readonly cursor?: string
}

export const boardQuery = ({ exclude, ...options }: LeaderboardOptions) => ({
  ...options,
  exclude: exclude?.map(digits).join(','),
})
