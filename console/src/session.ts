import { ExchequerError, Operator, Realm } from '@exchequer/sdk'
import type { Place } from './place.ts'

/** The signed-in person, as returned by GET /console/session. */
export type SessionData = {
  readonly person: { readonly id: string; readonly name: string; readonly email: string | null }
  readonly operator: boolean
  readonly realms: readonly { readonly id: string; readonly name: string; readonly role: Role }[]
  readonly invitations: readonly ReceivedInvitation[]
  readonly expiresAt: string
}
/** To a realm, or to the operators when `realm` is null. */
export type ReceivedInvitation = {
  readonly id: string
  readonly realm: { readonly id: string; readonly name: string } | null
  readonly role: Role | null
  readonly expiresAt: string
}
export type Role = 'owner' | 'manager' | 'viewer' | 'operator'

/** The signed-in person's permissions in a realm. */
export type Access = { readonly role: Role; readonly scopes: readonly string[] }

type Lent = { readonly secret: string; readonly expiresAt: string; readonly access: Access }
type KeyAnswer = Access & { readonly key: string; readonly expiresAt: string }
/** Events the rest of the console reacts to. */
type Events = {
  readonly onEnd: () => void
  /** Another person has signed in, in another tab of this browser. */
  readonly onOther: (session: SessionData) => void
}
type TokenAnswer = { readonly token: string; readonly expiresAt: string }

/** A session token is renewed this long before it expires. */
const aheadMs = 60_000
/** Before a new session token is issued, a session check older than this is repeated. */
const knownMs = 10_000
/** Placeholder: each request gets its session token when it is sent. */
const placeholder = 'lent'
const operatorAccess: Access = { role: 'operator', scopes: [] }

/** `whose`: the realm, or empty for the operator API. `person`: the person the page shows. */
type Client = { readonly whose: string; readonly person: string | undefined }

/** Returned without sending: the requester is no longer signed in. A 403 is not retried. */
const notTheSame = () =>
  Response.json({ code: 'forbidden', detail: 'Another person has signed in.' }, { status: 403 })

/**
 * The sign-in and its session tokens. Tokens are kept only in memory. The cookie they are issued for
 * authenticates only /console/session, and script can't read it.
 */
export class Session {
  readonly #place: Place
  readonly #lent = new Map<string, Promise<Lent>>()
  readonly #events: Events
  #person: string | undefined
  #readAtMs = 0
  #hasLeft = false
  #hasEnded = false

  constructor(place: Place, events: Events) {
    this.#place = place
    this.#events = events
  }

  /** Whether the last person signed out, as opposed to a session that expired. */
  get hasLeft(): boolean {
    return this.#hasLeft
  }

  /** Whether a person was signed in on this page and no longer is. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Undefined when no person is signed in. */
  async read(): Promise<SessionData | undefined> {
    try {
      const data = await this.#ask<SessionData>('GET', '/session')
      this.#meet(data)
      return data
    } catch (error) {
      if (error instanceof ExchequerError && error.status === 401) return undefined
      throw error
    }
  }

  /** A page that shows one person must not act as another. */
  #meet(data: SessionData): void {
    const before = this.#person
    this.#person = data.person.id
    this.#readAtMs = Date.now()
    this.#hasLeft = false
    this.#hasEnded = false
    if (before === undefined || before === data.person.id) return
    this.#lent.clear()
    this.#events.onOther(data)
  }

  /** Whether a sign-in provider is configured. */
  options(): Promise<{ readonly provider: boolean }> {
    return this.#ask('GET', '/sign-in/options')
  }

  async signInBy(token: string): Promise<SessionData | undefined> {
    await this.#ask('POST', '/sign-in/link', { token })
    return this.read()
  }

  /** Accepts or declines an invitation. */
  async answer(invitation: string, answer: 'accept' | 'decline'): Promise<void> {
    await this.#ask('POST', `/session/invitations/${encodeURIComponent(invitation)}/${answer}`, {})
  }

  async signOut(): Promise<void> {
    try {
      await this.#ask('DELETE', '/session')
    } catch (error) {
      // The session has already ended, which is the goal.
      if (!(error instanceof ExchequerError) || error.status !== 401) throw error
    }
    this.#lent.clear()
    this.#hasLeft = true
    this.#events.onEnd()
  }

  async access(realm: string): Promise<Access> {
    return (await this.#lend(realm)).access
  }

  /** The API of a realm, with a session token that is renewed as needed. */
  realm(realm: string): Realm {
    return new Realm({ ...this.#settings(realm), key: placeholder, realm })
  }

  /**
   * Opens the stream of a realm's journal, after an entry if one is named. A token that was revoked is not
   * replaced: what was typed on a page stays until the person acts.
   */
  streamOf(realm: string): (after: string | undefined, signal: AbortSignal) => Promise<Response> {
    const person = this.#person
    const url = `${this.#place.server}/api/v4/realms/${encodeURIComponent(realm)}/journal/stream`
    return async (after, signal) => {
      const { secret } = await this.#lend(realm)
      if (this.#person !== person) return notTheSame()
      const headers = new Headers({ authorization: `Bearer ${secret}` })
      if (after !== undefined) headers.set('last-event-id', after)
      return fetch(url, { headers, signal, credentials: 'omit', cache: 'no-store' })
    }
  }

  /** The operator API. */
  operator(): Operator {
    return new Operator({ ...this.#settings(''), token: placeholder })
  }

  #settings(whose: string) {
    const person = this.#person
    return {
      url: this.#place.server,
      retries: 2,
      longestWaitMs: 4_000,
      fetch: (input: RequestInfo | URL, init?: RequestInit) => this.#fetch({ whose, person }, input, init),
    }
  }

  async #fetch({ whose, person }: Client, input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    for (let again = false; ; again = true) {
      const lent = await this.#lend(whose)
      if (this.#person !== person) return notTheSame()
      const headers = new Headers(init?.headers)
      headers.set('authorization', `Bearer ${lent.secret}`)
      const answer = await fetch(input, { ...init, headers, credentials: 'omit' })
      if (answer.status !== 401 || again) return answer
      // The token was revoked or the clocks differ: retry once with a new one.
      this.#lent.delete(whose)
    }
  }

  async #lend(whose: string): Promise<Lent> {
    const lent = this.#lent.get(whose) ?? this.#keep(whose)
    const { expiresAt } = await lent
    if (Date.parse(expiresAt) - aheadMs > Date.now()) return lent
    return this.#lent.get(whose) === lent ? this.#keep(whose) : this.#lend(whose)
  }

  #keep(whose: string): Promise<Lent> {
    const lent = this.#borrow(whose)
    this.#lent.set(whose, lent)
    lent.catch(() => this.#lent.get(whose) === lent && this.#lent.delete(whose))
    return lent
  }

  async #borrow(whose: string): Promise<Lent> {
    if (Date.now() - this.#readAtMs > knownMs) await this.read()
    if (whose === '') {
      const { token, expiresAt } = await this.#ask<TokenAnswer>('POST', '/session/operator-token', {})
      return { secret: token, expiresAt, access: operatorAccess }
    }
    const body = { realm: whose }
    const { key, expiresAt, role, scopes } = await this.#ask<KeyAnswer>('POST', '/session/keys', body)
    return { secret: key, expiresAt, access: { role, scopes } }
  }

  async #ask<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await this.#send(method, path, body)
    const text = await answer.text()
    const said = text.startsWith('{') ? JSON.parse(text) : {}
    if (answer.ok) return said as T
    if (answer.status === 401) {
      this.#lent.clear()
      this.#hasEnded = this.#person !== undefined
      this.#events.onEnd()
    }
    const { code = `http_${answer.status}`, detail = `The answer was ${answer.status}.`, requestId } = said
    throw new ExchequerError({ status: answer.status, code, detail, requestId })
  }

  async #send(method: string, path: string, body?: object): Promise<Response> {
    const json = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const signal = AbortSignal.timeout(10_000)
    try {
      return await fetch(`${this.#place.path}${path}`, { method, signal, ...json })
    } catch (cause) {
      const detail = 'The server could not be reached.'
      throw new ExchequerError({ status: 0, code: 'no_answer', detail }, cause)
    }
  }
}
