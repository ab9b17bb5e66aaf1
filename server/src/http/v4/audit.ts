import { realmList } from '../route/list.ts'
import { realmIdParam } from '../route/schemas.ts'
import { auditCursors, auditItem, auditPage, auditWords } from '../shared/auditRoutes.ts'

export const realmAudit = realmList(
  {
    operationId: 'listAudit',
    tag: 'Audit',
    path: '/api/v4/realms/{realmID}/audit',
    summary: 'Read the realm’s audit log',
    description: auditWords,
    params: { realmID: realmIdParam },
    scope: 'realm:admin',
    item: auditItem,
  },
  auditCursors,
  ({ caller }, { audit }, asked) => auditPage(audit, caller.realm, asked),
)
