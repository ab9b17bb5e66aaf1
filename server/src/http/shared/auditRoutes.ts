import type { Audit } from '../../audit/index.ts'
import { cursorsOf, microseconds, type PageRequest, pageOfRows, rowsFor } from '../route/list.ts'
import { date, nullable, personAnswer, Type } from '../route/schemas.ts'

/** The time and id of the last row of a page. */
export const auditCursors = cursorsOf(
  Type.Tuple([microseconds, Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })]),
)

export const auditWords =
  'Who did what, when and from where, newest first. Rows are kept for 400 days, unless the operator ' +
  'sets `AUDIT_DAYS`.'

export const auditItem = Type.Object(
  {
    id: Type.String(),
    at: date,
    actor: Type.String(),
    person: nullable(personAnswer),
    action: Type.String(),
    subject: Type.String(),
    address: nullable(Type.String()),
    requestId: nullable(Type.String()),
  },
  { title: 'AuditRow' },
)

export async function auditPage(
  audit: Pick<Audit, 'page'>,
  realm: number,
  asked: PageRequest<readonly [number, string]>,
) {
  const [atUs = 0, id = ''] = asked.after ?? []
  const before = asked.after && { atUs, id }
  const rows = await audit.page(realm, { before, limit: rowsFor(asked) })
  return pageOfRows(rows, asked, { placeOf: (row) => [row.atUs, row.kept.id], bodyOf: ({ kept }) => kept })
}
