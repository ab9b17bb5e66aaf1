import { ok } from '../problem.ts'
import { dayFields } from '../route/ranges.ts'
import { realmRoute } from '../route/route.ts'
import { pointId, realmIdParam, Type } from '../route/schemas.ts'
import { typeAnswer } from './entryFields.ts'

const count = Type.Integer({ minimum: 0 })
const sum = Type.String({ description: 'Points, in decimal digits.', examples: ['125000'] })
const supplied = { realmPointId: pointId, issued: sum, spent: sum, lapsed: sum, held: sum, claimed: sum }

export const statistics = realmRoute(
  {
    operationId: 'getStatistics',
    tag: 'Leaderboard',
    methods: ['GET'],
    path: '/api/v4/realms/{realmID}/statistics',
    summary: 'Read the realm’s statistics',
    description:
      'Supply, members, active members, and entries by day and type. A reversal reduces what was issued ' +
      'or spent; pending points are issued when they are granted; `circulation` is the sum of all ' +
      'balances: issued, less spent, lapsed, held and claimed. A member is active on a day when its points ' +
      'move, except by openings, expiries, claims, merges and lapses. `days` covers `from` to `to`, at ' +
      'most 366 days: the last 30 by default. All but `members` is as of the entry `seq`.',
    params: { realmID: realmIdParam },
    query: dayFields,
    writes: false,
    scope: 'members:read',
    answer: Type.Object({
      seq: Type.String(),
      timeZone: Type.String({ examples: ['Pacific/Auckland'] }),
      from: Type.String({ format: 'date', description: 'The first day, inclusive.' }),
      to: Type.String({ format: 'date', description: 'The end, exclusive.' }),
      members: count,
      active: Type.Object(
        { today: count, week: count, month: count },
        { title: 'ActiveMembers', description: 'Members active today, in the last 7 and 30 days.' },
      ),
      supply: Type.Array(Type.Object({ ...supplied, circulation: sum }, { title: 'Supply' })),
      days: Type.Array(
        Type.Object(
          {
            day: Type.String({ format: 'date' }),
            active: count,
            entries: Type.Array(
              Type.Object(
                { realmPointId: pointId, type: typeAnswer, entries: count, tokens: sum },
                { title: 'DayEntries' },
              ),
            ),
            supply: Type.Array(Type.Object(supplied, { title: 'DaySupply' }), {
              description:
                'Points issued, spent, lapsed and claimed on that day, and the change of held points.',
            }),
          },
          { title: 'Day' },
        ),
      ),
    }),
  },
  async ({ caller, query }, { standings }) => {
    const asked = { from: query.get('from') ?? undefined, to: query.get('to') ?? undefined }
    const figures = await standings.statistics(caller.realm, asked)
    const { seq, timeZone, from, to, members, active } = figures
    return ok({
      seq: String(seq),
      timeZone,
      from,
      to,
      members,
      active,
      supply: figures.supply.map(({ point: realmPointId, ...sums }) => ({ realmPointId, ...sums })),
      days: figures.days.map(({ day, active: activeThen, entries, supply }) => ({
        day,
        active: activeThen,
        entries: entries.map(({ point: realmPointId, kind: type, entries: many, amount: tokens }) => ({
          realmPointId,
          type,
          entries: many,
          tokens,
        })),
        supply: supply.map(({ point: realmPointId, ...sums }) => ({ realmPointId, ...sums })),
      })),
    })
  },
)
