import { type Actor, installation, recordOnPeople } from '../audit/index.ts'
import type { Database } from '../db/database.ts'
import type { Queryable } from '../db/session.ts'
import { refuse } from '../errors.ts'
import { currentSecret, hashOf, type KeySecret, linkForm, numberOf } from '../keys/index.ts'
import {
  cancelInvitation,
  countOpen,
  type InvitationPage,
  type InvitationRow,
  insertInvitation,
  listInvitations,
  type NewInvitation,
  readInvitation,
} from './invitationStore.ts'
import { personName } from './person.ts'
import type { Role } from './roles.ts'
import { type FoundPerson, findPerson, rolesOf } from './store.ts'

/** How long an invitation is valid, and how long a link to sign in again. */
const invitedSeconds = 7 * 24 * 3600
const backSeconds = 24 * 3600
/** Open at once, per realm or for operators: so all of them can be listed. */
const openCap = 1_000

export type Invitation = {
  readonly id: string
  readonly name: string
  readonly email: string | null
  /** Null for an operator. */
  readonly role: Role | null
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly madeBy: string
}

/** With the secret of its link, which can't be retrieved again. */
export type InvitationWithToken = Invitation & { readonly token: string }

const invitationOf = (row: InvitationRow): Invitation => ({
  id: String(row.number),
  name: row.name,
  email: row.email,
  role: row.role,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  madeBy: row.made_by,
})

/** The realm of an invitation; `null` is for operators. */
export type Where = number | null

const subjectOf = (row: InvitationRow): string => `invitation ${row.number}, ${row.role ?? 'operator'}`

/** One-time links, for new people and for people to sign in again. */
export class Invitations {
  readonly #db: Database
  readonly #secrets: readonly KeySecret[]

  constructor(db: Database, secrets: readonly KeySecret[]) {
    this.#db = db
    this.#secrets = secrets
  }

  invite(
    where: Where,
    who: { readonly name: string; readonly email?: string | undefined; readonly role: Role | null },
    by: Actor,
  ): Promise<InvitationWithToken> {
    return this.#db.transaction(async (tx) => {
      if ((await countOpen(tx, where, openCap)) >= openCap) throw tooMany()
      const { name, email = null, role } = who
      const about = { realm: where, person: null, role, name, email, seconds: invitedSeconds }
      const { row, token } = await this.#insert(tx, about, by)
      await recordOnPeople(tx, by, {
        realm: where ?? installation,
        action: 'invitation.make',
        subject: subjectOf(row),
      })
      return { ...invitationOf(row), token }
    })
  }

  async of(where: Where, asked: InvitationPage): Promise<Invitation[]> {
    return (await listInvitations(this.#db, where, asked)).map(invitationOf)
  }

  async get(where: Where, id: string): Promise<Invitation> {
    const number = numberOf(id)
    const row = number === undefined ? undefined : await readInvitation(this.#db, where, number)
    if (!row) throw notFound(id)
    return invitationOf(row)
  }

  cancel(where: Where, id: string, by: Actor): Promise<Invitation> {
    return this.#db.transaction(async (tx) => {
      const number = numberOf(id)
      const row = number === undefined ? undefined : await cancelInvitation(tx, where, number)
      if (!row) throw notFound(id)
      const subject = subjectOf(row)
      await recordOnPeople(tx, by, { realm: where ?? installation, action: 'invitation.cancel', subject })
      return invitationOf(row)
    })
  }

  /** A link for a person to sign in again. An owner can create one only for people of their own realm. */
  linkFor(
    id: string,
    owner: { readonly realm: number } | undefined,
    by: Actor,
  ): Promise<{ token: string; expiresAt: Date }> {
    return this.#db.transaction(async (tx) => {
      const number = numberOf(id)
      const found = number === undefined ? undefined : await findPerson(tx, number)
      const own = !found || !owner || (await isOf(tx, found.person, owner.realm))
      if (!found || !own) throw refuse('person_not_found', `There is no person with the id ${id} here.`)
      if (owner && !(await isOnlyOf(tx, found, owner.realm))) throw notYours()
      const { person, name } = found
      const about = {
        realm: owner?.realm ?? null,
        person,
        role: null,
        name,
        email: null,
        seconds: backSeconds,
      }
      const { row, token } = await this.#insert(tx, about, by)
      const realm = owner?.realm ?? installation
      await recordOnPeople(tx, by, { realm, action: 'person.link', subject: personName(person) })
      return { token, expiresAt: row.expires_at }
    })
  }

  async #insert(
    tx: Queryable,
    about: Omit<NewInvitation, 'secretId' | 'hash' | 'madeBy' | 'madeByPerson'>,
    by: Actor,
  ): Promise<{ row: InvitationRow; token: string }> {
    const secret = currentSecret(this.#secrets)
    const token = linkForm.make()
    const maker = { madeBy: by.name, madeByPerson: by.behind ?? null }
    const made = { ...about, ...maker, secretId: secret.id, hash: hashOf(token, secret) }
    return { row: await insertInvitation(tx, made), token }
  }
}

async function isOf(tx: Queryable, person: number, realm: number): Promise<boolean> {
  return (await rolesOf(tx, person)).some((one) => one.realm === realm)
}

/**
 * Whether an owner of a realm may sign in as this person, which is what a link allows: only if it grants
 * nothing that the owner does not have already.
 */
export async function isOnlyOf(tx: Queryable, person: FoundPerson, realm: number): Promise<boolean> {
  if (person.operator || person.by_provider) return false
  const realms = await rolesOf(tx, person.person)
  return realms.length > 0 && realms.every((one) => one.realm === realm)
}

const notFound = (id: string) => refuse('invitation_not_found', `There is no open invitation ${id} here.`)

const tooMany = () =>
  refuse('invitation_limit', `${openCap} invitations are open here. Cancel one that is not needed.`, {
    limit: openCap,
  })

const notYours = () =>
  refuse(
    'forbidden',
    'This person signs in with the provider, or has rights beyond this realm. Ask the operator for a link.',
  )
