import * as inputs from '../inputs.ts'
import { list, name, object, orNull, whole, word } from '../shape.ts'
import { tool } from '../tool.ts'

type Board = inputs.Paged & {
  readonly realmPointId?: string
  readonly period?: 'all' | 'week' | 'month' | 'range'
  readonly from?: string
  readonly to?: string
}

export const getLeaderboard = tool({
  name: 'get_leaderboard',
  title: 'Leaderboard',
  description:
    'Members by points: of all time, or gained in this week, this month or a range of days. Hidden members ' +
    'are not ranked.',
  scopes: ['members:read'],
  input: {
    realmPointId: inputs.realmPointId,
    period: {
      enum: ['all', 'week', 'month', 'range'],
      description: 'all by default; range needs from and to.',
    },
    from: inputs.day,
    to: { ...inputs.day, description: 'A date that is not included any more.' },
    ...inputs.paged,
  },
  output: object({
    data: list(
      object({
        rank: orNull(whole),
        id: word,
        username: orNull(name),
        displayName: orNull(name),
        tokens: whole,
      }),
    ),
    nextCursor: orNull(word),
    total: whole,
    period: object({ name: word, from: orNull(word), to: orNull(word) }),
  }),
  run: ({ limit, cursor, ...which }: Board, { realm }) =>
    realm
      .leaderboard(which)
      .page(inputs.pageOf({ ...(limit ? { limit } : {}), ...(cursor ? { cursor } : {}) })),
})

type Days = { readonly from?: string; readonly to?: string }

export const getStatistics = tool({
  name: 'get_statistics',
  title: 'Statistics',
  description:
    'How many members the realm has and how many were active, what was issued, spent and held of each ' +
    'point type, and active members by day. The last 30 days by default.',
  scopes: ['members:read'],
  input: { from: inputs.day, to: { ...inputs.day, description: 'A date that is not included any more.' } },
  output: object({
    timeZone: word,
    from: word,
    to: word,
    members: whole,
    active: object({ today: whole, week: whole, month: whole }),
    supply: list(
      object({
        realmPointId: word,
        issued: word,
        spent: word,
        held: word,
        claimed: word,
        circulation: word,
      }),
    ),
    days: list(object({ day: word, active: whole })),
  }),
  run: (days: Days, { realm }) => realm.statistics(days),
})
