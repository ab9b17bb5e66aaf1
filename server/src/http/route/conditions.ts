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

/** A write that can't compare is refused: what was to be compared may have changed. */
function ifMatchOf(route: Route, header: string | undefined): Request['ifMatch'] {
  if (header === undefined) return undefined
  if (route.conditional) return tagsOf(header, 'header:If-Match')
  throw refuse(
    'precondition_failed',
    'This resource has no ETag: there is nothing to compare If-Match with. Send the request without it.',
  )
}

/** Entity tags as a member is read with; `*` is any member. A tag that is none of ours matches nothing. */
export function tagsOf(text: string, pointer: string): NonNullable<Request['ifMatch']> {
  if (text.trim() === '*') return 'exists'
  if (!/^\s*(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*\s*$/.test(text)) {
    throw invalid(pointer, 'Expected an ETag as the member was read with, in quotes.')
  }
  return Array.from(text.matchAll(/(?<!\/)"(\d{1,19})-[^"]*"/g), ([, seq]) => BigInt(seq ?? 0))
}

/** `If-None-Match: *` on a PUT: only if there is nothing yet. Elsewhere it would be ignored. */
function isCreation({ methods, lenient }: Route, header: string | undefined): boolean {
  if (header === undefined || lenient) return false
  if (methods.includes('PUT') && header.trim() === '*') return true
  throw invalid('header:If-None-Match', 'Expected *, with PUT: a write is conditional on nothing else.')
}

/** An answer whose reader has it already is 304, without its body. */
export function unlessKnown({ headers, method }: IncomingMessage, reply: Reply): Reply {
  const { status, headers: own } = reply
  const etag = own?.['etag']
  const known = headers['if-none-match']
  const isRead = method === 'GET' || method === 'HEAD'
  if (!isRead || status !== 200 || typeof etag !== 'string' || known === undefined) return reply
  const tags: readonly string[] = known.match(/"[^"]*"/g) ?? []
  return known.trim() === '*' || tags.includes(etag) ? { ...reply, status: 304, body: '' } : reply
}
