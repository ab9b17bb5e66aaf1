import { notCarried } from '../../src/cells/move/tables.ts'
import type { TwoCells } from './twoCells.ts'

const names = [...notCarried.keys()]

/** The tables that a move carries, from the catalogue. */
export async function carriedTables(cells: TwoCells): Promise<string[]> {
  const rows = await cells.sql(
    0,
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'exchequer'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attname = 'realm' and c.relname <> all ($1) order by 1`,
    [names],
  )
  return rows.map(({ name }) => name)
}

/** What a move changes on purpose. */
const changed: Readonly<Record<string, string>> = {
  keys: `- 'changed_at'`,
  endpoints: `- 'lease' - 'leased_until'`,
}

/** All rows of a realm in the tables that a move carries, as text. */
export async function rowsOfRealm(
  cells: TwoCells,
  cell: number,
  realm: number,
): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const table of await carriedTables(cells)) {
    if (table === 'move_marks') continue
    const row = `(to_jsonb(t) ${changed[table] ?? ''})::text`
    const [result] = await cells.sql(
      cell,
      `select coalesce(string_agg(${row}, chr(10) order by ${row}), '') as rows from ${table} t
        where realm = $1`,
      [realm],
    )
    found[table] = result.rows
  }
  return found
}

/** Tables with at least one row of the realm. */
export async function filledTables(cells: TwoCells, cell: number, realm: number): Promise<string[]> {
  const rows = await rowsOfRealm(cells, cell, realm)
  return Object.keys(rows).filter((table) => rows[table] !== '')
}

/** Publications, slots and subscriptions in both cells. */
export async function links(cells: TwoCells): Promise<string[]> {
  const found = []
  for (const cell of [0, 1])
    found.push(
      ...(await cells.sql(
        cell,
        `select 'publication ' || pubname as name from pg_publication
        union all select 'slot ' || slot_name from pg_replication_slots
        union all select 'subscription ' || subname from pg_subscription`,
      )),
    )
  return found.map(({ name }) => name)
}

export async function headOf(cells: TwoCells, cell: number, realm: number): Promise<string | undefined> {
  const rows = await cells.sql(
    cell,
    `select seq || ':' || encode(hash, 'hex') as head from heads where realm = $1`,
    [realm],
  )
  return rows[0]?.head
}

/** Where the directory says that a realm is. */
export async function placeOf(cells: TwoCells, realm: number): Promise<[number, number | null]> {
  const [row] = await cells.sql(0, 'select cell, to_cell from realms where realm = $1', [realm])
  return [row.cell, row.to_cell]
}
