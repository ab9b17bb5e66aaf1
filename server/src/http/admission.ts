import type { IncomingMessage } from 'node:http'
import type { Caller, KeyCheck } from '../keys/index.ts'
import type { Operator, SignedIn } from '../people/index.ts'
import { type OperatorAccess, openOperator, openRealm } from './auth.ts'
import { openSession } from './console/guard.ts'
import type { Audience, Services } from './route/route.ts'
import type { Visit } from './visit.ts'
import type { AuthThrottle } from './wire/authThrottle.ts'
import { withoutBase } from './wire/basePath.ts'

/** A parsed URL: raw segments, so that no escape adds a slash, and the query. */
export type Target = {
  readonly segments: readonly string[]
  readonly query: string
  readonly audience: Audience
}

export function targetOf(url: string, basePath: string): Target {
  const mark = url.indexOf('?')
  const path = withoutBase(mark < 0 ? url : url.slice(0, mark), basePath)
  const segments = path.slice(path.indexOf('/') + 1).split('/')
  const under = (first: string, second: string) => segments[0] === first && segments[1] === second
  const audience = under('api', 'v4')
    ? 'realm'
    : under('operator', 'v1')
      ? 'operator'
      : consoleAudience(segments)
  return { segments, audience, query: mark < 0 ? '' : url.slice(mark + 1) }
}

const consoleAudience = ([first, second]: readonly string[]): Audience =>
  first === 'console' && second === 'session' ? 'session' : 'public'

/** The authenticated caller; undefined on public routes. */
export type Identity = Caller | Operator | SignedIn | undefined

type Checks = {
  readonly keyCheck: KeyCheck
  readonly operators: OperatorAccess
  readonly services: Pick<Services, 'sessions' | 'site'>
}

export type AdmissionRequest = {
  readonly target: Target
  readonly request: IncomingMessage
  /** Awaited before a secret that this process does not know is looked up in the database. */
  readonly unknown: () => Promise<void>
}

/** Delays the look-up of an unknown key for an address that sent many wrong ones. */
export async function slowed(throttle: AuthThrottle, address: string, visit: Visit): Promise<void> {
  visit.waited = true
  visit.closes = true
  await throttle.wait(address)
  visit.closes = false
}

/** Returns a promise only when a look-up is needed: awaiting one costs every request. */
export function admit(
  { keyCheck, operators, services }: Checks,
  { target, request, unknown }: AdmissionRequest,
): Identity | Promise<Identity> {
  const credentials = { authorization: request.headers.authorization, unknown }
  if (target.audience === 'realm') {
    const realm = target.segments[2] === 'realms' ? target.segments[3] : undefined
    return openRealm(keyCheck, credentials, realm)
  }
  if (target.audience === 'session') return openSession(services, request, unknown)
  return target.audience === 'operator' ? openOperator(operators, credentials) : undefined
}
