import { ExchequerError, Operator, Realm } from '@exchequer/sdk'
import type { Place } from './place.ts'

/** Who is signed in, as GET /console/session tells it. */
export type SessionData = {
  readonly person: { readonly id: string; readonly name: string; readonly email: string | null }
  readonly operator: boolean
  readonly realms: readonly { readonly id: string; readonly name: string; readonly role: Role }[]
  readonly expiresAt: string
}
export type Role = 'owner' | 'manager' | 'viewer' | 'operator'

/** What the signed-in person may do in a realm. */
export type Access = { readonly role: Role; readonly scopes: readonly string[] }

type Lent = { readonly secret: string; readonly expiresAt: string; readonly access: Access }
type KeyAnswer = Access & { readonly key: string; readonly expiresAt: string }
type TokenAnswer = { readonly token: string; readonly expiresAt: string }

/** A key is asked for anew so long before it ends. */
const aheadMs = 60_000
/** Each request gets its key when it is sent. */
const placeholder = 'lent'
const operatorAccess: Access = { role: 'operator', scopes: [] }

/**
 * The sign-in, and the keys that are lent to it. Keys live here in memory alone; the cookie that they are lent
 * for opens nothing but /console/session, and script can't read it.
 */
export class Session {
  readonly #place: Place
  readonly #lent = new Map<string, Promise<Lent>>()
  readonly #onEnd: () => void

  constructor(place: Place, onEnd: () => void) {
    this.#place = place
    this.#onEnd = onEnd
  }

  /** Undefined when nobody is signed in. */
  async read(): Promise<SessionData | undefined> {
    try {
      return await this.#ask<SessionData>('GET', '/session')
    } catch (error) {
      if (error instanceof ExchequerError && error.status === 401) return undefined
      throw error
    }
  }

  /** Whether people of this installation can sign in with an account elsewhere. */
  options(): Promise<{ readonly provider: boolean }> {
    return this.#ask('GET', '/sign-in/options')
  }

  async signInBy(token: string): Promise<SessionData> {
    await this.#ask('POST', '/sign-in/link', { token })
    return this.#ask('GET', '/session')
  }

  async signOut(): Promise<void> {
    await this.#ask('DELETE', '/session')
    this.#lent.clear()
  }

  async access(realm: string): Promise<Access> {
    return (await this.#lend(realm)).access
  }

  /** The interface of a realm, with a key that is renewed as needed. */
  realm(realm: string): Realm {
    return new Realm({ ...this.#settings(realm), key: placeholder, realm })
  }

  /** The operator's door. */
  operator(): Operator {
    return new Operator({ ...this.#settings(''), token: placeholder })
  }

  #settings(whose: string) {
    return {
      url: this.#place.server,
      retries: 2,
      longestWaitMs: 4_000,
      fetch: (input: RequestInfo | URL, init?: RequestInit) => this.#fetch(whose, input, init),
    }
  }

  async #fetch(whose: string, input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    for (let again = false; ; again = true) {
      const lent = await this.#lend(whose)
      const headers = new Headers(init?.headers)
      headers.set('authorization', `Bearer ${lent.secret}`)
      const answer = await fetch(input, { ...init, headers, credentials: 'omit' })
      if (answer.status !== 401 || again) return answer
      // It was ended elsewhere, or the clocks differ: once more with another one.
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
      this.#onEnd()
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
