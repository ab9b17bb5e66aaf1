import type { Actor } from '../audit/index.ts'
import type { Database } from '../db/database.ts'
import type { Queryable } from '../db/session.ts'
import { type RefusalError, refuse } from '../errors.ts'
import { hashOf, type KeySecret, linkForm } from '../keys/index.ts'
import { type InvitationRow, listReceived, useInvitation } from './invitationStore.ts'
import { isOnlyOf } from './invitations.ts'
import { join } from './joining.ts'
import { type Identity, SignInFailed } from './provider.ts'
import type { Sessions } from './sessions.ts'
import { findIdentity, findPerson, insertPerson, see, updatePerson } from './store.ts'

type SignInOptions = {
  readonly db: Database
  readonly secrets: readonly KeySecret[]
  readonly sessions: Sessions
}

/** The two ways to sign in. Each returns the secret of a new session. */
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
   * By a one-time link. An invitation always creates a new person: the address in it was never verified, and
   * must not lead to an existing person.
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

  /**
   * By the provider: a known person, or one invited at an address that the provider has verified. An
   * invitation takes effect once they accept it.
   */
  async byProvider(identity: Identity, by: Actor): Promise<string> {
    const { email, name } = identity
    return this.#db.transaction(async (tx) => {
      const known = await findIdentity(tx, identity)
      const isInvited = email !== null && (await listReceived(tx, email)).length > 0
      if (known === undefined && !isInvited)
        throw new SignInFailed(email === null ? 'unverified' : 'uninvited')
      const person = known ?? (await insertPerson(tx, { name, email, identity }))
      if (known !== undefined) await updatePerson(tx, known, { name, email })
      await see(tx, person, false)
      return this.#sessions.start(tx, person, { by, means: 'provider' })
    })
  }
}

async function welcome(tx: Queryable, row: InvitationRow, by: Actor): Promise<number> {
  const person = await insertPerson(tx, { name: row.name, email: row.email })
  await see(tx, person, false)
  await join(tx, { row, person, by })
  return person
}

async function comeBack(tx: Queryable, row: InvitationRow): Promise<number> {
  const found = row.person === null ? undefined : await findPerson(tx, row.person)
  if (!found || (row.realm !== null && !(await isOnlyOf(tx, found, row.realm)))) throw notValid()
  await see(tx, found.person, false)
  return found.person
}

const notValid = (): RefusalError =>
  refuse('link_not_valid', 'This link was already used, has expired, or is incomplete. Ask for a new one.')
