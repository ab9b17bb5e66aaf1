import { RefusalError } from '../../errors.ts'
import { ok } from '../problem.ts'
import { publicRoute } from '../route/route.ts'
import { Type } from '../route/schemas.ts'

const answer = Type.Object({ status: Type.Literal('ok') })

/** Liveness: the process responds. */
const alive = publicRoute(
  {
    operationId: 'getLiveness',
    tag: 'Service',
    methods: ['GET'],
    path: '/healthz',
    summary: 'Check liveness',
    writes: false,
    answer,
  },
  () => ok({ status: 'ok' }),
)

/** Readiness: the database, its schema, and whether this process still accepts requests. */
const ready = publicRoute(
  {
    operationId: 'getReadiness',
    tag: 'Service',
    methods: ['GET'],
    path: '/readyz',
    summary: 'Check readiness',
    writes: false,
    answer,
    refusals: ['unavailable'],
  },
  async (_request, { ready }) => {
    const state = await ready()
    if (state.ready) return ok({ status: 'ok' })
    throw new RefusalError({
      code: 'unavailable',
      detail: state.why ?? 'Not ready.',
      headers: { 'retry-after': '1' },
    })
  },
)

export const healthRoutes = [alive, ready]
