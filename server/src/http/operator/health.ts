import { release } from '../../config/release.ts'
import { ok } from '../problem.ts'
import { operatorRoute } from '../route/route.ts'
import { date, nullable, Type } from '../route/schemas.ts'

const count = Type.Integer({ minimum: 0 })
const startedAt = new Date(Date.now() - process.uptime() * 1000)

const answer = Type.Object({
  version: Type.String(),
  startedAt: date,
  ready: Type.Boolean({ description: 'Whether it serves requests, as `/readyz` reports.' }),
  why: nullable(Type.String({ description: 'Why it does not, and what to do about it.' })),
  durability: Type.Union([Type.Literal('database'), Type.Literal('storage'), Type.Literal('strict')], {
    description: 'The durability required of PostgreSQL, set by `DURABILITY`.',
  }),
  database: Type.Object(
    {
      up: Type.Boolean({ description: 'Whether PostgreSQL is reachable.' }),
      standbyNeeded: nullable(Type.Boolean({ description: 'Whether a commit waits for a standby.' })),
      standbys: nullable(Type.Integer({ minimum: 0, description: 'Standbys that confirm commits.' })),
    },
    { title: 'DatabaseHealth' },
  ),
  standings: Type.Object(
    {
      lagMs: Type.Integer({
        minimum: 0,
        description: 'The age of the oldest change that leaderboards do not show yet.',
      }),
      realmsBehind: count,
    },
    { title: 'LeaderboardHealth' },
  ),
  writes: Type.Object({ waiting: count }, { title: 'WriteQueue' }),
  connections: count,
  verified: nullable(
    Type.Object(
      { at: date, ok: Type.Boolean() },
      {
        title: 'Verification',
        description: 'The last verification of all realms, or the last failed one; of the last 35 days.',
      },
    ),
  ),
})

export const health = operatorRoute(
  {
    operationId: 'getHealth',
    tag: 'Installation',
    methods: ['GET'],
    path: '/operator/v1/health',
    summary: 'Read the installation’s health',
    description:
      'As the responding process sees it. What PostgreSQL does not report to the server’s role is null.',
    writes: false,
    answer,
  },
  async (_request, { health, ready: readiness }) => {
    const [observed, { ready, why }] = await Promise.all([health(), readiness()])
    return ok({ version: release, startedAt, ready, why: why ?? null, ...observed })
  },
)
