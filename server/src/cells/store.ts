import type { Queryable } from '../db/session.ts'

export type CellState = 'open' | 'full' | 'closed'

export const statements = {
  readThisCell: { name: 'cells_read_this', text: 'select cell from this_cell limit 1' },
  /** Another cell than this one, if there is any. */
  findOther: { name: 'cells_find_other', text: 'select cell from cells where cell > 0 limit 1' },
  listCells: {
    name: 'cells_list',
    text: `select c.cell, c.state, c.added_at, n.realms from cells c
      cross join lateral (select count(*)::int as realms from realms
        where cell = c.cell and purge_began_at is null) n order by c.cell`,
  },

  /**
   * The number of a new realm of an open cell. Until its cell has it too, `to_cell` is that cell. A repeated
   * creation finds the row of the one that was cut off, and renews it.
   */
  placeNew: {
    name: 'cells_place_new',
    text: `insert into realms (id, name, cell, to_cell)
      select $1, $2, cell, cell from cells where cell = $3 and state = 'open'
      on conflict (id) do update set name = excluded.name, placed_at = clock_timestamp()
        where realms.to_cell = realms.cell and realms.cell = excluded.cell and realms.place = 1
      returning realm, created_at`,
  },
  confirmNew: {
    name: 'cells_confirm_new',
    text: 'update realms set to_cell = null where realm = any ($1::integer[]) and to_cell = cell',
  },
  /** Created in the directory an hour ago or more, and not confirmed by its cell. */
  listUnmade: {
    name: 'cells_list_unmade',
    text: `select realm from realms where cell = $1 and to_cell = cell
        and placed_at < clock_timestamp() - interval '1 hour' order by placed_at limit $2`,
  },
  forgetUnmade: { name: 'cells_forget_unmade', text: 'select forget_unmade($1) as forgotten' },
  findPlace: {
    name: 'cells_find_place',
    text: `select realm, id, cell, coalesce(name, id) as name, purge_began_at is not null as purged
      from realms where id = $1`,
  },
  setName: {
    name: 'cells_set_name',
    text: 'update realms set name = $2 where realm = $1 and name is distinct from $2',
  },
  setNames: {
    name: 'cells_set_names',
    text: `update realms r set name = f.name from (
        select f.place, n.name from unnest($1::integer[], $2::text[]) as n (realm, name)
        cross join lateral (select ctid as place from realms
          where realm = n.realm and name is distinct from n.name limit 1) f offset 0) f
      where r.ctid = f.place`,
  },
  /** The names of this cell's own realms, which are copied to the directory. */
  readNames: {
    name: 'cells_read_names',
    text: `select r.* from unnest($1::integer[]) as asked (realm)
      cross join lateral (select realm, name from realms
        where realm = asked.realm and name is not null limit 1) r`,
  },
  listPlaces: {
    name: 'cells_list_places',
    text: `select realm, id, cell, coalesce(name, id) as name, created_at from realms
      where realm > $1 and purge_began_at is null and (to_cell is null or to_cell <> cell)
        and ($3::smallint is null or cell = $3)
        and ($4::text is null or coalesce(name, id) ilike $4)
      order by realm limit $2`,
  },

  addKeyPlaces: {
    name: 'cells_add_key_places',
    text: `insert into key_places (hash, realm) select hash, realm
      from unnest($1::bytea[], $2::integer[]) as k (hash, realm) on conflict (hash) do nothing`,
  },
  findKeyPlaces: {
    name: 'cells_find_key_places',
    text: `select asked.hash, r.id as realm_id, r.cell from unnest($1::bytea[]) as asked (hash)
      cross join lateral (select realm from key_places where hash = asked.hash limit 1) k
      cross join lateral (select id, cell from realms
        where realm = k.realm and purge_began_at is null limit 1) r`,
  },
  deleteKeyPlaces: { name: 'cells_delete_key_places', text: 'delete from key_places where realm = $1' },
  /** The keys of a cell in the order of their numbers, to fill the directory. */
  listKeys: {
    name: 'cells_list_keys',
    text: `select realm, number, hash from keys where (realm, number) > ($1, $2) and revoked_at is null
      order by realm, number limit $3`,
  },
  findAnyRealm: { name: 'cells_find_any_realm', text: 'select realm from realms limit 1' },

  ownHeads: { name: 'cells_own_heads', text: 'select realm, place from own_heads($1, $2)' },
  /**
   * Those of these heads that must not be here: the realm has moved on since, or was paused to leave this
   * cell (`m`): it may have landed, whether or not that was recorded. A head with a higher place than the
   * directory's has just landed here, and stays. So does one with a lower place if each move since was given
   * up, or has not come to its pause: this database was restored to before that, and no other cell has the
   * realm.
   */
  findMisplaced: {
    name: 'cells_find_misplaced',
    text: `select h.realm, h.place, coalesce(m.to_cell, r.cell) as cell
      from unnest($1::integer[], $2::integer[]) as h (realm, place)
      cross join lateral (select cell, place from realms where realm = h.realm limit 1) r
      left join lateral (select to_cell from moves
        where realm = h.realm and place > h.place and ended_at is null and from_cell = $3
        and step <> all (array['begun', 'copied', 'published', 'subscribed', 'ready']) limit 1) m on true
      cross join lateral (select from moves where realm = h.realm and place > h.place
        having case when r.cell <> $3 then r.place >= h.place
          else m.to_cell is not null or (r.place > h.place and (max(place) filter (where step = 'cancelled')
            = r.place and bool_and(step = 'cancelled' or ended_at is null)) is not true) end) later`,
  },
  dropHeads: {
    name: 'cells_drop_heads',
    text: `select realm, seq, encode(hash, 'hex') as hash from drop_heads($1, $2, $3)`,
  },
} as const

/** Only the role that owns the schema may change cells. */
const ofOwner = {
  setThisCell: { name: 'cells_set_this', text: 'update this_cell set cell = $1' },
  addCell: {
    name: 'cells_add',
    text: 'insert into cells (cell, state) values ($1, $2) on conflict (cell) do nothing',
  },
  setState: { name: 'cells_set_state', text: 'update cells set state = $2 where cell = $1' },
} as const

export async function readThisCell(db: Queryable): Promise<number> {
  return (await db.query<{ cell: number }>(statements.readThisCell)).rows[0]?.cell ?? 0
}

export async function setThisCell(db: Queryable, cell: number): Promise<void> {
  await db.query(ofOwner.setThisCell, [cell])
}

export async function hasOther(db: Queryable): Promise<boolean> {
  return (await db.query(statements.findOther)).rows.length > 0
}

export type CellRow = { cell: number; state: CellState; added_at: Date; realms: number }

export async function listCells(db: Queryable): Promise<CellRow[]> {
  return (await db.query<CellRow>(statements.listCells)).rows
}

export async function addCell(db: Queryable, cell: number, state: CellState): Promise<boolean> {
  return (await db.query(ofOwner.addCell, [cell, state])).count > 0
}

export async function setState(db: Queryable, cell: number, state: CellState): Promise<boolean> {
  return (await db.query(ofOwner.setState, [cell, state])).count > 0
}

export type NewPlace = { readonly id: string; readonly name: string; readonly cell: number }

/** Undefined if the cell is not open, or the id is taken. */
export async function placeNew(
  db: Queryable,
  { id, name, cell }: NewPlace,
): Promise<{ realm: number; created_at: Date } | undefined> {
  const { rows } = await db.query<{ realm: number; created_at: Date }>(statements.placeNew, [id, name, cell])
  return rows[0]
}

export async function confirmNew(db: Queryable, realms: readonly number[]): Promise<void> {
  await db.query(statements.confirmNew, [realms])
}

export async function listUnmade(db: Queryable, cell: number, most: number): Promise<number[]> {
  const { rows } = await db.query<{ realm: number }>(statements.listUnmade, [cell, most])
  return rows.map(({ realm }) => realm)
}

export async function forgetUnmade(db: Queryable, realm: number): Promise<boolean> {
  const { rows } = await db.query<{ forgotten: boolean }>(statements.forgetUnmade, [realm])
  return rows[0]?.forgotten ?? false
}

export type PlaceRow = { realm: number; id: string; cell: number; name: string; purged: boolean }

export async function findPlace(db: Queryable, id: string): Promise<PlaceRow | undefined> {
  return (await db.query<PlaceRow>(statements.findPlace, [id])).rows[0]
}

export async function setName(db: Queryable, realm: number, name: string): Promise<void> {
  await db.query(statements.setName, [realm, name])
}

export type NameRow = { realm: number; name: string }

export async function setNames(db: Queryable, names: readonly NameRow[]): Promise<void> {
  await db.query(statements.setNames, [names.map((one) => one.realm), names.map((one) => one.name)])
}

export async function readNames(db: Queryable, realms: readonly number[]): Promise<NameRow[]> {
  return (await db.query<NameRow>(statements.readNames, [realms])).rows
}

export type ListedPlace = { realm: number; id: string; cell: number; name: string; created_at: Date }

export type PlacePage = {
  readonly after: number
  readonly limit: number
  readonly cell?: number | undefined
  /** A part of the name, in any case. */
  readonly name?: string | undefined
}

export async function listPlaces(db: Queryable, page: PlacePage): Promise<ListedPlace[]> {
  const { after, limit, cell = null, name } = page
  const like = name === undefined ? null : `%${name.replaceAll(/[\\%_]/g, '\\$&')}%`
  return (await db.query<ListedPlace>(statements.listPlaces, [after, limit, cell, like])).rows
}

export type KeyAt = { readonly hash: Buffer; readonly realm: number }

export async function addKeyPlaces(db: Queryable, keys: readonly KeyAt[]): Promise<void> {
  await db.query(statements.addKeyPlaces, [keys.map((key) => key.hash), keys.map((key) => key.realm)])
}

export type KeyPlaceRow = { hash: Buffer; realm_id: string; cell: number }

export async function findKeyPlaces(db: Queryable, hashes: readonly Buffer[]): Promise<KeyPlaceRow[]> {
  return (await db.query<KeyPlaceRow>(statements.findKeyPlaces, [hashes])).rows
}

export async function deleteKeyPlaces(db: Queryable, realm: number): Promise<void> {
  await db.query(statements.deleteKeyPlaces, [realm])
}

export type KeyRow = { realm: number; number: number; hash: Buffer }

export async function listKeys(
  db: Queryable,
  after: { readonly realm: number; readonly number: number },
  most: number,
): Promise<KeyRow[]> {
  return (await db.query<KeyRow>(statements.listKeys, [after.realm, after.number, most])).rows
}

export async function hasRealms(db: Queryable): Promise<boolean> {
  return (await db.query(statements.findAnyRealm)).rows.length > 0
}

export type HeadRow = { realm: number; place: number }

export async function ownHeads(db: Queryable, after: number, most: number): Promise<HeadRow[]> {
  return (await db.query<HeadRow>(statements.ownHeads, [after, most])).rows
}

const columnsOf = (heads: readonly HeadRow[]) => [heads.map((h) => h.realm), heads.map((h) => h.place)]

/** A head that must not be here, and the cell where the realm is. */
export type MisplacedHead = HeadRow & { cell: number }

export async function findMisplaced(
  db: Queryable,
  cell: number,
  heads: readonly HeadRow[],
): Promise<MisplacedHead[]> {
  return (await db.query<MisplacedHead>(statements.findMisplaced, [...columnsOf(heads), cell])).rows
}

export type DroppedHead = { realm: number; seq: bigint; hash: string }

export async function dropHeads(db: Queryable, heads: readonly MisplacedHead[]): Promise<DroppedHead[]> {
  const values = [...columnsOf(heads), heads.map(({ cell }) => cell)]
  return (await db.query<DroppedHead>(statements.dropHeads, values)).rows
}
