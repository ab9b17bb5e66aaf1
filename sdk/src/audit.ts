import type { AnswerOf } from './routes.ts'

export type AuditPage = AnswerOf<'GET /audit'>
export type Act = AuditPage['data'][number]
