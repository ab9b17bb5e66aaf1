import type { Queryable } from '../db/session.ts'
import type { Role } from './roles.ts'
import type { NewSecret } from './sessionStore.ts'

const shown = 'number, realm, person, role, name, email, made_by, created_at, expires_at'

/** Open, and an invitation to something new: a link for someone to come back is none. */
const open = 'expires_at > now() and person is null'

export const statements = {
  insertInvitation: {
    name: 'invitations_insert',
    text: `insert into invitations (secret_id, hash, realm, person, role, name, email, made_by, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, now() + $9 * interval '1 second') returning ${shown}`,
  },
  /** By its link, once: whoever comes second waits, and finds it gone. */
  useInvitation: {
    name: 'invitations_use',
    text: `delete from invitations
      where hash = any ($1::bytea[]) and expires_at > now() returning ${shown}`,
  },
  /** All that are open for an address that a provider vouches for. */
  useByEmail: {
    name: 'invitations_use_by_email',
    text: `delete from invitations where number = any (array(select number from invitations
        where lower(email) = lower($1) and ${open} order by number limit 100)) returning ${shown}`,
  },
  listInvitations: {
    name: 'invitations_list',
    text: `select ${shown} from invitations where realm = $1 and ${open} order by number desc limit 1000`,
  },
  listForOperators: {
    name: 'invitations_list_for_operators',
    text: `select ${shown} from invitations where realm is null and ${open} order by number desc limit 1000`,
  },
  cancel: {
    name: 'invitations_cancel',
    text: `delete from invitations where number = $2
      and realm is not distinct from $1 and ${open} returning ${shown}`,
  },
  /** Links that were made for a person to come back. */
  cancelFor: {
    name: 'invitations_cancel_for',
    text: 'delete from invitations where person = $1',
  },
  sweep: {
    name: 'invitations_sweep',
    text: `delete from invitations where number = any (array(select number from invitations
      where expires_at < now() order by expires_at limit 100))`,
  },
} as const

export type InvitationRow = {
  number: bigint
  realm: number | null
  person: number | null
  role: Role | null
  name: string
  email: string | null
  made_by: string
  created_at: Date
  expires_at: Date
}

export type NewInvitation = NewSecret & {
  readonly realm: number | null
  readonly person: number | null
  readonly role: Role | null
  readonly name: string
  readonly email: string | null
  readonly madeBy: string
  readonly seconds: number
}

export async function insertInvitation(tx: Queryable, made: NewInvitation): Promise<InvitationRow> {
  await tx.query(statements.sweep)
  const { secretId, hash, realm, person, role, name, email, madeBy, seconds } = made
  const values = [secretId, hash, realm, person, role, name, email, madeBy, seconds]
  const [row] = (await tx.query<InvitationRow>(statements.insertInvitation, values)).rows
  if (!row) throw new Error('a new invitation was not stored')
  return row
}

export async function useInvitation(
  tx: Queryable,
  hashes: readonly Buffer[],
): Promise<InvitationRow | undefined> {
  return (await tx.query<InvitationRow>(statements.useInvitation, [hashes])).rows[0]
}

export async function useByEmail(tx: Queryable, email: string): Promise<InvitationRow[]> {
  return (await tx.query<InvitationRow>(statements.useByEmail, [email])).rows
}

/** Those of a realm, or with null those for operators. */
export async function listInvitations(db: Queryable, realm: number | null): Promise<InvitationRow[]> {
  if (realm === null) return (await db.query<InvitationRow>(statements.listForOperators)).rows
  return (await db.query<InvitationRow>(statements.listInvitations, [realm])).rows
}

export async function cancelInvitation(
  tx: Queryable,
  realm: number | null,
  number: number,
): Promise<InvitationRow | undefined> {
  return (await tx.query<InvitationRow>(statements.cancel, [realm, number])).rows[0]
}

export async function cancelLinksFor(tx: Queryable, person: number): Promise<void> {
  await tx.query(statements.cancelFor, [person])
}
