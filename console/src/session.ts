import { ExchequerError, Operator, Realm } from '@exchequer/sdk'
import type { Place } from './place.ts'

/** Who is signed in, as GET /console/session tells it. */
export type SessionData = {
  readonly person: { readonly id: string; readonly name: string; readonly email: string | null }
  readonly operator: boolean
  readonly realms: readonly { readonly id: string; readonly name: string; readonly role: Role }[]
  readonly invitations: readonly ReceivedInvitation[]
  readonly expiresAt: string
}
/** To a realm, or without one to the operators. */
export type ReceivedInvitation = {
  readonly id: string
  readonly realm: { readonly id: string; readonly name: string } | null
  readonly role: Role | null
  readonly expiresAt: string
}
export type Role = 'owner' | 'manager' | 'viewer' | 'operator'

/** What the signed-in person may do in a realm. */
export type Access = { readonly role: Role; readonly scopes: readonly string[] }

type Lent = { readonly secret: string; readonly expiresAt: string; readonly access: Access }
type KeyAnswer = Access & { readonly key: string; readonly expiresAt: string }
/** What the rest of the console must know at once. */
type Events = {
  readonly onEnd: () => void
  /** Somebody else has signed in, in another tab of this browser. */
  readonly onOther: (session: SessionData) => void
}
type TokenAnswer = { readonly token: string; readonly expiresAt: string }

/** A key is asked for anew so long before it ends. */
const aheadMs = 60_000
/** Before another key is lent, who is signed in is looked at again when it was so long ago. */
const knownMs = 10_000
/** Each request gets its key when it is sent. */
const placeholder = 'lent'
const operatorAccess: Access = { role: 'operator', scopes: [] }

/** Made for a page of a realm, or the operator's with no name, as it is shown to a person. */
type Client = { readonly whose: string; readonly person: string | undefined }

/** Not sent: it was asked for by somebody who is not signed in here any more. A refusal is not tried again. */
const notTheSame = () =>
  Response.json({ code: 'forbidden', detail: 'Somebody else has signed in.' }, { status: 403 })

/**
 * The sign-in, and the keys that are lent to it. Keys live here in memory alone; the cookie that they are lent
 * for opens nothing but /console/session, and script can't read it.
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

  /** Whether the last one here has signed out, and not only been away for too long. */
  get hasLeft(): boolean {
    return this.#hasLeft
  }

  /** Whether a person was signed in on this page and is not any more. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Undefined when nobody is signed in. */
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

  /** Whether people of this installation can sign in with an account elsewhere. */
  options(): Promise<{ readonly provider: boolean }> {
    return this.#ask('GET', '/sign-in/options')
  }

  async signInBy(token: string): Promise<SessionData | undefined> {
    await this.#ask('POST', '/sign-in/link', { token })
    return this.read()
  }

  /** Takes the role of an invitation, or lets the server hide it. */
  async answer(invitation: string, answer: 'accept' | 'decline'): Promise<void> {
    await this.#ask('POST', `/session/invitations/${encodeURIComponent(invitation)}/${answer}`, {})
  }

  async signOut(): Promise<void> {
    try {
      await this.#ask('DELETE', '/session')
    } catch (error) {
      // Over already, which is what was wanted.
      if (!(error instanceof ExchequerError) || error.status !== 401) throw error
    }
    this.#lent.clear()
    this.#hasLeft = true
    this.#events.onEnd()
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
