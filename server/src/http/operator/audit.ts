import { installation } from '../../audit/index.ts'
import { operatorList } from '../route/list.ts'
import { realmIdParam } from '../route/schemas.ts'
import { auditCursors, auditItem, auditPage, auditWords } from '../shared/auditRoutes.ts'

const common = { description: auditWords, item: auditItem } as const

const ofInstallation = operatorList(
  {
    ...common,
    operationId: 'listInstallationAudit',
    tag: 'Installation',
    path: '/operator/v1/audit',
    summary: 'Read the installation’s audit log',
  },
  auditCursors,
  (_request, { audit }, asked) => auditPage(audit, installation, asked),
)

const ofRealm = operatorList(
  {
    ...common,
    operationId: 'listRealmAudit',
    tag: 'Realms',
    path: '/operator/v1/realms/{realmID}/audit',
    summary: 'Read a realm’s audit log',
    params: { realmID: realmIdParam },
    refusals: ['realm_not_found'],
  },
  auditCursors,
  async ({ params: { realmID } }, { audit, realms }, asked) =>
    auditPage(audit, await realms.number(realmID), asked),
)

export const auditRoutes = [ofInstallation, ofRealm]
