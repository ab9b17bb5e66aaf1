import * as oidc from 'openid-client'

/** An OpenID provider, and our registration with it. */
export type ProviderSettings = {
  readonly issuer: string
  readonly clientId: string
  /** Omitted for a public client, which only PKCE protects. */
  readonly clientSecret: string | undefined
  /** Where the provider sends people back to. */
  readonly redirectUri: string
  /** Called with why a sign-in failed, where the person is not the cause. */
  readonly onFault: (error: unknown) => void
}

/** A person according to the provider; the address only if the provider has verified it. */
export type Identity = {
  readonly issuer: string
  readonly subject: string
  readonly name: string
  readonly email: string | null
}

/** Why a sign-in failed, as the page shows it. */
export type Failure = 'denied' | 'uninvited' | 'unverified' | 'expired' | 'failed'

export class SignInFailed extends Error {
  readonly failure: Failure

  constructor(failure: Failure, cause?: unknown) {
    super(`sign-in ${failure}`, { cause })
    this.failure = failure
  }
}

/** What is stored of a sign-in until the person comes back. */
export type Begun = { readonly state: string; readonly nonce: string; readonly verifier: string }

type Claims = Readonly<Record<string, unknown>>

const answerWithinSeconds = 5
const answerCapBytes = 256 * 1024
/** The discovery document, and with it the keys, is read again after this. */
const believedForMs = 600_000
/** A provider that failed is not called again for this long, however many people sign in. */
const restMs = 1_000
/** Concurrent sign-ins being completed with the provider: any client can begin one. */
const settledAtOnce = 20
/** Failures are logged at most this often. */
const logEveryMs = 1_000
const nameCap = 100
const subjectCap = 255
/** Tolerated clock difference. */
const skewSeconds = 60
/** Whatever else the provider offers: no `none`, and nothing that a shared secret could sign. */
const algorithms = ['RS256', 'ES256']

/** Signs people in at an OpenID provider: authorization code with PKCE, by openid-client (decision 29). */
export class Provider {
  readonly #settings: ProviderSettings
  #discovered: { readonly atMs: number; readonly value: oidc.Configuration } | undefined
  #discovering: Promise<oidc.Configuration> | undefined
  #settling = 0
  #loggedAtMs = Number.NEGATIVE_INFINITY

  constructor(settings: ProviderSettings) {
    this.#settings = settings
  }

  /** Where to send a person, and what to store until they come back. */
  async begin(): Promise<{ readonly url: string; readonly begun: Begun }> {
    const begun = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
    }
    try {
      const url = oidc.buildAuthorizationUrl(await this.#discover(), {
        redirect_uri: this.#settings.redirectUri,
        scope: 'openid email profile',
        state: begun.state,
        nonce: begun.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(begun.verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, begun }
    } catch (error) {
      throw this.#failed(error)
    }
  }

  /** Who signed in, by what the provider sent along. */
  async finish(query: URLSearchParams, begun: Begun | undefined): Promise<Identity> {
    const { issuer } = this.#settings
    if (!begun || query.get('state') !== begun.state) throw new SignInFailed('expired')
    // The library requires `iss` where the provider announces it; to cancel, none is needed.
    if (!query.has('code') && (query.get('iss') ?? issuer) === issuer)
      throw new SignInFailed('denied', query.get('error') ?? 'no code')
    if (this.#settling >= settledAtOnce) throw this.#failed(new Error(`${settledAtOnce} sign-ins at once`))
    this.#settling += 1
    try {
      return await this.#identify(query, begun)
    } catch (error) {
      throw this.#failed(error)
    } finally {
      this.#settling -= 1
    }
  }

  #failed(error: unknown): SignInFailed {
    const cause = withoutTokens(error)
    const nowMs = performance.now()
    if (nowMs - this.#loggedAtMs >= logEveryMs) {
      this.#loggedAtMs = nowMs
      this.#settings.onFault(cause)
    }
    return new SignInFailed('failed', cause)
  }

  async #identify(query: URLSearchParams, { state, nonce, verifier }: Begun): Promise<Identity> {
    const { issuer, clientId, redirectUri } = this.#settings
    const configuration = await this.#discover()
    const returned = new URL(redirectUri)
    returned.search = query.toString()
    const tokens = await oidc.authorizationCodeGrant(configuration, returned, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
    })
    const idToken = tokens.claims()
    if (!idToken) throw new Error('the provider returned no ID token')
    checkClaims(idToken, clientId)
    const claims = await userClaims(configuration, idToken, tokens.access_token)
    const email = claims['email_verified'] === true && isAddress(claims['email']) ? claims['email'] : null
    const given = claims['name'] ?? claims['preferred_username'] ?? email
    const name = typeof given === 'string' ? given.slice(0, nameCap) : 'nameless'
    return { issuer, subject: idToken.sub, email, name }
  }

  /** The provider's configuration. One request at a time, shared by all who wait for it. */
  async #discover(): Promise<oidc.Configuration> {
    const { atMs = Number.NEGATIVE_INFINITY, value } = this.#discovered ?? {}
    if (value && performance.now() - atMs < believedForMs) return value
    if (!this.#discovering) {
      const asking = this.#configure()
      const forget = () => {
        this.#discovering = undefined
      }
      this.#discovering = asking
      asking.then(forget, () => setTimeout(forget, restMs).unref())
    }
    return this.#discovering
  }

  async #configure(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings
    // Always encrypted, unless the issuer itself is on this machine (config.ts).
    const execute = issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []
    const bounds = { timeout: answerWithinSeconds, [oidc.customFetch]: boundedFetch, execute }
    const discovered = await oidc.discovery(new URL(issuer), clientId, undefined, oidc.None(), bounds)
    const published = discovered.serverMetadata() as oidc.ServerMetadata
    // Exactly: the library tolerates differing issuers of Microsoft, and a trailing slash.
    if (published.issuer !== issuer) throw new Error(`the provider calls itself ${published.issuer}`)
    const value = new oidc.Configuration(
      { ...published, id_token_signing_alg_values_supported: algorithms },
      clientId,
      { [oidc.clockTolerance]: skewSeconds },
      authenticationBy(clientSecret, published.token_endpoint_auth_methods_supported),
    )
    value.timeout = answerWithinSeconds
    value[oidc.customFetch] = boundedFetch
    // Without it the library trusts TLS alone and checks no signature.
    for (const extend of [oidc.enableNonRepudiationChecks, ...execute]) extend(value)
    this.#discovered = { atMs: performance.now(), value }
    return value
  }
}

/** The secret is sent in the header, unless the provider does not support that. */
function authenticationBy(
  secret: string | undefined,
  methods: readonly string[] | undefined,
): oidc.ClientAuth {
  if (secret === undefined) return oidc.None()
  const isPosted = methods?.includes('client_secret_basic') === false
  return isPosted ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret)
}

/** What the library does not check: `azp` of a token for one audience, and an `iat` in the future. */
function checkClaims({ azp, iat, sub }: oidc.IDToken, clientId: string): void {
  if (azp !== undefined && azp !== clientId) throw new Error('the ID token was issued to another client')
  if (iat - skewSeconds > Date.now() / 1000) throw new Error('the ID token is from the future')
  if (sub === '' || sub.length > subjectCap) throw new Error('the ID token names no subject')
}

/** Many providers return name and address only from the userinfo endpoint. */
async function userClaims(
  configuration: oidc.Configuration,
  idToken: oidc.IDToken,
  token: string,
): Promise<Claims> {
  const hasUserinfo = configuration.serverMetadata().userinfo_endpoint !== undefined
  return idToken['email'] === undefined && hasUserinfo
    ? oidc.fetchUserInfo(configuration, token, idToken.sub)
    : idToken
}

const isAddress = (email: unknown): email is string =>
  typeof email === 'string' && email.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(email)

/** Only the messages: other fields of the library's errors contain tokens and claims. */
function withoutTokens(error: unknown): Error {
  const messages: string[] = []
  for (let at = error; at instanceof Error && messages.length < 5; at = at.cause) messages.push(at.message)
  return new Error(messages.join(': '))
}

/** A response of the provider: in time (the library's signal), of limited size, without redirects. */
const boundedFetch: oidc.CustomFetch = async (url, options) => {
  const response = await fetch(url, { ...options, body: options.body ?? null, redirect: 'error' })
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.length
    if (bytes > answerCapBytes) throw new Error(`${url} answers with too much`)
    pieces.push(piece)
  }
  const text = Buffer.concat(pieces).toString('utf8')
  if (!response.ok) throw new Error(`${url} answers ${response.status}: ${text.slice(0, 200)}`)
  return new Response(text, response)
}
