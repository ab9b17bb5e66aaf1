import { installation } from '../../audit/audit.ts'
import { auditAnswer, auditPage, auditQuery, auditWords } from '../auditRoutes.ts'
import { ok } from '../problem.ts'
import { operatorRoute } from '../route.ts'
import { realmIdParam } from '../schemas.ts'

const common = {
  methods: ['GET'],
  description: auditWords,
  query: auditQuery,
  writes: false,
  answer: auditAnswer,
} as const

const ofInstallation = operatorRoute(
  { ...common, path: '/operator/v1/audit', summary: 'Read the audit log of the installation' },
  async ({ query }, { audit }) => ok(await auditPage(audit, installation, query)),
)

const ofRealm = operatorRoute(
  {
    ...common,
    path: '/operator/v1/realms/{realmID}/audit',
    summary: 'Read a realm’s audit log',
    params: { realmID: realmIdParam },
    refusals: ['realm_not_found'],
  },
  async ({ params: { realmID = '' }, query }, { audit, realms }) =>
    ok(await auditPage(audit, await realms.number(realmID), query)),
)

export const auditRoutes = [ofInstallation, ofRealm]
