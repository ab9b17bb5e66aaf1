import type { Queryable } from '../db/session.ts'

export const statements = {
  /**
   * The next number of a person among a realm's keys: the next of the keys themselves where there is one
   * cell, and of a range of its own where keys are counted in other databases.
   */
  takeNumber: {
    name: 'people_take_number',
    text: `update realms r set next_key = r.next_key + 1 - o.more, next_person = r.next_person + o.more
      from (select count(*)::int as more from (select from cells where cell > 0 limit 1) c) o
      where r.realm = $1
      returning case when o.more = 1 then r.next_person - 1 else r.next_key - 1 end as number`,
  },
  /** The people behind numbers of a realm. */
  findByNumbers: {
    name: 'people_find_by_numbers',
    text: `select o.key, o.person, w.name from unnest($2::integer[]) as asked (key)
      cross join lateral (select key, person from roles where realm = $1 and key = asked.key limit 1) o
      cross join lateral (select name from people where person = o.person limit 1) w`,
  },
  findNames: {
    name: 'people_find_names',
    text: `select w.person, w.name from unnest($1::integer[]) as asked (person)
      cross join lateral (select person, name from people where person = asked.person limit 1) w`,
  },
} as const

/** For a person, whose entries need a number among the realm's keys too. */
export async function takeNumber(tx: Queryable, realm: number): Promise<number> {
  const { rows } = await tx.query<{ number: number }>(statements.takeNumber, [realm])
  const [row] = rows
  if (!row) throw new Error(`realm ${realm} is missing`)
  return row.number
}

export type NumberedPerson = { key: number; person: number; name: string | null }

export async function findByNumbers(
  db: Queryable,
  realm: number,
  numbers: readonly number[],
): Promise<NumberedPerson[]> {
  return (await db.query<NumberedPerson>(statements.findByNumbers, [realm, numbers])).rows
}

export async function findNames(
  db: Queryable,
  people: readonly number[],
): Promise<{ person: number; name: string | null }[]> {
  return (await db.query<{ person: number; name: string | null }>(statements.findNames, [people])).rows
}
