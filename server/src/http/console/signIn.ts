import { refuse } from '../../errors.ts'
import { linkForm } from '../../keys/index.ts'
import { type Sessions, SignInFailed } from '../../people/index.ts'
import { ok, type Reply } from '../problem.ts'
import { publicRoute } from '../route/route.ts'
import { Type } from '../route/schemas.ts'
import type { Site } from '../wire/site.ts'
import { readCookie, sessionCookie, signInCookie, type Visit, writeCookie } from './cookies.ts'
import { fromOurPage } from './guard.ts'

/** How long a person may take at the provider. */
const awaySeconds = 600

/** Redirects rather than returning JSON: a browser navigates here. */
const seeOther = (location: string, cookies: string[]): Reply => ({
  status: 303,
  body: '',
  type: 'text/plain',
  headers: { location, 'set-cookie': cookies, 'referrer-policy': 'no-referrer' },
})

const notSetUp = () =>
  refuse('not_set_up', 'No OpenID provider is configured. Ask the operator for a one-time link.')

/** Redirects a failure to the console, which shows what to do. */
async function orToPage(site: Site, cookies: string[], work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SignInFailed)) throw error
    const redirect = seeOther(`${site.basePath}/console/#sign-in-failed=${error.failure}`, cookies)
    return error.failure === 'failed' ? { ...redirect, isGuess: true } : redirect
  }
}

const begin = publicRoute(
  {
    operationId: 'startSignIn',
    tag: 'Console',
    methods: ['GET'],
    path: '/console/sign-in',
    summary: 'Sign in at the provider',
    writes: false,
  },
  async ({ headers }, { provider, seal, site }) => {
    if (!provider) throw notSetUp()
    return orToPage(site, [], async () => {
      const { url, begun } = await provider.begin()
      const kept = { value: seal.seal(begun, awaySeconds), seconds: awaySeconds }
      return seeOther(url, [writeCookie(signInCookie, { site, headers }, kept)])
    })
  },
)

const callback = publicRoute(
  {
    operationId: 'finishSignIn',
    tag: 'Console',
    methods: ['GET'],
    path: '/console/sign-in/callback',
    summary: 'Return from the provider',
    writes: false,
  },
  async ({ headers, query, by }, { provider, seal, site, sessions, signIn }) => {
    if (!provider) throw notSetUp()
    const visit = { site, headers }
    const over = writeCookie(signInCookie, visit)
    return orToPage(site, [over], async () => {
      const begun = seal.open(readCookie(signInCookie, visit) ?? '')
      const identity = await provider.finish(query, begun as Parameters<typeof provider.finish>[1])
      const cookie = sessionCookieOf(await signIn.byProvider(identity, by()), visit, sessions)
      // The page then requests its session itself: that request is same-site, so the Strict cookie is sent.
      return seeOther(`${site.basePath}/console/`, [cookie, over])
    })
  },
)

function sessionCookieOf(value: string, visit: Visit, sessions: Sessions): string {
  return writeCookie(sessionCookie, visit, { value, seconds: sessions.longestSeconds })
}

const byLink = publicRoute(
  {
    operationId: 'signInByLink',
    tag: 'Console',
    methods: ['POST'],
    path: '/console/sign-in/link',
    summary: 'Sign in with a one-time link',
    description:
      'Sets the session cookie; `GET /console/session` returns the session. Only pages of this server can ' +
      'call it.',
    writes: true,
    body: Type.Object(
      { token: Type.String({ maxLength: 100, description: `The link’s token: ${linkForm.pattern}.` }) },
      { description: 'A JSON object with token.' },
    ),
    answer: Type.Object({}),
    refusals: ['forbidden', 'link_not_valid', 'unavailable', 'outcome_unknown', 'internal_error'],
  },
  async ({ headers, body, by }, { site, sessions, signIn }) => {
    fromOurPage({ headers, method: 'POST' }, site)
    // This uses up the link. Nothing that can fail may follow before the cookie is set.
    const text = await signIn.byLink(body.token, by())
    return ok({}, { 'set-cookie': sessionCookieOf(text, { site, headers }, sessions) })
  },
)

const options = publicRoute(
  {
    operationId: 'getSignInOptions',
    tag: 'Console',
    methods: ['GET'],
    path: '/console/sign-in/options',
    summary: 'List ways to sign in',
    writes: false,
    answer: Type.Object({
      provider: Type.Boolean({ description: 'Whether /console/sign-in leads to an OpenID provider.' }),
    }),
  },
  (_request, { provider }) => ok({ provider: provider !== undefined }),
)

/** Called by pages. */
export const signInRoutes = [byLink, options]
/** Visited by browsers. */
export const signInPages = [begin, callback]
