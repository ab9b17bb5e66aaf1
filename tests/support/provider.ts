import assert from 'node:assert/strict'
import { generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import type { App } from '../../server/src/app/index.ts'
import { type Answer, call } from './call.ts'
import { cookieIn } from './person.ts'

/** A key as it is published. */
export type PublishedKey = JsonWebKey & { readonly kid: string; readonly use?: string }

/** Overrides of the provider's behaviour; each is undone by deleting it. */
export type Tampering = {
  /** The ID token to return instead. */
  idToken?: (token: string) => string | undefined
  /** The keys to publish instead. */
  keys?: (published: readonly PublishedKey[]) => readonly PublishedKey[]
  /** Changes any other response in place, by path. */
  answer?: (path: string, context: Answering) => void
}

type Answering = { status: number; body: unknown; redirect(url: string): void }

/** A real OpenID provider, with the people who sign in at it. */
export type OpenId = {
  readonly issuer: string
  /** What it signs with. */
  readonly keys: { readonly rsa: KeyObject; readonly ec: KeyObject }
  readonly tampering: Tampering
  /** How often each path was requested. */
  readonly asked: ReadonlyMap<string, number>
  /** Signs a person in, from our server's redirect to the provider's redirect back; returns its URL. */
  signIn(url: string, account: string): Promise<URL>
  close(): void
}

type Account = { readonly name?: string; readonly email?: string; readonly email_verified?: boolean }

type Options = {
  readonly redirectUri: string
  readonly client: object
  readonly accounts: Readonly<Record<string, Account>>
}

const hopsCap = 10

function configurationOf({ redirectUri, client, accounts }: Options, keys: OpenId['keys']): object {
  return {
    clients: [{ redirect_uris: [redirectUri], response_types: ['code'], ...client }],
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, ...accounts[accountId] }),
    }),
    ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    pkce: { required: () => true },
    cookies: { keys: ['of the tests'] },
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256'] },
    jwks: {
      keys: [
        { ...keys.rsa.export({ format: 'jwk' }), kid: 'rsa', use: 'sig' },
        { ...keys.ec.export({ format: 'jwk' }), kid: 'ec', use: 'sig' },
      ],
    },
  }
}

export async function openId(options: Options): Promise<OpenId> {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const keys = {
    rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
    ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  }
  const provider = new Provider(issuer, configurationOf(options, keys))
  const tampering: Tampering = {}
  const asked = new Map<string, number>()
  provider.use(async (context, next) => {
    asked.set(context.path, (asked.get(context.path) ?? 0) + 1)
    await next()
    tamper(tampering, context)
  })
  server.on('request', provider.callback())
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return {
    issuer,
    keys,
    tampering,
    asked,
    close,
    signIn: (url, account) => walk(issuer, { url, account, until: options.redirectUri }),
  }
}

function tamper({ idToken, keys, answer }: Tampering, context: Answering & { readonly path: string }): void {
  const { path, body } = context
  if (path === '/token' && idToken && context.status === 200) {
    const tokens = body as { id_token: string }
    context.body = { ...tokens, id_token: idToken(tokens.id_token) }
  }
  if (path === '/jwks' && keys) context.body = { keys: keys((body as { keys: PublishedKey[] }).keys) }
  answer?.(path, context)
}

/** Signs a person in to our server by the provider; returns the response of the callback. */
export async function signInBy({ app, provider, account, twist }: Visit): Promise<Answer> {
  const begun = await call('GET', `${app.url}/console/sign-in`)
  assert.equal(begun.status, 303, begun.text)
  const asked = new URL(String(begun.headers.location))
  twist?.(asked)
  const { search } = await provider.signIn(asked.href, account)
  const headers = { cookie: cookieIn(begun, 'exchequer-sign-in') }
  return call('GET', `${app.url}/console/sign-in/callback${search}`, { headers })
}

type Visit = {
  readonly app: App
  readonly provider: OpenId
  readonly account: string
  readonly twist?: (url: URL) => void
}

type Walk = { readonly url: string; readonly account: string; readonly until: string }

/** Like a browser: follows redirects, keeps cookies, and fills in the provider's forms. */
async function walk(issuer: string, { url, account, until }: Walk): Promise<URL> {
  const cookies = new Map<string, string>()
  let [next, form]: [URL, URLSearchParams | undefined] = [new URL(url), undefined]
  for (let hop = 0; hop < hopsCap; hop++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const sent = form && { method: 'POST', body: form }
    const answer = await fetch(next, { redirect: 'manual', headers: { cookie }, ...sent })
    for (const one of answer.headers.getSetCookie()) {
      const [pair = ''] = one.split(';')
      const mark = pair.indexOf('=')
      cookies.set(pair.slice(0, mark), pair.slice(mark + 1))
    }
    const location = answer.headers.get('location')
    form = undefined
    if (location?.startsWith(until)) return new URL(location)
    if (location !== null) next = new URL(location, issuer)
    else {
      const text = await answer.text()
      assert.equal(answer.status, 200, text)
      const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(text) ?? []
      next = new URL(action, issuer)
      const prompt = text.includes('value="login"') ? { login: account, password: 'any' } : {}
      form = new URLSearchParams({ prompt: 'login' in prompt ? 'login' : 'consent', ...prompt })
    }
  }
  throw new Error('the provider redirects in a loop')
}
