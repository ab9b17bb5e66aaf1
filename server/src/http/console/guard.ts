import type { IncomingMessage } from 'node:http'
import { type RefusalError, refuse } from '../../errors.ts'
import type { Sessions, SignedIn } from '../../people/index.ts'
import type { Site } from '../wire/site.ts'
import { readCookie, sessionCookie } from './cookies.ts'

type Asked = Pick<IncomingMessage, 'headers' | 'method'>

/** The signed-in person: 401 without a session, then 403 for a request from another site's page. */
export async function openSession(
  { sessions, site }: { readonly sessions: Sessions; readonly site: Site },
  request: IncomingMessage,
  unknown: () => Promise<void>,
): Promise<SignedIn> {
  const cookie = readCookie(sessionCookie, { site, headers: request.headers })
  const signedIn = cookie === undefined ? undefined : await sessions.find(cookie, unknown)
  if (!signedIn) throw refuse('unauthorized', 'Not signed in. Sign in at /console first.')
  fromOurPage(request, site)
  return signedIn
}

/**
 * A browser adds cookies to requests of any page. SameSite keeps them from other sites; this check rejects
 * requests from any page but ours, including other origins on the same site.
 */
export function fromOurPage({ headers, method = '' }: Asked, site: Site): void {
  const { origin, 'sec-fetch-site': from } = headers
  const reads = method === 'GET' || method === 'HEAD'
  // `none`: a person typed the address.
  if (from !== undefined && from !== 'same-origin' && !(reads && from === 'none')) throw fromElsewhere()
  if (origin !== undefined && origin !== site.origin(headers)) throw notAsKnown(origin, site.origin(headers))
  if (!reads && from === undefined && origin === undefined) throw fromElsewhere()
  // A form can't send JSON, and a script of another site needs a preflight for it.
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (method === 'POST' && type !== 'application/json')
    throw refuse('unsupported_media_type', 'Send Content-Type: application/json.')
}

/** A page of another site, or, far more often, ours at an origin that is not configured. */
const notAsKnown = (origin: string, ours: string): RefusalError =>
  refuse(
    'forbidden',
    `The request came from a page of ${origin.slice(0, 100)}, but this server’s origin is ${ours}. ` +
      'To use the console there, set PUBLIC_URL to that origin and use https (or localhost).',
  )

const fromElsewhere = (): RefusalError =>
  refuse('forbidden', 'Only pages of this server can send this request.')
