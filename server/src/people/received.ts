import { type Actor, installation, record } from '../audit/index.ts'
import type { Database } from '../db/database.ts'
import type { Queryable } from '../db/session.ts'
import { refuse } from '../errors.ts'
import { numberOf } from '../keys/index.ts'
import {
  acceptReceived,
  declineReceived,
  type InvitationRow,
  listReceived,
  lockReceived,
  type ReceivedRow,
} from './invitationStore.ts'
import { join } from './joining.ts'
import { personName } from './person.ts'
import type { Role } from './roles.ts'
import type { SignedIn } from './sessions.ts'
import { lockPerson } from './store.ts'

/** An invitation as the invited person sees it; without a realm and a role it is for operators. */
export type ReceivedInvitation = {
  readonly id: string
  readonly realm: { readonly id: string; readonly name: string } | null
  readonly role: Role | null
  readonly expiresAt: Date
}

type Answered = { readonly email: string; readonly row: InvitationRow }

/**
 * Invitations to the address that a provider has verified. A realm learns nothing of the person until they
 * accept, and nothing when they decline.
 */
export class ReceivedInvitations {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async of({ provenEmail }: SignedIn): Promise<ReceivedInvitation[]> {
    if (provenEmail === null) return []
    const rows = await listReceived(this.#db, provenEmail)
    return rows.map((row) => ({
      id: String(row.number),
      realm: realmOf(row),
      role: row.role,
      expiresAt: row.expires_at,
    }))
  }

  accept({ person }: SignedIn, id: string, by: Actor): Promise<void> {
    return this.#db.transaction(async (tx) => {
      const { email, row } = await lock(tx, person, id)
      await acceptReceived(tx, email, row.realm)
      await join(tx, { row, person, by })
    })
  }

  /** Recorded only for the installation: the realm's owners read the realm's log. */
  decline({ person }: SignedIn, id: string, by: Actor): Promise<void> {
    return this.#db.transaction(async (tx) => {
      const { email, row } = await lock(tx, person, id)
      await declineReceived(tx, email, row.realm)
      const subject = `invitation ${row.number}, ${row.role ?? 'operator'}`
      await record(
        tx,
        { ...by, name: personName(person), person },
        {
          realm: installation,
          action: 'invitation.decline',
          subject,
        },
      )
    })
  }
}

const realmOf = ({ realm, realm_id: id, realm_name: name }: ReceivedRow) =>
  realm === null || id === null ? null : { id, name: name ?? id }

async function lock(tx: Queryable, person: number, id: string): Promise<Answered> {
  const number = numberOf(id)
  const found = await lockPerson(tx, person)
  // The address of a person who signs in by link was never verified.
  const email = found?.by_provider ? found.email : null
  const row = number === undefined || email === null ? undefined : await lockReceived(tx, email, number)
  if (!row || email === null) throw refuse('invitation_not_found', `You have no open invitation ${id}.`)
  return { email, row }
}
