import type { Queryable } from '../db/session.ts'
import { type LimitSetting, settingOf } from '../limits/index.ts'
import { type ListItem, listedOf } from './listed.ts'
import { movesOf } from './moves.ts'
import { type KeyRow, listMadeBy, listMadeByPeople, listMadeIn } from './store.ts'

/** A key as it is listed. */
export type Key = ListItem & {
  readonly scopes: readonly string[] | null
  readonly rateLimit: LimitSetting
  /** The most points that it may move; null for no limit. */
  readonly maxPerChange: number | null
  readonly maxPerDay: number | null
}

export function keyOf(row: KeyRow): Key {
  const { maxPerChange, maxPerDay } = movesOf(row)
  return {
    ...listedOf(row),
    scopes: row.scopes,
    rateLimit: settingOf(row),
    maxPerChange: maxPerChange === null ? null : Number(maxPerChange),
    maxPerDay: maxPerDay === null ? null : Number(maxPerDay),
  }
}

/** The active keys of a realm that a person issued, directly or through their keys. */
export async function keysMadeIn(tx: Queryable, person: number, realm: number): Promise<Key[]> {
  return (await listMadeIn(tx, person, realm)).map(keyOf)
}

export type KeyOfPerson = { readonly person: number; readonly key: Key }

/** The active keys of a realm with the person who issued each, directly or through their keys. */
export async function keysMadeByPeople(db: Queryable, realm: number): Promise<KeyOfPerson[]> {
  const rows = await listMadeByPeople(db, realm)
  return rows.map((row) => ({ person: row.made_by_person, key: keyOf(row) }))
}

export type KeyOfRealm = Key & { readonly realmId: string }

/** The active keys of all realms that a person issued, directly or through their keys. */
export async function keysMadeBy(tx: Queryable, person: number): Promise<KeyOfRealm[]> {
  return (await listMadeBy(tx, person)).map((row) => ({ realmId: row.realm_id, ...keyOf(row) }))
}
