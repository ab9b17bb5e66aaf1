import type { Schema } from './shape.ts'

/** Schemas of inputs that several tools have. */

export const memberId: Schema = {
  type: 'string',
  maxLength: 300,
  pattern: '^([1-9][0-9]{0,18}|[a-z][a-z0-9-]{0,31}:.+)$',
  description: 'The member’s id, in digits as a string, or an identity such as shop:9f1c.',
}
export const realmPointId: Schema = {
  type: 'string',
  maxLength: 64,
  pattern: '^[!-~]+$',
  description: 'The id of a point type. The realm’s default when omitted.',
}
export const limit: Schema = { type: 'integer', minimum: 1, maximum: 100, description: '20 by default.' }
export const cursor: Schema = {
  type: 'string',
  maxLength: 1024,
  pattern: '^[ -~]+$',
  description: 'nextCursor of the previous page.',
}
export const moment: Schema = {
  type: 'string',
  maxLength: 40,
  pattern: '^[0-9TZ:.+-]+$',
  description: 'A date such as 2026-01-31, which begins in the realm’s time zone, or a time in RFC 3339.',
}
export const time: Schema = {
  type: 'string',
  maxLength: 40,
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+-][0-9]{2}:[0-9]{2})$',
  description: 'A past time, in RFC 3339.',
}
export const day: Schema = { ...moment, maxLength: 10, description: 'A date such as 2026-01-31.' }

export type Paged = { readonly limit?: number; readonly cursor?: string }
export const paged = { limit, cursor }

/** The page that was asked for. */
export const pageOf = ({ limit: size = 20, cursor: at }: Paged) => ({
  limit: size,
  ...(at === undefined ? {} : { cursor: at }),
})
