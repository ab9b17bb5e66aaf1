import { hash as digest, timingSafeEqual } from 'node:crypto'
import { type Refused, refuse } from '../errors.ts'
import type { Caller, KeyCheck, Scope } from '../keys/index.ts'
import { type Operator, type OperatorCheck, root } from '../people/index.ts'

/** One answer for every key that opens nothing: missing, malformed, unknown, revoked. */
function unauthorized(): Refused {
  return refuse('unauthorized', 'This needs a valid key, sent as Authorization: Bearer <key>.')
}

/** `Bearer <key>` in any case, or the bare key, as clients of the old service send it. */
function credential(header: string | undefined): string {
  if (header === undefined) return ''
  return /^bearer +/i.test(header) ? header.replace(/^bearer +/i, '').trimEnd() : header
}

function decoded(segment: string | undefined): string | undefined {
  try {
    return segment === undefined ? undefined : decodeURIComponent(segment)
  } catch {
    return ''
  }
}

/** What a caller sent. `unknown` is waited for before a secret is looked up that is not known here. */
export type Credentials = {
  readonly authorization: string | undefined
  readonly unknown?: () => Promise<void>
}

/** 401, then 403: a valid key on any realm but its own, existing or not, learns nothing. */
export function openRealm(
  keys: KeyCheck,
  { authorization, unknown }: Credentials,
  realmSegment: string | undefined,
): Caller | Promise<Caller> {
  const checked = keys.check(credential(authorization), unknown)
  if (checked instanceof Promise) return checked.then((caller) => entitled(caller, realmSegment))
  return entitled(checked, realmSegment)
}

function entitled(caller: Caller | undefined, realmSegment: string | undefined): Caller {
  if (!caller) throw unauthorized()
  const realm = realmSegment === caller.realmId ? realmSegment : decoded(realmSegment)
  if (realm !== undefined && realm !== caller.realmId) {
    throw refuse('forbidden', 'This key belongs to another realm than the one in the path.')
  }
  return caller
}

/** Digests are compared, as they are of one length whatever was sent. */
function sameSecret(left: string, right: string): boolean {
  return timingSafeEqual(digest('sha256', left, 'buffer'), digest('sha256', right, 'buffer'))
}

export type OperatorDoor = { readonly token: string | undefined; readonly check: OperatorCheck }

/** Whoever holds the token of the configuration, or one that was issued. */
export function openOperator(
  { token, check }: OperatorDoor,
  { authorization, unknown }: Credentials,
): Operator | Promise<Operator> {
  const given = credential(authorization)
  if (token !== undefined && sameSecret(token, given)) return root
  const known = (operator: Operator | undefined): Operator => {
    if (!operator) throw unauthorized()
    return operator
  }
  const checked = check.check(given, unknown)
  return checked instanceof Promise ? checked.then(known) : known(checked)
}

/** A key that may not do this learns so only where it might: on a route of its own realm. */
export function allow(caller: Caller | undefined, scope: Scope | readonly Scope[] | undefined): void {
  if (!caller || scope === undefined) return
  const needed = typeof scope === 'string' ? [scope] : scope
  for (const one of needed) {
    if (!caller.scopes.has(one))
      throw refuse('insufficient_scope', `This key may not do this: it lacks the scope ${one}.`)
  }
}
