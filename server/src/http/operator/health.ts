import { release } from '../../config/release.ts'
import { ok } from '../problem.ts'
import { operatorRoute } from '../route/route.ts'
import { date, nullable, Type } from '../route/schemas.ts'

const count = Type.Integer({ minimum: 0 })
const startedAt = new Date(Date.now() - process.uptime() * 1000)

const answer = Type.Object({
  version: Type.String(),
  startedAt: date,
  ready: Type.Boolean({ description: 'Whether it serves requests, as `/readyz` says it.' }),
  why: nullable(Type.String({ description: 'Why it does not, and what to do.' })),
  durability: Type.Union([Type.Literal('database'), Type.Literal('storage'), Type.Literal('strict')], {
    description: 'What is asked of PostgreSQL, as `DURABILITY` sets it.',
  }),
  database: Type.Object(
    {
      up: Type.Boolean({ description: 'Whether PostgreSQL answered just now.' }),
      standbyNeeded: nullable(Type.Boolean({ description: 'Whether a commit waits for a standby.' })),
      standbys: nullable(Type.Integer({ minimum: 0, description: 'Standbys that confirm commits.' })),
    },
    { title: 'DatabaseHealth' },
  ),
  standings: Type.Object(
    {
      lagMs: Type.Integer({
        minimum: 0,
        description: 'How long ago the oldest change was made that leaderboards do not show yet.',
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
        description: 'When all books were last verified, or some were found wrong; of the last 35 days.',
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
    summary: 'How the installation is',
    description:
      'As the process sees it that answers. What PostgreSQL does not tell, or the role may not see, is null.',
    writes: false,
    answer,
  },
  async (_request, services) => {
    const [told, { ready, why }] = await Promise.all([services.health(), services.ready()])
    return ok({ version: release, startedAt, ready, why: why ?? null, ...told })
  },
)
