import { type OnceOptions, onceOf } from './change.ts'
import { List, type ListOptions } from './list.ts'
import { type AnswerOf, type BodyOf, type CallOptions, type Shown, sentAs } from './routes.ts'
import type { Transport } from './transport.ts'

export type PersonData = AnswerOf<'GET /people'>['data'][number]
export type Role = PersonData['role']
export type NewInvitation = BodyOf<'POST /invitations'>
/** `link` signs in to the console, once; it is only in this response. */
export type MadeInvitation = Shown<AnswerOf<'POST /invitations'>, 'link'>
export type InvitationData = AnswerOf<'GET /invitations'>['data'][number]
/** With the active keys that they issued. */
export type ChangedPerson = AnswerOf<'PATCH /people/{personID}'>
export type SignInLink = Shown<AnswerOf<'POST /people/{personID}/link'>, 'link'>

/** The people who manage a realm in the console. */
export class People {
  readonly #transport: Transport
  readonly #base: string

  constructor(transport: Transport, base: string) {
    this.#transport = transport
    this.#base = base
  }

  /**
   * All of them, with their roles.
   *
   * @example
   * ```ts
   * for await (const { id, name, role } of realm.people.list()) console.log(id, name, role)
   * ```
   */
  list(options: ListOptions = {}): List<AnswerOf<'GET /people'>> {
    return new List(this.#transport, `${this.#base}/people`, options)
  }

  /**
   * One of them, with their role.
   *
   * @example
   * ```ts
   * for await (const { id } of realm.people.list()) console.log((await realm.people.get(id)).role)
   * ```
   */
  get(personId: string, options: CallOptions = {}): Promise<PersonData> {
    return this.#transport.send({ method: 'GET', path: this.#of(personId), ...sentAs(options) })
  }

  /**
   * Invites a person. The returned link works once, within seven days. Not retried when the response is lost:
   * check the invitations, and withdraw what you don't recognise.
   *
   * @example
   * ```ts
   * const { link } = await realm.people.invite({ name: 'Ann', role: 'manager' })
   * ```
   */
  invite(invitation: NewInvitation, options: CallOptions = {}): Promise<MadeInvitation> {
    const path = `${this.#base}/invitations`
    return this.#transport.send({ method: 'POST', path, body: invitation, ...sentAs(options) })
  }

  /**
   * The open invitations, newest first.
   *
   * @example
   * ```ts
   * for await (const { name, expiresAt } of realm.people.invitations()) console.log(name, expiresAt)
   * ```
   */
  invitations(options: ListOptions = {}): List<AnswerOf<'GET /invitations'>> {
    return new List(this.#transport, `${this.#base}/invitations`, options)
  }

  /**
   * One open invitation.
   *
   * @example
   * ```ts
   * const { id } = await realm.people.invite({ name: 'Cem', role: 'viewer' })
   * const { expiresAt } = await realm.people.invitation(id)
   * ```
   */
  invitation(invitationId: string, options: CallOptions = {}): Promise<InvitationData> {
    return this.#transport.send({ method: 'GET', path: this.#invitation(invitationId), ...sentAs(options) })
  }

  /**
   * Withdraws an invitation: its link stops working.
   *
   * @example
   * ```ts
   * const { id } = await realm.people.invite({ name: 'Ben', role: 'viewer' })
   * await realm.people.withdraw(id)
   * ```
   */
  async withdraw(invitationId: string, options: CallOptions = {}): Promise<void> {
    const doneBy = { code: 'invitation_not_found', value: undefined }
    const path = this.#invitation(invitationId)
    await this.#transport.send({ method: 'DELETE', path, doneBy, ...sentAs(options) })
  }

  /**
   * Changes a person's role; it takes effect within one second.
   *
   * @example
   * ```ts
   * for await (const { id, role } of realm.people.list())
   *   if (role === 'manager') await realm.people.change(id, 'viewer')
   * ```
   */
  change(personId: string, role: Role, options: OnceOptions = {}): Promise<ChangedPerson> {
    return this.#transport.send({
      method: 'PATCH',
      path: this.#of(personId),
      body: { role },
      ...onceOf(options),
    })
  }

  /**
   * Removes a person from the realm. Their past actions stay, with their name. Keys that they issued keep
   * working: `keys.orphaned()` lists them.
   *
   * @example
   * ```ts
   * for await (const { id, role } of realm.people.list()) if (role === 'viewer') await realm.people.remove(id)
   * for await (const { id } of realm.keys.orphaned()) await realm.keys.revoke(id)
   * ```
   */
  async remove(personId: string, options: CallOptions = {}): Promise<void> {
    const doneBy = { code: 'person_not_found', value: undefined }
    await this.#transport.send({ method: 'DELETE', path: this.#of(personId), doneBy, ...sentAs(options) })
  }

  /**
   * A link for a person to sign in again. It works once, within one day.
   *
   * @example
   * ```ts
   * for await (const { id, signsInBy } of realm.people.list())
   *   if (signsInBy === 'link') console.log(await realm.people.link(id))
   * ```
   */
  link(personId: string, options: CallOptions = {}): Promise<SignInLink> {
    return this.#transport.send({ method: 'POST', path: `${this.#of(personId)}/link`, ...sentAs(options) })
  }

  #invitation(invitationId: string): string {
    return `${this.#base}/invitations/${encodeURIComponent(invitationId)}`
  }

  #of(personId: string): string {
    return `${this.#base}/people/${encodeURIComponent(personId)}`
  }
}
