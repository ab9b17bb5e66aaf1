import type { Queryable } from '../db/session.ts'
import type { Role } from './roles.ts'

const listed = `w.person, w.name, w.email, w.issuer is not null as by_provider`

export const statements = {
  /** A person who signs in twice at once is stored once. */
  insertPerson: {
    name: 'people_insert',
    text: `insert into people (name, email, issuer, subject) values ($1, $2, $3, $4)
      on conflict on constraint people_identity_unique
        do update set name = excluded.name, email = excluded.email returning person`,
  },
  findIdentity: {
    name: 'people_find_identity',
    text: 'select person from people where issuer = $1 and subject = $2 for update',
  },
  /** Name and address according to the provider. */
  updatePerson: {
    name: 'people_update',
    text: `update people set name = $2, email = $3 where person = $1`,
  },
  see: {
    name: 'people_see',
    text: 'update people set seen_at = now(), operator = operator or $2 where person = $1',
  },
  erase: {
    name: 'people_erase',
    text: `update people set name = null, email = null, issuer = null, subject = null, operator = false
      where person = $1 and (name is not null or operator) returning person`,
  },
  eraseRoles: { name: 'people_erase_roles', text: 'update roles set role = null where person = $1' },
  findPerson: {
    name: 'people_find',
    text: `select w.person, w.name, w.email, w.operator, w.issuer is not null as by_provider
      from people w where w.person = $1 and w.name is not null`,
  },
  /** Locked: an erasure waits, and then finds the role that is granted now. */
  lockPerson: {
    name: 'people_lock',
    text: `select w.person, w.name, w.email, w.operator, w.issuer is not null as by_provider
      from people w where w.person = $1 and w.name is not null for update`,
  },
  listOperators: {
    name: 'people_list_operators',
    text: `select ${listed}, w.seen_at, w.created_at as added_at from people w where w.operator
      and w.person > $1 order by w.person limit $2`,
  },
  listPeople: {
    name: 'people_list',
    text: `select ${listed}, o.key, o.role, o.added_at, o.seen_at
      from (select person, key, role, added_at, seen_at from roles
        where realm = $1 and role is not null and person > $2 order by person limit $3) o
      cross join lateral (select * from people where person = o.person limit 1) w order by o.person`,
  },
  readHolder: {
    name: 'people_read_holder',
    text: `select ${listed}, o.key, o.role, o.added_at, o.seen_at
      from (select person, key, role, added_at, seen_at from roles
        where realm = $1 and person = $2 and role is not null limit 1) o
      cross join lateral (select * from people where person = o.person limit 1) w`,
  },
  readPerson: {
    name: 'people_read',
    text: `select ${listed}, w.seen_at, w.created_at as added_at from people w
      where w.person = $1 and w.name is not null`,
  },
  isKnown: { name: 'people_is_known', text: 'select person from people where person = $1' },
  /** Those of these people who may not issue keys of a realm any more: neither its owner nor an operator. */
  listFormerIssuers: {
    name: 'people_list_former_issuers',
    text: `select w.person, w.name, o.role from unnest($2::integer[]) as asked (person)
      cross join lateral (select person, name from people
        where person = asked.person and not operator limit 1) w
      left join lateral (select role from roles where realm = $1 and person = asked.person limit 1) o on true
      where o.role is distinct from 'owner'`,
  },
  /** Locked: concurrent changes wait. */
  lockRole: {
    name: 'people_lock_role',
    text: `select ${listed}, o.key, o.role, o.added_at, o.seen_at
      from (select person, key, role, added_at, seen_at from roles
        where realm = $1 and person = $2 and role is not null for update) o
      cross join lateral (select * from people where person = o.person limit 1) w`,
  },
  /** Locked: a change of the role waits, and then finds the key that is created for it now. */
  findSeat: {
    name: 'people_find_seat',
    text: 'select key, role from roles where realm = $1 and person = $2 for update',
  },
  insertRole: {
    name: 'people_insert_role',
    text: `insert into roles (realm, person, key, role) values ($1, $2, $3, $4)
      on conflict (realm, person) do nothing`,
  },
  /** When a person was last active in a realm; once a minute is enough. */
  seeIn: {
    name: 'people_see_in',
    text: `update roles set seen_at = now() where realm = $1 and person = $2
      and (seen_at is null or seen_at < now() - interval '1 minute')`,
  },
  setRole: {
    name: 'people_set_role',
    text: 'update roles set role = $3 where realm = $1 and person = $2',
  },
  /** The realms that a person has a role in, with their ids and names. */
  rolesOf: {
    name: 'people_roles_of',
    text: `select o.realm, o.role, r.id, r.name from (select realm, role from roles
        where person = $1 and role is not null order by realm limit 1000) o
      cross join lateral (select id, coalesce(name, id) as name from realms
        where realm = o.realm limit 1) r order by o.realm`,
  },
  /** All realms that a person was ever in. */
  seatsOf: {
    name: 'people_seats_of',
    text: 'select realm from roles where person = $1 order by realm limit 10000',
  },
} as const

export type ListedPerson = {
  person: number
  name: string | null
  email: string | null
  by_provider: boolean
  seen_at: Date | null
  added_at: Date
}
export type RoleRow = ListedPerson & { key: number; role: Role }

export type NewPerson = {
  readonly name: string
  readonly email: string | null
  readonly identity?: { readonly issuer: string; readonly subject: string } | undefined
}

export async function insertPerson(tx: Queryable, made: NewPerson): Promise<number> {
  const { name, email, identity } = made
  const values = [name, email, identity?.issuer ?? null, identity?.subject ?? null]
  const [row] = (await tx.query<{ person: number }>(statements.insertPerson, values)).rows
  if (!row) throw new Error('a new person was not stored')
  return row.person
}

export async function findIdentity(
  tx: Queryable,
  { issuer, subject }: { readonly issuer: string; readonly subject: string },
): Promise<number | undefined> {
  return (await tx.query<{ person: number }>(statements.findIdentity, [issuer, subject])).rows[0]?.person
}

export async function updatePerson(
  tx: Queryable,
  person: number,
  { name, email }: Pick<NewPerson, 'name' | 'email'>,
): Promise<void> {
  await tx.query(statements.updatePerson, [person, name, email])
}

/** Stores that a person signed in, and, with `operator`, that they are an operator from now on. */
export async function see(tx: Queryable, person: number, operator: boolean): Promise<void> {
  await tx.query(statements.see, [person, operator])
}

export async function erase(tx: Queryable, person: number): Promise<boolean> {
  const { count } = await tx.query(statements.erase, [person])
  if (count > 0) await tx.query(statements.eraseRoles, [person])
  return count > 0
}

export type FoundPerson = {
  person: number
  name: string
  email: string | null
  operator: boolean
  by_provider: boolean
}

export async function findPerson(db: Queryable, person: number): Promise<FoundPerson | undefined> {
  return (await db.query<FoundPerson>(statements.findPerson, [person])).rows[0]
}

export async function lockPerson(tx: Queryable, person: number): Promise<FoundPerson | undefined> {
  return (await tx.query<FoundPerson>(statements.lockPerson, [person])).rows[0]
}

/** A page of people: those after this one. */
export type PeoplePage = { readonly after: number; readonly limit: number }

export async function listOperators(db: Queryable, { after, limit }: PeoplePage): Promise<ListedPerson[]> {
  return (await db.query<ListedPerson>(statements.listOperators, [after, limit])).rows
}

export async function listPeople(
  db: Queryable,
  realm: number,
  { after, limit }: PeoplePage,
): Promise<RoleRow[]> {
  return (await db.query<RoleRow>(statements.listPeople, [realm, after, limit])).rows
}

export type FormerIssuer = { person: number; name: string | null; role: Role | null }

export async function listFormerIssuers(
  db: Queryable,
  realm: number,
  people: readonly number[],
): Promise<FormerIssuer[]> {
  return (await db.query<FormerIssuer>(statements.listFormerIssuers, [realm, people])).rows
}

export async function readHolder(db: Queryable, realm: number, person: number): Promise<RoleRow | undefined> {
  return (await db.query<RoleRow>(statements.readHolder, [realm, person])).rows[0]
}

export async function readPerson(db: Queryable, person: number): Promise<ListedPerson | undefined> {
  return (await db.query<ListedPerson>(statements.readPerson, [person])).rows[0]
}

/** Whether the person exists, or existed before an erasure. */
export async function isKnown(db: Queryable, person: number): Promise<boolean> {
  return (await db.query(statements.isKnown, [person])).rows.length > 0
}

export async function lockRole(tx: Queryable, realm: number, person: number): Promise<RoleRow | undefined> {
  return (await tx.query<RoleRow>(statements.lockRole, [realm, person])).rows[0]
}

export type Seat = { key: number; role: Role | null }

export async function findSeat(db: Queryable, realm: number, person: number): Promise<Seat | undefined> {
  return (await db.query<Seat>(statements.findSeat, [realm, person])).rows[0]
}

type NewRole = {
  readonly realm: number
  readonly person: number
  readonly key: number
  readonly role: Role | null
}

export async function insertRole(tx: Queryable, { realm, person, key, role }: NewRole): Promise<void> {
  await tx.query(statements.insertRole, [realm, person, key, role])
}

export async function setRole(tx: Queryable, { realm, person, role }: Omit<NewRole, 'key'>): Promise<void> {
  await tx.query(statements.setRole, [realm, person, role])
}

export type RealmRole = { realm: number; role: Role; id: string; name: string }

export async function rolesOf(db: Queryable, person: number): Promise<RealmRole[]> {
  return (await db.query<RealmRole>(statements.rolesOf, [person])).rows
}

export async function seatsOf(tx: Queryable, person: number): Promise<number[]> {
  return (await tx.query<{ realm: number }>(statements.seatsOf, [person])).rows.map(({ realm }) => realm)
}

/** Stores that a person was active in a realm. */
export async function seeIn(tx: Queryable, realm: number, person: number): Promise<void> {
  await tx.query(statements.seeIn, [realm, person])
}
