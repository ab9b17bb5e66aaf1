import { List, type ListOptions } from './list.ts'
import type { SignInLink } from './people.ts'
import { type CallOptions, type OperatorAnswer, type OperatorBody, type Shown, sentAs } from './routes.ts'
import type { Transport } from './transport.ts'

export type OperatorData = OperatorAnswer<'GET /people'>['data'][number]
export type NewOperator = OperatorBody<'POST /invitations'>
/** `link` opens the console, once; it is in this answer and nowhere else. */
export type MadeOperatorInvitation = Shown<OperatorAnswer<'POST /invitations'>, 'link'>
export type OperatorInvitation = OperatorAnswer<'GET /invitations'>['data'][number]

/** What a person issued in all realms and still works. */
export type IssuedByPerson = OperatorAnswer<'GET /people/{personID}/issued'>

/** The operators who sign in to the console. */
export class Operators {
  readonly #transport: Transport
  readonly #base: string

  constructor(transport: Transport, base: string) {
    this.#transport = transport
    this.#base = base
  }

  /**
   * All of them.
   *
   * @example
   * ```ts
   * for await (const { id, name, lastSeenAt } of operator.people.list()) console.log(id, name, lastSeenAt)
   * ```
   */
  list(options: ListOptions = {}): List<OperatorAnswer<'GET /people'>> {
    return new List(this.#transport, `${this.#base}/people`, options)
  }

  /**
   * One person: an operator, or one with a role in a realm.
   *
   * @example
   * ```ts
   * for await (const { id } of operator.people.list()) console.log((await operator.people.get(id)).name)
   * ```
   */
  get(personId: string, options: CallOptions = {}): Promise<OperatorData> {
    return this.#transport.send({ method: 'GET', path: this.#of(personId), ...sentAs(options) })
  }

  /**
   * The keys and tokens that a person issued and that still work; also of one who was forgotten.
   *
   * @example
   * ```ts
   * for await (const { id } of operator.people.list())
   *   console.log((await operator.people.issued(id)).keys.length)
   * ```
   */
  issued(personId: string, options: CallOptions = {}): Promise<IssuedByPerson> {
    return this.#transport.send({ method: 'GET', path: `${this.#of(personId)}/issued`, ...sentAs(options) })
  }

  /**
   * Invites an operator. The link of the answer works for seven days, and once. Not sent again by itself when the
   * answer is lost: look into the invitations, and withdraw what you don't know.
   *
   * @example
   * ```ts
   * const { link } = await operator.people.invite({ name: 'Olga' })
   * ```
   */
  invite(invitation: NewOperator, options: CallOptions = {}): Promise<MadeOperatorInvitation> {
    const path = `${this.#base}/invitations`
    return this.#transport.send({ method: 'POST', path, body: invitation, ...sentAs(options) })
  }

  /**
   * The invitations that are open, the newest first.
   *
   * @example
   * ```ts
   * for await (const { name, expiresAt } of operator.people.invitations()) console.log(name, expiresAt)
   * ```
   */
  invitations(options: ListOptions = {}): List<OperatorAnswer<'GET /invitations'>> {
    return new List(this.#transport, `${this.#base}/invitations`, options)
  }

  /**
   * One open invitation.
   *
   * @example
   * ```ts
   * const { id } = await operator.people.invite({ name: 'Oya' })
   * const { expiresAt } = await operator.people.invitation(id)
   * ```
   */
  invitation(invitationId: string, options: CallOptions = {}): Promise<OperatorInvitation> {
    return this.#transport.send({ method: 'GET', path: this.#invitation(invitationId), ...sentAs(options) })
  }

  /**
   * Takes an invitation back: its link opens nothing any more.
   *
   * @example
   * ```ts
   * const { id } = await operator.people.invite({ name: 'Otto' })
   * await operator.people.withdraw(id)
   * ```
   */
  async withdraw(invitationId: string, options: CallOptions = {}): Promise<void> {
    const doneBy = { code: 'invitation_not_found', value: undefined }
    const path = this.#invitation(invitationId)
    await this.#transport.send({ method: 'DELETE', path, doneBy, ...sentAs(options) })
  }

  /**
   * A link for an operator to sign in again. It works for one day, and once.
   *
   * @example
   * ```ts
   * for await (const { id } of operator.people.list()) console.log(await operator.people.link(id))
   * ```
   */
  link(personId: string, options: CallOptions = {}): Promise<SignInLink> {
    return this.#transport.send({ method: 'POST', path: `${this.#of(personId)}/link`, ...sentAs(options) })
  }

  /**
   * Forgets a person: name, address, every role and every way to sign in are gone, in all realms. What they did
   * stays, with their number. Keys and tokens that they issued go on working: `issued` lists them.
   *
   * @example
   * ```ts
   * for await (const { id, name } of operator.people.list()) if (name === 'Otto') await operator.people.forget(id)
   * ```
   */
  async forget(personId: string, options: CallOptions = {}): Promise<void> {
    const doneBy = { code: 'person_not_found', value: undefined }
    await this.#transport.send({ method: 'DELETE', path: this.#of(personId), doneBy, ...sentAs(options) })
  }

  #invitation(invitationId: string): string {
    return `${this.#base}/invitations/${encodeURIComponent(invitationId)}`
  }

  #of(personId: string): string {
    return `${this.#base}/people/${encodeURIComponent(personId)}`
  }
}
