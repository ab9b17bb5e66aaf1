import { hash as digest, timingSafeEqual } from 'node:crypto'
import { type Refused, refuse } from '../errors.ts'
import type { Caller, KeyCheck } from '../keys/keys.ts'

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

/** 401, then 403: a valid key on any realm but its own, existing or not, learns nothing. */
export function openRealm(
  keys: KeyCheck,
  authorization: string | undefined,
  realmSegment: string | undefined,
): Caller | Promise<Caller> {
  const checked = keys.check(credential(authorization))
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

/** Without a configured token nobody is the operator. */
export function openOperator(token: string | undefined, authorization: string | undefined): void {
  if (token === undefined || !sameSecret(token, credential(authorization))) throw unauthorized()
}
