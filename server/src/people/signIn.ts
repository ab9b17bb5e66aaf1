import { type Actor, installation, record } from '../audit/audit.ts'
import type { Database } from '../db/database.ts'
import type { Queryable } from '../db/session.ts'
import { type Refused, refuse } from '../errors.ts'
import { hashOf, type KeySecret, linkForm, takeKeyNumber } from '../keys/keys.ts'
import { type InvitationRow, useByEmail, useInvitation } from './invitationStore.ts'
import { isOnlyOf } from './invitations.ts'
import { personName } from './person.ts'
import { type Identity, SignInFailed } from './provider.ts'
import { changeKeys } from './sessionStore.ts'
import type { Sessions } from './sessions.ts'
import {
  findIdentity,
  findPerson,
  findSeat,
  insertPerson,
  insertRole,
  see,
  setRole,
  updatePerson,
} from './store.ts'

type SignInOptions = {
  readonly db: Database
  readonly secrets: readonly KeySecret[]
  readonly sessions: Sessions
}

/** The two ways in. Each returns the text of a new session. */
export class SignIn {
  readonly #db: Database
  readonly #secrets: readonly KeySecret[]
  readonly #sessions: Sessions

  constructor({ db, secrets, sessions }: SignInOptions) {
    this.#db = db
    this.#secrets = secrets
    this.#sessions = sessions
  }

  /**
   * By a one-time link. An invitation always makes somebody new: the address that stands in it was never
   * proven, and must not lead to anybody who is there already.
   */
  async byLink(token: string, by: Actor): Promise<string> {
    if (!linkForm.fits(token)) throw notValid()
    const hashes = this.#secrets.map((secret) => hashOf(token, secret))
    return this.#db.transaction(async (tx) => {
      const row = await useInvitation(tx, hashes)
      if (!row) throw notValid()
      const person = row.person === null ? await welcome(tx, row, by) : await comeBack(tx, row)
      return this.#sessions.start(tx, person, { by, means: 'link' })
    })
  }

  /** By the provider: somebody who was here before, or was invited at an address that it vouches for. */
  async byProvider(identity: Identity, by: Actor): Promise<string> {
    const { email, name } = identity
    return this.#db.transaction(async (tx) => {
      // First, so that whoever signs in twice at once waits here, and is found then.
      const invited = email === null ? [] : await useByEmail(tx, email)
      const known = await findIdentity(tx, identity)
      if (known === undefined && invited.length === 0)
        throw new SignInFailed(email === null ? 'unverified' : 'uninvited')
      const person = known ?? (await insertPerson(tx, { name, email, identity }))
      if (known !== undefined) await updatePerson(tx, known, { name, email })
      await see(tx, person, false)
      for (const row of invited) await take(tx, { row, person, by })
      return this.#sessions.start(tx, person, { by, means: 'provider' })
    })
  }
}

async function welcome(tx: Queryable, row: InvitationRow, by: Actor): Promise<number> {
  const person = await insertPerson(tx, { name: row.name, email: row.email })
  await see(tx, person, false)
  await take(tx, { row, person, by })
  return person
}

async function comeBack(tx: Queryable, row: InvitationRow): Promise<number> {
  const found = row.person === null ? undefined : await findPerson(tx, row.person)
  if (!found || (row.realm !== null && !(await isOnlyOf(tx, found, row.realm)))) throw notValid()
  await see(tx, found.person, false)
  return found.person
}

type Taking = { readonly row: InvitationRow; readonly person: number; readonly by: Actor }

/** Gives what an invitation promises. A role that is there already stays. */
async function take(tx: Queryable, { row, person, by }: Taking): Promise<void> {
  const { realm, role } = row
  const actor = { ...by, name: personName(person), person }
  if (realm === null) {
    await see(tx, person, true)
    const subject = `${personName(person)}, operator`
    await record(tx, actor, { realm: installation, action: 'person.join', subject })
    return
  }
  const seat = await findSeat(tx, realm, person)
  if (!seat) await insertRole(tx, { realm, person, key: await takeKeyNumber(tx, realm), role })
  else if (seat.role === null) await setRole(tx, { realm, person, role })
  await changeKeys(tx, person, realm)
  await record(tx, actor, { realm, action: 'person.join', subject: `${personName(person)}, ${role}` })
}

const notValid = (): Refused =>
  refuse('link_not_valid', 'This link was used already, has expired, or is not whole. Ask for a new one.')
