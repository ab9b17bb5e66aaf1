import type { IncomingMessage } from 'node:http'
import { type Refused, refuse } from '../../errors.ts'
import type { Sessions, SignedIn } from '../../people/index.ts'
import type { Site } from '../wire/site.ts'
import { readCookie, sessionCookie } from './cookies.ts'

type Asked = Pick<IncomingMessage, 'headers' | 'method'>

/** Who has signed in: 401, then 403 for what a page of another site has sent. */
export async function openSession(
  { sessions, site }: { readonly sessions: Sessions; readonly site: Site },
  request: IncomingMessage,
  unknown: () => Promise<void>,
): Promise<SignedIn> {
  const cookie = readCookie(sessionCookie, { site, headers: request.headers })
  const signedIn = cookie === undefined ? undefined : await sessions.find(cookie, unknown)
  if (!signedIn) throw refuse('unauthorized', 'Nobody is signed in. Sign in at /console first.')
  fromOurPage(request, site)
  return signedIn
}

/**
 * A browser adds cookies by itself, whoever made the page that asks. SameSite keeps them from other sites;
 * this keeps out what comes from any page but ours, a neighbour's on the same site included.
 */
export function fromOurPage({ headers, method = '' }: Asked, site: Site): void {
  const { origin, 'sec-fetch-site': from } = headers
  const reads = method === 'GET' || method === 'HEAD'
  // `none` is somebody who typed the address.
  if (from !== undefined && from !== 'same-origin' && !(reads && from === 'none')) throw fromElsewhere()
  if (origin !== undefined && origin !== site.origin(headers)) throw notAsKnown(origin, site.origin(headers))
  if (!reads && from === undefined && origin === undefined) throw fromElsewhere()
  // A form can't send JSON, and a script of another site must ask first.
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (method === 'POST' && type !== 'application/json')
    throw refuse('unsupported_media_type', 'Send Content-Type: application/json.')
}

/** A page of another site, or, far more often, one of ours at an address that nobody has told us. */
const notAsKnown = (origin: string, ours: string): Refused =>
  refuse(
    'forbidden',
    `This was sent by a page of ${origin.slice(0, 100)}, but this server takes itself for ${ours}. ` +
      'If that page is ours: people sign in over https, or on localhost, and PUBLIC_URL says where.',
  )

const fromElsewhere = (): Refused =>
  refuse('forbidden', 'This was not sent by a page of this server, so it is refused.')
