import { auditAnswer, auditPage, auditQuery, auditWords } from '../auditRoutes.ts'
import { ok } from '../problem.ts'
import { realmRoute } from '../route.ts'
import { realmIdParam } from '../schemas.ts'

export const realmAudit = realmRoute(
  {
    methods: ['GET'],
    path: '/api/v4/realms/{realmID}/audit',
    summary: 'Read the realm’s audit log',
    description: auditWords,
    params: { realmID: realmIdParam },
    query: auditQuery,
    writes: false,
    scope: 'realm:admin',
    answer: auditAnswer,
  },
  async ({ caller, query }, { audit }) => ok(await auditPage(audit, caller.realm, query)),
)
