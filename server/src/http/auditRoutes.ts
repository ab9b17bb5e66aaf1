import type { Kept } from '../audit/audit.ts'
import { date, nullable, personAnswer, Type } from './schemas.ts'

const pageSize = 100

export const auditQuery = {
  before: Type.String({
    pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
    description: 'The last id of the page before.',
  }),
}

export const auditWords =
  `Who did what, when and from where: ${pageSize} at a time, the newest first; ` +
  '`before` is the last id of the page before. Rows are kept for 400 days, or as long as the operator has ' +
  'set (`AUDIT_DAYS`).'

export const auditAnswer = Type.Object({
  acts: Type.Array(
    Type.Object({
      id: Type.String(),
      at: date,
      actor: Type.String(),
      person: nullable(personAnswer),
      action: Type.String(),
      subject: Type.String(),
      address: nullable(Type.String()),
      requestId: nullable(Type.String()),
    }),
  ),
})

type Pages = { page(realm: number, before: string | undefined, limit: number): Promise<Kept[]> }

export async function auditPage(
  audit: Pages,
  realm: number,
  query: URLSearchParams,
): Promise<{ acts: Kept[] }> {
  return { acts: await audit.page(realm, query.get('before') ?? undefined, pageSize) }
}
