import { type Actor, installation, record, recordOnPeople } from '../audit/index.ts'
import type { Directory } from '../cells/index.ts'
import type { Database } from '../db/database.ts'
import { bind, bindPresent } from '../db/rowSecurity.ts'
import type { Queryable } from '../db/session.ts'
import { refuse } from '../errors.ts'
import {
  type Key,
  type KeyOfRealm,
  keysMadeBy,
  keysMadeByPeople,
  keysMadeIn,
  type ListItem as ListedToken,
  numberOf,
} from '../keys/index.ts'
import { forgetLinksMadeBy, listLinkRealms } from '../web3/proofs/index.ts'
import { cancelLinksFor, cancelMadeBy } from './invitationStore.ts'
import { findByNumbers, findNames } from './numberStore.ts'
import { tokensMadeBy } from './operators.ts'
import { type Person, personName } from './person.ts'
import { type Role, roles } from './roles.ts'
import { changeKeys, endSessionsOf } from './sessionStore.ts'
import {
  erase,
  isKnown,
  type ListedPerson,
  listFormerIssuers,
  listOperators,
  listPeople,
  lockRole,
  type PeoplePage,
  type RoleRow,
  readHolder,
  readPerson,
  seatsOf,
  setRole,
} from './store.ts'

export { checkSessionKeys, checkSessionTokens } from './check.ts'
export { type Invitation, Invitations } from './invitations.ts'
export { openChecks, storeUseEverySeconds } from './openChecks.ts'
export { checkOperators, type Operator, type OperatorCheck, Operators, root } from './operators.ts'
export { Provider, type ProviderSettings, SignInFailed } from './provider.ts'
export { type ReceivedInvitation, ReceivedInvitations } from './received.ts'
export { type Role, roles } from './roles.ts'
export { Seal } from './seal.ts'
export { countSecretUses } from './secretStore.ts'
export { Sessions, type SessionTimes, type SignedIn } from './sessions.ts'
export { SignIn } from './signIn.ts'

export type PersonListing = Person & {
  readonly signsInBy: 'provider' | 'link'
  readonly addedAt: Date
  readonly lastSeenAt: Date | null
}

/** A person with a role in a realm; entries name them by `keyId`. */
export type Holder = PersonListing & { readonly role: Role; readonly keyId: string }

const listedOf = (row: ListedPerson): PersonListing => ({
  id: String(row.person),
  name: row.name,
  email: row.email,
  signsInBy: row.by_provider ? 'provider' : 'link',
  addedAt: row.added_at,
  lastSeenAt: row.seen_at,
})

const holderOf = (row: RoleRow): Holder => ({ ...listedOf(row), role: row.role, keyId: String(row.key) })

/** With the active keys that they issued here: those keep working until they are revoked. */
export type PersonChange = Holder & { readonly issuedKeys: readonly Key[] }

/** The active keys and tokens that a person issued. */
export type IssuedCredentials = {
  readonly keys: readonly KeyOfRealm[]
  readonly tokens: readonly ListedToken[]
}

/** An active key whose issuer may not issue keys any more; `role` is null if removed or erased. */
export type OrphanedKey = Key & {
  readonly issuer: { readonly id: string; readonly name: string | null; readonly role: Role | null }
}

/** A person in a realm, by id. */
export type PersonIn = { readonly realm: number; readonly id: string }

/** The team members of realms, and the operators. */
export class People {
  readonly #db: Database
  /** The cell's own database, with the keys and links that people created. */
  readonly #own: Database

  constructor({ db, own }: Pick<Directory, 'db' | 'own'>) {
    this.#db = db
    this.#own = own
  }

  /** The names of people, by their numbers; an erased person has none. */
  async names(people: readonly number[]): Promise<ReadonlyMap<number, string | null>> {
    return new Map((await findNames(this.#db, people)).map(({ person, name }) => [person, name]))
  }

  /** The people that a realm's entries name by their numbers among its keys. */
  async byNumbers(realm: number, numbers: readonly number[]) {
    const rows = await findByNumbers(this.#db, realm, numbers)
    return new Map(rows.map(({ key, person, name }) => [key, { id: String(person), name }]))
  }

  async of(realm: number, asked: PeoplePage): Promise<Holder[]> {
    return (await listPeople(this.#db, realm, asked)).map(holderOf)
  }

  async get({ realm, id }: PersonIn): Promise<Holder> {
    const person = numberOf(id)
    const row = person === undefined ? undefined : await readHolder(this.#db, realm, person)
    if (!row) throw noPerson(id)
    return holderOf(row)
  }

  /** Any person who is not erased. */
  async person(id: string): Promise<PersonListing> {
    const person = numberOf(id)
    const row = person === undefined ? undefined : await readPerson(this.#db, person)
    if (!row) throw noPerson(id)
    return listedOf(row)
  }

  /** The active keys and tokens that a person issued, also an erased person. */
  async issuedBy(id: string): Promise<IssuedCredentials> {
    const person = numberOf(id)
    if (person === undefined || !(await isKnown(this.#db, person))) throw noPerson(id)
    return { keys: await keysMadeBy(this.#own, person), tokens: await tokensMadeBy(this.#db, person) }
  }

  async operators(asked: PeoplePage): Promise<PersonListing[]> {
    return (await listOperators(this.#db, asked)).map(listedOf)
  }

  /** Active keys issued here by people who were removed, demoted or erased. */
  async orphanedKeys(realm: number): Promise<OrphanedKey[]> {
    const made = await keysMadeByPeople(this.#own, realm)
    const people = [...new Set(made.map(({ person }) => person))]
    const former = await listFormerIssuers(this.#db, realm, people)
    const issuers = new Map(
      former.map(({ person, name, role }) => [person, { id: String(person), name, role }]),
    )
    return made.flatMap(({ person, key }) => {
      const issuer = issuers.get(person)
      return issuer ? [{ ...key, issuer }] : []
    })
  }

  /** A lower role cancels the invitations and links that the person created here. */
  changeRole(name: PersonIn, role: Role, by: Actor): Promise<PersonChange> {
    return this.#set(name, role, by)
  }

  /**
   * Removes a role, and cancels the person's invitations and links. Their entries stay and keep naming them.
   */
  async remove(name: PersonIn, by: Actor): Promise<void> {
    await this.#set(name, null, by)
  }

  /** Erases a person: no name, no address, no way to sign in. */
  async erase(id: string, by: Actor): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const person = numberOf(id)
      if (person === undefined || !(await erase(tx, person))) throw noPerson(id)
      await cancelLinksFor(tx, person)
      await cancelMadeBy(tx, person)
      await this.#forgetLinks(tx, await seatsOf(tx, person), person)
      await endSessionsOf(tx, person)
      await record(tx, by, { realm: installation, action: 'person.erase', subject: personName(person) })
    })
  }

  /** Those in other cells end by themselves. */
  async #forgetLinks(tx: Queryable, realms: readonly number[], person: number): Promise<void> {
    const forget = async (own: Queryable) => {
      await bind(own, realms)
      const { tx: bound, realms: here } = await bindPresent(own, await listLinkRealms(own, realms, person))
      await forgetLinksMadeBy(bound, here, person)
    }
    await (this.#own === this.#db ? forget(tx) : this.#own.transaction(forget))
  }

  #set({ realm, id }: PersonIn, role: Role | null, by: Actor): Promise<PersonChange> {
    return this.#db.transaction(async (tx) => {
      const person = numberOf(id)
      const row = person === undefined ? undefined : await lockRole(tx, realm, person)
      if (!row) throw noPerson(id)
      await setRole(tx, { realm, person: row.person, role })
      await changeKeys(tx, row.person, realm)
      if (isLower(role, row.role)) {
        await cancelMadeBy(tx, row.person, realm)
        await this.#forgetLinks(tx, [realm], row.person)
      }
      const subject = `${personName(row.person)}, ${row.role} to ${role ?? 'none'}`
      await recordOnPeople(tx, by, { realm, action: role ? 'person.change' : 'person.remove', subject })
      const issuedKeys = await keysMadeIn(this.#own === this.#db ? tx : this.#own, row.person, realm)
      return { ...holderOf({ ...row, role: role ?? row.role }), issuedKeys }
    })
  }
}

const isLower = (role: Role | null, than: Role): boolean =>
  role === null || roles.indexOf(role) > roles.indexOf(than)

export const noPerson = (id: string) =>
  refuse('person_not_found', `There is no person with the id ${id} here who can sign in.`)
