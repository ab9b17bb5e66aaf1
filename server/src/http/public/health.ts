import { Refused } from '../../errors.ts'
import { ok } from '../problem.ts'
import { publicRoute } from '../route/route.ts'
import { Type } from '../route/schemas.ts'

const answer = Type.Object({ status: Type.Literal('ok') })

/** The process: it answers. */
const alive = publicRoute(
  {
    operationId: 'getLiveness',
    tag: 'Service',
    methods: ['GET'],
    path: '/healthz',
    summary: 'Is the process alive',
    writes: false,
    answer,
  },
  () => ok({ status: 'ok' }),
)

/** The database, its schema, and whether this process still takes work. */
const ready = publicRoute(
  {
    operationId: 'getReadiness',
    tag: 'Service',
    methods: ['GET'],
    path: '/readyz',
    summary: 'Can requests be served',
    writes: false,
    answer,
    refusals: ['unavailable'],
  },
  async (_request, services) => {
    const state = await services.ready()
    if (state.ready) return ok({ status: 'ok' })
    throw new Refused({
      code: 'unavailable',
      detail: state.why ?? 'Not ready.',
      headers: { 'retry-after': '1' },
    })
  },
)

export const healthRoutes = [alive, ready]
