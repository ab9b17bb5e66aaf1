import { type Actor, installation, record } from '../audit/audit.ts'
import type { Database } from '../db/database.ts'
import { refuse } from '../errors.ts'
import { numberOf } from '../keys/keys.ts'
import { cancelLinksFor } from './invitationStore.ts'
import { type Person, personName } from './person.ts'
import type { Role } from './roles.ts'
import { changeKeys, endSessionsOf } from './sessionStore.ts'
import {
  erase,
  type ListedPerson,
  listOperators,
  listPeople,
  lockRole,
  type RoleRow,
  setRole,
} from './store.ts'

export { checkSessionKeys, checkSessionTokens } from './check.ts'
export { type Invitation, Invitations } from './invitations.ts'
export { Provider, type ProviderSettings, SignInFailed } from './provider.ts'
export { type Role, roles } from './roles.ts'
export { Seal } from './seal.ts'
export { Sessions, type SessionTimes, type SignedIn } from './sessions.ts'
export { SignIn } from './signIn.ts'

export type Listed = Person & {
  readonly signsInBy: 'provider' | 'link'
  readonly addedAt: Date
  readonly lastSeenAt: Date | null
}

/** Someone with a role in a realm; entries name them by `keyId`. */
export type Holder = Listed & { readonly role: Role; readonly keyId: string }

const listedOf = (row: ListedPerson): Listed => ({
  id: String(row.person),
  name: row.name,
  email: row.email,
  signsInBy: row.by_provider ? 'provider' : 'link',
  addedAt: row.added_at,
  lastSeenAt: row.seen_at,
})

const holderOf = (row: RoleRow): Holder => ({ ...listedOf(row), role: row.role, keyId: String(row.key) })

/** A person, as somebody asks for one. */
export type PersonIn = { readonly realm: number; readonly id: string }

/** The people who look after realms, and those above them. */
export class People {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async of(realm: number): Promise<Holder[]> {
    return (await listPeople(this.#db, realm)).map(holderOf)
  }

  async operators(): Promise<Listed[]> {
    return (await listOperators(this.#db)).map(listedOf)
  }

  changeRole(name: PersonIn, role: Role, by: Actor): Promise<Holder> {
    return this.#set(name, role, by)
  }

  /** Takes a role away. What the person did stays, and goes on naming them. */
  remove(name: PersonIn, by: Actor): Promise<Holder> {
    return this.#set(name, null, by)
  }

  /** Forgets a person: no name, no address, no way to sign in. */
  erase(id: string, by: Actor): Promise<void> {
    return this.#db.transaction(async (tx) => {
      const person = numberOf(id)
      if (person === undefined || !(await erase(tx, person))) throw noPerson(id)
      await cancelLinksFor(tx, person)
      await endSessionsOf(tx, person)
      await record(tx, by, { realm: installation, action: 'person.erase', subject: personName(person) })
    })
  }

  #set({ realm, id }: PersonIn, role: Role | null, by: Actor): Promise<Holder> {
    return this.#db.transaction(async (tx) => {
      const person = numberOf(id)
      const row = person === undefined ? undefined : await lockRole(tx, realm, person)
      if (!row) throw noPerson(id)
      await setRole(tx, { realm, person: row.person, role })
      await changeKeys(tx, row.person, realm)
      const subject = `${personName(row.person)}, ${row.role} to ${role ?? 'none'}`
      await record(tx, by, { realm, action: role ? 'person.change' : 'person.remove', subject })
      return holderOf({ ...row, role: role ?? row.role })
    })
  }
}

export const noPerson = (id: string) =>
  refuse('person_not_found', `There is nobody with the id ${id} here who can sign in.`)
