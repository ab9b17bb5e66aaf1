import { List, type ListOptions } from './list.ts'
import type { SignInLink } from './people.ts'
import { type CallOptions, type OperatorAnswer, type OperatorBody, type Shown, sentAs } from './routes.ts'
import type { Transport } from './transport.ts'

export type OperatorData = OperatorAnswer<'GET /people'>['data'][number]
export type NewOperator = OperatorBody<'POST /invitations'>
/** `link` signs in to the console, once; it is only in this response. */
export type MadeOperatorInvitation = Shown<OperatorAnswer<'POST /invitations'>, 'link'>
export type OperatorInvitation = OperatorAnswer<'GET /invitations'>['data'][number]

/** Active keys and tokens that a person issued, in all realms. */
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
   * One person: an operator, or a person with a role in a realm.
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
   * The active keys and tokens that a person issued; also of an erased person.
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
   * Invites an operator. The returned link works once, within seven days. Not retried when the response is
   * lost: check the invitations, and withdraw what you don't recognise.
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
   * The open invitations, newest first.
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
   * Withdraws an invitation: its link stops working.
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
   * A link for an operator to sign in again. It works once, within one day.
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
   * Erases a person: name, address, roles and sign-in methods are deleted in all realms. Their past actions
   * stay, with their number. Keys and tokens that they issued keep working: `issued` lists them.
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
