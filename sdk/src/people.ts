import { List, type ListOptions } from './list.ts'
import type { AnswerOf, BodyOf } from './routes.ts'
import type { Transport } from './transport.ts'

export type PersonData = AnswerOf<'GET /people'>['data'][number]
export type Role = PersonData['role']
export type NewInvitation = BodyOf<'POST /invitations'>
/** `link` opens the console, once; it is in this answer and nowhere else. */
export type MadeInvitation = AnswerOf<'POST /invitations'>
export type InvitationData = AnswerOf<'GET /invitations'>['data'][number]
/** All of it where the answer that listed it came, else its id. */
export type Withdrawn = Pick<InvitationData, 'id'> & Partial<InvitationData>
/** With the keys that they issued and that still work. */
export type ChangedPerson = AnswerOf<'PATCH /people/{personID}'>
/** All of it where the answer that listed it came, else their id: `keys.orphaned()` lists what they issued. */
export type RemovedPerson = Pick<ChangedPerson, 'id'> & Partial<ChangedPerson>
export type SignInLink = AnswerOf<'POST /people/{personID}/link'>

/** Who looks after a realm in the console. */
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
   * Invites somebody. The link of the answer works for seven days, and once. Not sent again by itself when the
   * answer is lost: look into the invitations, and withdraw what you don't know.
   *
   * @example
   * ```ts
   * const { link } = await realm.people.invite({ name: 'Ann', role: 'manager' })
   * ```
   */
  invite(invitation: NewInvitation): Promise<MadeInvitation> {
    return this.#transport.send({ method: 'POST', path: `${this.#base}/invitations`, body: invitation })
  }

  /**
   * The invitations that are open, the newest first.
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
   * Takes an invitation back: its link opens nothing any more.
   *
   * @example
   * ```ts
   * const { id } = await realm.people.invite({ name: 'Ben', role: 'viewer' })
   * await realm.people.withdraw(id)
   * ```
   */
  withdraw(invitationId: string): Promise<Withdrawn> {
    const path = `${this.#base}/invitations/${encodeURIComponent(invitationId)}`
    const doneBy = { code: 'invitation_not_found', value: { id: invitationId } }
    return this.#transport.send({ method: 'DELETE', path, doneBy })
  }

  /**
   * Gives a person another role, from within a second on.
   *
   * @example
   * ```ts
   * for await (const { id, role } of realm.people.list())
   *   if (role === 'manager') await realm.people.change(id, 'viewer')
   * ```
   */
  change(personId: string, role: Role): Promise<ChangedPerson> {
    return this.#transport.send({
      method: 'PATCH',
      path: this.#of(personId),
      body: { role },
      repeatable: true,
    })
  }

  /**
   * Takes a person's role away. What they did stays, with their name. The keys that they issued go on
   * working: `issuedKeys` lists them.
   *
   * @example
   * ```ts
   * for await (const { id, role } of realm.people.list()) if (role === 'viewer') await realm.people.remove(id)
   * for await (const { id } of realm.keys.orphaned()) await realm.keys.revoke(id)
   * ```
   */
  remove(personId: string): Promise<RemovedPerson> {
    const doneBy = { code: 'person_not_found', value: { id: personId } }
    return this.#transport.send({ method: 'DELETE', path: this.#of(personId), doneBy })
  }

  /**
   * A link for a person to sign in again. It works for one day, and once.
   *
   * @example
   * ```ts
   * for await (const { id, signsInBy } of realm.people.list())
   *   if (signsInBy === 'link') console.log(await realm.people.link(id))
   * ```
   */
  link(personId: string): Promise<SignInLink> {
    return this.#transport.send({ method: 'POST', path: `${this.#of(personId)}/link` })
  }

  #of(personId: string): string {
    return `${this.#base}/people/${encodeURIComponent(personId)}`
  }
}
