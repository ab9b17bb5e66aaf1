import type { Queryable } from '../db/session.ts'
import type { Role } from './roles.ts'
import type { NewSecret } from './sessionStore.ts'

const shown = 'number, realm, person, role, name, email, made_by, created_at, expires_at'

/** Open, and an invitation to something new: not a link to sign in again. */
const open = 'expires_at > now() and person is null'

/** Open for an address ($1) that a provider has verified. */
const received = `lower(email) = lower($1) and ${open} and declined_at is null`

export const statements = {
  insertInvitation: {
    name: 'invitations_insert',
    text: `insert into invitations (secret_id, hash, realm, person, role, name, email, made_by,
        made_by_person, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + $10 * interval '1 second') returning ${shown}`,
  },
  /** By its link, once: a concurrent second use waits, and finds it gone. */
  useInvitation: {
    name: 'invitations_use',
    text: `delete from invitations
      where hash = any ($1::bytea[]) and expires_at > now() returning ${shown}`,
  },
  /** What an address is invited to, the newest invitation for each realm. */
  listReceived: {
    name: 'invitations_received',
    text: `select i.*, r.id as realm_id, r.name as realm_name
      from (select distinct on (realm) number, realm, role, expires_at
        from invitations where ${received} order by realm, number desc limit 1000) i
      left join lateral (select id, coalesce(name, id) as name from realms
        where realm = i.realm limit 1) r on true order by i.number`,
  },
  /** Locked: a second answer to the same invitation waits. */
  lockReceived: {
    name: 'invitations_lock_received',
    text: `select ${shown} from invitations where number = $2 and ${received} for update`,
  },
  /** Together with the others to the same address and realm. */
  accept: {
    name: 'invitations_accept',
    text: `delete from invitations where lower(email) = lower($1) and ${open}
      and realm is not distinct from $2`,
  },
  decline: {
    name: 'invitations_decline',
    text: `update invitations set declined_at = now() where ${received} and realm is not distinct from $2`,
  },
  listInvitations: {
    name: 'invitations_list',
    text: `select ${shown} from invitations where realm = $1 and ${open} and number < $2
      order by number desc limit $3`,
  },
  listForOperators: {
    name: 'invitations_list_for_operators',
    text: `select ${shown} from invitations where realm is null and ${open} and number < $1
      order by number desc limit $2`,
  },
  read: {
    name: 'invitations_read',
    text: `select ${shown} from invitations where number = $2
      and realm is not distinct from $1 and ${open}`,
  },
  cancel: {
    name: 'invitations_cancel',
    text: `delete from invitations where number = $2
      and realm is not distinct from $1 and ${open} returning ${shown}`,
  },
  /** Links for a person to sign in again. */
  cancelFor: {
    name: 'invitations_cancel_for',
    text: 'delete from invitations where person = $1',
  },
  /** What a person created in a realm, including links to sign in again. */
  cancelMadeIn: {
    name: 'invitations_cancel_made_in',
    text: 'delete from invitations where made_by_person = $1 and realm = $2 returning number',
  },
  cancelMadeBy: {
    name: 'invitations_cancel_made_by',
    text: 'delete from invitations where made_by_person = $1 returning number',
  },
  countOpen: {
    name: 'invitations_count',
    text: `select count(*)::int as count from (select 1 from invitations where realm = $1 and ${open}
      limit $2) i`,
  },
  countForOperators: {
    name: 'invitations_count_for_operators',
    text: `select count(*)::int as count from (select 1 from invitations where realm is null and ${open}
      limit $1) i`,
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
  readonly madeByPerson: number | null
  readonly seconds: number
}

export async function insertInvitation(tx: Queryable, made: NewInvitation): Promise<InvitationRow> {
  await tx.query(statements.sweep)
  const { secretId, hash, realm, person, role, name, email, madeBy, madeByPerson, seconds } = made
  const values = [secretId, hash, realm, person, role, name, email, madeBy, madeByPerson, seconds]
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

export type ReceivedRow = Pick<InvitationRow, 'number' | 'realm' | 'role' | 'expires_at'> & {
  realm_id: string | null
  realm_name: string | null
}

export async function listReceived(db: Queryable, email: string): Promise<ReceivedRow[]> {
  return (await db.query<ReceivedRow>(statements.listReceived, [email])).rows
}

export async function lockReceived(
  tx: Queryable,
  email: string,
  number: number,
): Promise<InvitationRow | undefined> {
  return (await tx.query<InvitationRow>(statements.lockReceived, [email, number])).rows[0]
}

export async function acceptReceived(tx: Queryable, email: string, realm: number | null): Promise<void> {
  await tx.query(statements.accept, [email, realm])
}

export async function declineReceived(tx: Queryable, email: string, realm: number | null): Promise<void> {
  await tx.query(statements.decline, [email, realm])
}

/** A page of invitations, newest first: those below a number. */
export type InvitationPage = { readonly below: number | undefined; readonly limit: number }

/** Those of a realm, or with null those for operators. */
export async function listInvitations(
  db: Queryable,
  realm: number | null,
  { below, limit }: InvitationPage,
): Promise<InvitationRow[]> {
  const page = [below ?? Number.MAX_SAFE_INTEGER, limit]
  if (realm === null) return (await db.query<InvitationRow>(statements.listForOperators, page)).rows
  return (await db.query<InvitationRow>(statements.listInvitations, [realm, ...page])).rows
}

export async function readInvitation(
  db: Queryable,
  realm: number | null,
  number: number,
): Promise<InvitationRow | undefined> {
  return (await db.query<InvitationRow>(statements.read, [realm, number])).rows[0]
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

/** Cancels what a person has created, in one realm or everywhere; returns how many. */
export async function cancelMadeBy(tx: Queryable, person: number, realm?: number): Promise<number> {
  if (realm === undefined) return (await tx.query(statements.cancelMadeBy, [person])).count
  return (await tx.query(statements.cancelMadeIn, [person, realm])).count
}

/** How many are open in a realm, or with null for operators, counted up to a cap. */
export async function countOpen(tx: Queryable, realm: number | null, cap: number): Promise<number> {
  const { rows } =
    realm === null
      ? await tx.query<{ count: number }>(statements.countForOperators, [cap])
      : await tx.query<{ count: number }>(statements.countOpen, [realm, cap])
  return rows[0]?.count ?? 0
}
