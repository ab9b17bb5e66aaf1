import type { IncomingMessage } from 'node:http'
import { type Fault, invalid, invalidAt } from '../errors.ts'
import type { Target } from './admission.ts'
import { invalidInUrl } from './route/addresses.ts'
import { faultCap } from './route/check.ts'
import { type Conditions, conditionsOf } from './route/conditions.ts'
import { ignoredCap, type Notes } from './route/ignored.ts'
import type { Request, Route } from './route/route.ts'
import { strange } from './route/unknown.ts'

type Checked = Pick<Request, 'params' | 'query' | 'idempotencyKey'> & Conditions

type Arrived = { readonly target: Target; readonly request: IncomingMessage; readonly notes: Notes }

/** Checks a request against its route, except for the body. */
export function check(route: Route, { target, request, notes }: Arrived): Checked {
  const { headers } = request
  if (headers.host === undefined && request.httpVersion === '1.1') {
    throw invalid('header:Host', 'Expected a Host header, which HTTP/1.1 requires.')
  }
  return {
    params: checkParams(route, target.segments),
    query: checkQuery(route, target.query, notes),
    idempotencyKey: route.takesKey ? checkIdempotencyKey(headers['idempotency-key']) : undefined,
    ...conditionsOf(route, headers),
  }
}

const decoded = (segment: string): string => (segment.includes('%') ? decodeURIComponent(segment) : segment)

function checkParams(route: Route, segments: readonly string[]): Readonly<Record<string, string>> {
  const params: Record<string, string> = {}
  for (const { name, index } of route.places) {
    try {
      const given = name.endsWith('*')
        ? segments.slice(index).map(decodeURIComponent).join('/')
        : decoded(segments[index] ?? '')
      route.checkParams.get(name)?.(given)
      params[name] = given
    } catch {
      throw invalid(`path:${name}`, invalidInUrl(route.params?.[name], segments[index]))
    }
  }
  return params
}

const noQuery = new URLSearchParams()

function checkQuery(route: Route, query: string, notes: Notes): URLSearchParams {
  if (query === '') return noQuery
  const given = new URLSearchParams(query)
  const faults: Fault[] = []
  for (const [name, check] of route.checkQuery) {
    const values = given.getAll(name)
    if (values.length > 1 && route.isStrict)
      faults.push({ pointer: `query:${name}`, detail: 'Sent more than once. Send it once.' })
    for (const value of values) {
      try {
        check(value)
      } catch {
        faults.push({ pointer: `query:${name}`, detail: invalidInUrl(route.query?.[name], value) })
        break
      }
    }
  }
  const known = Object.keys(route.query ?? {})
  const unknown = new Set([...given.keys()].filter((name) => !known.includes(name)))
  if (route.writes || route.isStrict) {
    for (const name of unknown) {
      if (faults.length >= faultCap) break
      const detail = strange('parameter', name, known)
      faults.push({ pointer: `query:${name}`, code: 'unknown_parameter', detail })
    }
  } else if (unknown.size > 0 && route.lenient) {
    notes.ignored = Array.from(unknown, (name) => `query:${name}`).slice(0, ignoredCap)
  }
  if (faults.length > 0) throw invalidAt(faults.slice(0, faultCap))
  return given
}

function checkIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header
  throw invalid('header:Idempotency-Key', 'Expected 1 to 255 visible ASCII characters, once.')
}

export function checkBody(route: Route, sent: unknown, notes: Notes): unknown {
  if (!route.checkBody) return undefined
  if (sent !== undefined) {
    const meant = route.checkBody(sent, route.lenient ? notes : undefined)
    return route.body ? meant : undefined
  }
  if (!route.body || route.bodyRequired === false) return undefined
  throw invalid('', route.textTypes ? 'Expected a body.' : 'Expected a JSON body.')
}
