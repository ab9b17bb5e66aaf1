import { hash as digest, timingSafeEqual } from 'node:crypto'
import { type RefusalError, refuse } from '../errors.ts'
import { type Caller, type KeyCheck, KeyElsewhere, type Scope } from '../keys/index.ts'
import { type Operator, type OperatorCheck, root } from '../people/index.ts'

/** The same response for every invalid key: missing, malformed, unknown or revoked. */
function unauthorized(): RefusalError {
  return refuse('unauthorized', 'A valid key is required. Send it as Authorization: Bearer <key>.')
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

/** The caller's credentials. `unknown` is awaited before an unknown secret is looked up. */
export type Credentials = {
  readonly authorization: string | undefined
  readonly unknown?: () => Promise<void>
}

/** 401, then 403. A key gets the same 403 for any other realm, whether it exists or not. */
export function openRealm(
  keys: KeyCheck,
  { authorization, unknown }: Credentials,
  realmSegment: string | undefined,
): Caller | Promise<Caller> {
  const checked = keys.check(credential(authorization), unknown)
  if (checked instanceof Promise)
    return checked.then(
      (caller) => entitled(caller, realmSegment),
      (error: unknown) => {
        throw error instanceof KeyElsewhere ? elsewhere(error, realmSegment) : error
      },
    )
  return entitled(checked, realmSegment)
}

const otherRealm = () => refuse('forbidden', 'This key does not belong to the realm in the path.')

/** The same 403 for a key of another realm in another cell. */
function elsewhere(error: KeyElsewhere, realmSegment: string | undefined): RefusalError {
  const realm = decoded(realmSegment)
  return realm === undefined || realm === error.realmId ? error : otherRealm()
}

function entitled(caller: Caller | undefined, realmSegment: string | undefined): Caller {
  if (!caller) throw unauthorized()
  const realm = realmSegment === caller.realmId ? realmSegment : decoded(realmSegment)
  if (realm !== undefined && realm !== caller.realmId) throw otherRealm()
  return caller
}

/** Compares digests, because they have the same length whatever was sent. */
function sameSecret(left: string, right: string): boolean {
  return timingSafeEqual(digest('sha256', left, 'buffer'), digest('sha256', right, 'buffer'))
}

export type OperatorAccess = { readonly token: string | undefined; readonly check: OperatorCheck }

/** Authenticates the configured operator token, or an issued one. */
export function openOperator(
  { token, check }: OperatorAccess,
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

/** Checks scopes after the realm: a key gets `insufficient_scope` only within its own realm. */
export function allow(caller: Caller | undefined, scope: Scope | readonly Scope[] | undefined): void {
  if (!caller || scope === undefined) return
  const needed = typeof scope === 'string' ? [scope] : scope
  for (const one of needed) {
    if (!caller.scopes.has(one)) throw refuse('insufficient_scope', `This key lacks the scope ${one}.`)
  }
}
