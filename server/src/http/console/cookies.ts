import type { IncomingHttpHeaders } from 'node:http'
import type { Site } from '../wire/site.ts'

export type Cookie = {
  readonly name: string
  /** The path, below the base path. */
  readonly path: string
  readonly sameSite: 'Strict' | 'Lax'
}

/** Authenticates /console/session, and is sent nowhere else. */
export const sessionCookie: Cookie = {
  name: 'exchequer-session',
  path: '/console/session',
  sameSite: 'Strict',
}

/** Read when a person returns from the provider, which is another site: hence Lax. */
export const signInCookie: Cookie = {
  name: 'exchequer-sign-in',
  path: '/console/sign-in/callback',
  sameSite: 'Lax',
}

export type Visit = { readonly site: Site; readonly headers: IncomingHttpHeaders }

/** With the prefix a browser accepts it only over https, even if others can set cookies for the host. */
const nameOf = ({ name }: Cookie, { site, headers }: Visit): string =>
  site.isSecure(headers) ? `__Secure-${name}` : name

/** The value of a cookie that was sent. */
export function readCookie(cookie: Cookie, visit: Visit): string | undefined {
  const name = nameOf(cookie, visit)
  for (const pair of (visit.headers.cookie ?? '').split(';')) {
    const [key = '', value] = pair.trim().split('=', 2)
    if (key === name) return value
  }
  return undefined
}

/** A Set-Cookie header; without a value it deletes the cookie. */
export function writeCookie(
  cookie: Cookie,
  visit: Visit,
  given?: { readonly value: string; readonly seconds: number },
): string {
  const parts = [
    `${nameOf(cookie, visit)}=${given?.value ?? ''}`,
    `Path=${visit.site.basePath}${cookie.path}`,
    `Max-Age=${given?.seconds ?? 0}`,
    'HttpOnly',
    `SameSite=${cookie.sameSite}`,
    ...(visit.site.isSecure(visit.headers) ? ['Secure'] : []),
  ]
  return parts.join('; ')
}
