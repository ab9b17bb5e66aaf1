import { createHash, randomBytes } from 'node:crypto'
import { type Claims, keyIdOf, type PublishedKey, verifyIdToken } from './idToken.ts'

/** An OpenID provider, and who we are to it. */
export type ProviderSettings = {
  readonly issuer: string
  readonly clientId: string
  /** None for a public client: PKCE stands alone then. */
  readonly clientSecret: string | undefined
  /** Where it sends people back to. */
  readonly redirectUri: string
  /** Told why a sign-in came to nothing, where that is not the person's doing. */
  readonly onFault: (error: unknown) => void
}

/** Who somebody is, as the provider says; the address only where it vouches for it. */
export type Identity = {
  readonly issuer: string
  readonly subject: string
  readonly name: string
  readonly email: string | null
}

/** Why a sign-in came to nothing, as the page is told. */
export type Failure = 'denied' | 'uninvited' | 'unverified' | 'expired' | 'failed'

export class SignInFailed extends Error {
  readonly failure: Failure

  constructor(failure: Failure, cause?: unknown) {
    super(`sign-in ${failure}`, { cause })
    this.failure = failure
  }
}

/** What is kept of a sign-in until its person comes back. */
export type Begun = { readonly state: string; readonly nonce: string; readonly verifier: string }

type Discovered = {
  readonly authorization: string
  readonly token: string
  readonly keys: string
  readonly userinfo: string | undefined
  readonly postsSecret: boolean
}

const answerWithinMs = 5_000
const answerCapBytes = 256 * 1024
/** What a provider publishes is asked for again after this; for a key that is new, at most this often. */
const believedForMs = 600_000
const newKeysEveryMs = 30_000
const keysCap = 100
/** A provider that failed is not asked what it publishes again for so long, whoever comes. */
const restMs = 1_000
/** Sign-ins that are settled with the provider at the same time: anybody can begin one. */
const settledAtOnce = 20
/** Faults are told so often, however many there are. */
const toldEveryMs = 1_000
const nameCap = 100

const random = (): string => randomBytes(32).toString('base64url')

/** Signs people in at an OpenID provider: authorization code with PKCE, the ID token checked here. */
export class Provider {
  readonly #settings: ProviderSettings
  #discovered: { readonly atMs: number; readonly value: Discovered } | undefined
  #discovering: Promise<Discovered> | undefined
  #keys: { readonly atMs: number; readonly value: readonly PublishedKey[] } | undefined
  #settling = 0
  #toldAtMs = Number.NEGATIVE_INFINITY

  constructor(settings: ProviderSettings) {
    this.#settings = settings
  }

  /** Where to send somebody, and what to keep until they come back. */
  async begin(): Promise<{ readonly url: string; readonly begun: Begun }> {
    const { authorization } = await this.#discover().catch((error: unknown) => {
      throw this.#failed(error)
    })
    const begun = { state: random(), nonce: random(), verifier: random() }
    const url = new URL(authorization)
    const asked = {
      response_type: 'code',
      client_id: this.#settings.clientId,
      redirect_uri: this.#settings.redirectUri,
      scope: 'openid email profile',
      state: begun.state,
      nonce: begun.nonce,
      code_challenge: createHash('sha256').update(begun.verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }
    for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
    return { url: url.href, begun }
  }

  /** Who came back, by what the provider sent along. */
  async finish(query: URLSearchParams, begun: Begun | undefined): Promise<Identity> {
    const { issuer } = this.#settings
    if (!begun || query.get('state') !== begun.state) throw new SignInFailed('expired')
    if ((query.get('iss') ?? issuer) !== issuer) throw this.#failed('another issuer answers')
    const code = query.get('code')
    if (code === null) throw new SignInFailed('denied', query.get('error') ?? 'no code')
    if (this.#settling >= settledAtOnce) throw this.#failed(`${settledAtOnce} sign-ins at once`)
    this.#settling += 1
    try {
      return await this.#identify(code, begun)
    } catch (error) {
      throw this.#failed(error)
    } finally {
      this.#settling -= 1
    }
  }

  #failed(cause: unknown): SignInFailed {
    const nowMs = performance.now()
    if (nowMs - this.#toldAtMs >= toldEveryMs) {
      this.#toldAtMs = nowMs
      this.#settings.onFault(cause)
    }
    return new SignInFailed('failed', cause)
  }

  async #identify(code: string, { nonce, verifier }: Begun): Promise<Identity> {
    const { issuer, clientId } = this.#settings
    const { idToken, accessToken } = await this.#exchange(code, verifier)
    const keys = await this.#keysFor(keyIdOf(idToken))
    const claims = verifyIdToken(idToken, keys, { issuer, clientId, nonce, nowMs: Date.now() })
    const subject = String(claims['sub'])
    const told = await this.#userinfo(claims, accessToken)
    const email = told['email_verified'] === true && isAddress(told['email']) ? told['email'] : null
    const given = told['name'] ?? told['preferred_username'] ?? email
    return { issuer, subject, email, name: typeof given === 'string' ? given.slice(0, nameCap) : 'nameless' }
  }

  async #exchange(code: string, verifier: string): Promise<{ idToken: string; accessToken: unknown }> {
    const { clientId, clientSecret, redirectUri } = this.#settings
    const { token, postsSecret } = await this.#discover()
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      client_id: clientId,
    })
    const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' }
    if (clientSecret !== undefined && postsSecret) form.set('client_secret', clientSecret)
    else if (clientSecret !== undefined) headers['authorization'] = basic(clientId, clientSecret)
    const answer = await ask(token, { method: 'POST', headers, body: form.toString() })
    const idToken = answer['id_token']
    if (typeof idToken !== 'string') throw new Error('the provider gave no ID token')
    return { idToken, accessToken: answer['access_token'] }
  }

  /** Many providers tell name and address only when asked with the access token. */
  async #userinfo(claims: Claims, accessToken: unknown): Promise<Claims> {
    const { userinfo } = await this.#discover()
    if (claims['email'] !== undefined || userinfo === undefined || typeof accessToken !== 'string')
      return claims
    const told = await ask(userinfo, { headers: { authorization: `Bearer ${accessToken}` } })
    if (told['sub'] !== claims['sub']) throw new Error('the provider tells of somebody else')
    return told
  }

  /** What the provider publishes. One question at a time, for all who wait for it. */
  async #discover(): Promise<Discovered> {
    const { atMs = Number.NEGATIVE_INFINITY, value } = this.#discovered ?? {}
    if (value && performance.now() - atMs < believedForMs) return value
    if (!this.#discovering) {
      const asking = this.#askAbout()
      const forget = () => {
        this.#discovering = undefined
      }
      this.#discovering = asking
      asking.then(forget, () => setTimeout(forget, restMs).unref())
    }
    return this.#discovering
  }

  async #askAbout(): Promise<Discovered> {
    const { issuer } = this.#settings
    const told = await ask(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {})
    if (told['issuer'] !== issuer) throw new Error(`the provider calls itself ${String(told['issuer'])}`)
    const urlOf = (name: string): string => {
      const url = told[name]
      // As safe as the issuer itself: nothing is asked in the clear that was not before.
      const isSafe = typeof url === 'string' && (url.startsWith('https:') || issuer.startsWith('http:'))
      if (!isSafe || !URL.canParse(url)) throw new Error(`the provider has no ${name} that can be used`)
      return url
    }
    const methods = told['token_endpoint_auth_methods_supported']
    const value = {
      authorization: urlOf('authorization_endpoint'),
      token: urlOf('token_endpoint'),
      keys: urlOf('jwks_uri'),
      userinfo: told['userinfo_endpoint'] === undefined ? undefined : urlOf('userinfo_endpoint'),
      postsSecret: Array.isArray(methods) && !methods.includes('client_secret_basic'),
    }
    this.#discovered = { atMs: performance.now(), value }
    return value
  }

  async #keysFor(kid: string | undefined): Promise<readonly PublishedKey[]> {
    const ageMs = performance.now() - (this.#keys?.atMs ?? Number.NEGATIVE_INFINITY)
    const isKnown = kid === undefined || this.#keys?.value.some((key) => key.kid === kid) === true
    if (this.#keys && ageMs < (isKnown ? believedForMs : newKeysEveryMs)) return this.#keys.value
    const { keys } = await ask((await this.#discover()).keys, {})
    const value = (Array.isArray(keys) ? keys : []).slice(0, keysCap) as PublishedKey[]
    this.#keys = { atMs: performance.now(), value }
    return value
  }
}

const isAddress = (email: unknown): email is string =>
  typeof email === 'string' && email.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(email)

/** RFC 6749 asks for both to be encoded as in a form first. */
function basic(clientId: string, clientSecret: string): string {
  const encoded = [clientId, clientSecret].map((one) => new URLSearchParams([['', one]]).toString().slice(1))
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`
}

/** A JSON object from the provider: in time, of some size, from nowhere else. */
async function ask(url: string, init: RequestInit): Promise<Claims> {
  const signal = AbortSignal.timeout(answerWithinMs)
  const headers = { accept: 'application/json', ...(init.headers as Record<string, string> | undefined) }
  const response = await fetch(url, { ...init, headers, redirect: 'error', signal })
  let text = ''
  const decoder = new TextDecoder()
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece as Uint8Array, { stream: true })
    if (text.length > answerCapBytes) throw new Error(`${url} answers with too much`)
  }
  if (!response.ok) throw new Error(`${url} answers ${response.status}: ${text.slice(0, 200)}`)
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null) throw new Error(`${url} answers with no object`)
  return value as Claims
}
