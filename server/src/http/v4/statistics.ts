import { expectMark } from '../expects.ts'
import { ok } from '../problem.ts'
import { realmRoute } from '../route.ts'
import { pointId, realmIdParam, Type } from '../schemas.ts'

const daysByDefault = 30
const count = Type.Integer({ minimum: 0 })
const sum = Type.String({ description: 'Points, in decimal digits.', examples: ['125000'] })
const supplied = { realmPointId: pointId, issued: sum, spent: sum, held: sum, claimed: sum }

export const statistics = realmRoute(
  {
    operationId: 'getStatistics',
    tag: 'Leaderboard',
    methods: ['GET'],
    path: '/api/v4/realms/{realmID}/statistics',
    summary: 'The realm at a glance',
    description:
      'Supply, members, active members, and entries by day and kind. A reversal takes back what was issued ' +
      'or spent; `circulation` is the sum of all balances: issued, less spent, held and claimed. A member ' +
      'is active on a day when its points move, but by openings, expiries and claims. Days are in the ' +
      'realm’s time zone, today the last of them. `seq` is the entry that all but `members` is true at.',
    params: { realmID: realmIdParam },
    query: {
      days: Type.String({
        pattern: '^([1-9][0-9]?|[12][0-9]{2}|3[0-5][0-9]|36[0-6])$',
        description: `How many days: 1 to 366, ${daysByDefault} when absent.`,
        [expectMark]: 'a whole number from 1 to 366',
      }),
    },
    writes: false,
    scope: 'members:read',
    answer: Type.Object({
      seq: Type.String(),
      timeZone: Type.String({ examples: ['Pacific/Auckland'] }),
      members: count,
      active: Type.Object(
        { today: count, week: count, month: count },
        { title: 'ActiveMembers', description: 'Members active today, in the last 7 days, in the last 30.' },
      ),
      supply: Type.Array(Type.Object({ ...supplied, circulation: sum }, { title: 'Supply' })),
      days: Type.Array(
        Type.Object(
          {
            day: Type.String({ format: 'date' }),
            active: count,
            entries: Type.Array(
              Type.Object(
                { realmPointId: pointId, kind: Type.String(), entries: count, amount: sum },
                { title: 'DayEntries' },
              ),
            ),
            supply: Type.Array(Type.Object(supplied, { title: 'DaySupply' }), {
              description:
                'What the day changed: what was issued, spent and claimed, and by how much what is held ' +
                'grew.',
            }),
          },
          { title: 'Day' },
        ),
      ),
    }),
  },
  async ({ caller, query }, { standings }) => {
    const told = await standings.statistics(caller.realm, Number(query.get('days') ?? daysByDefault))
    const { seq, timeZone, members, active } = told
    return ok({
      seq: String(seq),
      timeZone,
      members,
      active,
      supply: told.supply.map(({ point: realmPointId, ...sums }) => ({ realmPointId, ...sums })),
      days: told.days.map(({ day, active: activeThen, entries, supply }) => ({
        day,
        active: activeThen,
        entries: entries.map(({ point: realmPointId, ...rest }) => ({ realmPointId, ...rest })),
        supply: supply.map(({ point: realmPointId, ...sums }) => ({ realmPointId, ...sums })),
      })),
    })
  },
)
