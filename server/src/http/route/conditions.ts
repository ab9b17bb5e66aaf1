import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { invalid, refuse } from '../../errors.ts'
import type { Reply } from '../problem.ts'
import type { Request, Route } from './route.ts'

/** What a request is conditional on. */
export type Conditions = Pick<Request, 'ifMatch' | 'isCreation'>

const none: Conditions = { ifMatch: undefined, isCreation: false }

export function conditionsOf(route: Route, headers: IncomingHttpHeaders): Conditions {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers
  if (!route.writes || (match === undefined && noneMatch === undefined)) return none
  return { ifMatch: ifMatchOf(route, match), isCreation: isCreation(route, noneMatch) }
}

/** A write to a resource without an ETag is rejected: it may have changed, and nothing can be compared. */
function ifMatchOf(route: Route, header: string | undefined): Request['ifMatch'] {
  if (header === undefined) return undefined
  if (route.conditional) return tagsOf(header, 'header:If-Match')
  throw refuse(
    'precondition_failed',
    'This resource has no ETag to compare If-Match with. Send the request without If-Match.',
  )
}

/** Parses member ETags; `*` matches any member. A tag that this server did not issue matches nothing. */
export function tagsOf(text: string, pointer: string): NonNullable<Request['ifMatch']> {
  if (text.trim() === '*') return 'exists'
  if (!/^\s*(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*\s*$/.test(text)) {
    throw invalid(pointer, 'Expected the ETag that the member was read with, in quotes.')
  }
  return Array.from(text.matchAll(/(?<!\/)"(\d{1,19})-(\d{1,10})-[^"]*"/g), ([, seq, account]) => ({
    seq: BigInt(seq ?? 0),
    account: Number(account),
  }))
}

/** `If-None-Match: *` on a PUT: only if the object does not exist. Elsewhere it is rejected, not ignored. */
function isCreation({ methods, lenient }: Route, header: string | undefined): boolean {
  if (header === undefined || lenient) return false
  if (methods.includes('PUT') && header.trim() === '*') return true
  throw invalid('header:If-None-Match', 'Expected * with PUT. A write supports no other condition.')
}

/** Returns 304 without a body when the client already has this version. */
export function unlessKnown({ headers, method }: IncomingMessage, reply: Reply): Reply {
  const { status, headers: own } = reply
  const etag = own?.['etag']
  const known = headers['if-none-match']
  const isRead = method === 'GET' || method === 'HEAD'
  if (!isRead || status !== 200 || typeof etag !== 'string' || known === undefined) return reply
  const tags: readonly string[] = known.match(/"[^"]*"/g) ?? []
  return known.trim() === '*' || tags.includes(etag) ? { ...reply, status: 304, body: '' } : reply
}
