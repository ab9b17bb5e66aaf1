import type { Queryable } from '../../db/session.ts'

const pageSize = 10_000
/** Above every realm of cell 0, in the order of (cell, realm). */
const afterCellZero = { cell: 0, realm: 2_147_483_647 }

export const statements = {
  /** Which cell this database is, and its time. The directory is the database of cell 0. */
  readClock: {
    name: 'haproxy_read_clock',
    text: `select c.cell, (extract(epoch from clock_timestamp()) * 1000000)::bigint as at_us
      from this_cell c limit 1`,
  },
  listOutside: {
    name: 'haproxy_list_outside',
    text: `select r.realm, r.id, r.cell from realms r
      where (r.cell, r.realm) > ($1::smallint, $2::integer) order by r.cell, r.realm limit $3`,
  },
  listPlaced: {
    name: 'haproxy_list_placed',
    text: `select r.realm, r.id, r.cell, (extract(epoch from r.placed_at) * 1000000)::bigint as at_us
      from realms r
      where (r.placed_at, r.realm) > ('epoch'::timestamptz + $1::bigint * interval '1 microsecond',
        $2::integer)
      order by r.placed_at, r.realm limit $3`,
  },
} as const

type Clock = { readonly cell: number; readonly at_us: bigint }
type OutsideRow = { readonly realm: number; readonly id: string; readonly cell: number }
type PlacedRow = OutsideRow & { readonly at_us: bigint }

export type OnPlace = (id: string, cell: number) => void

export async function readClock(db: Queryable): Promise<Clock> {
  const [row] = (await db.query<Clock>(statements.readClock)).rows
  if (!row) throw new Error('the table this_cell is empty')
  return row
}

/** Every realm outside of cell 0. */
export async function listOutside(db: Queryable, onPlace: OnPlace): Promise<void> {
  let after = afterCellZero
  for (;;) {
    const { rows } = await db.query<OutsideRow>(statements.listOutside, [after.cell, after.realm, pageSize])
    for (const { id, cell } of rows) onPlace(id, cell)
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return
    after = last
  }
}

/** Realms that were placed or moved after this time, those of cell 0 included: they may have an entry. */
export async function listPlaced(db: Queryable, sinceUs: bigint, onPlace: OnPlace): Promise<void> {
  let after: Pick<PlacedRow, 'at_us' | 'realm'> = { at_us: sinceUs, realm: 0 }
  for (;;) {
    const { rows } = await db.query<PlacedRow>(statements.listPlaced, [after.at_us, after.realm, pageSize])
    for (const { id, cell } of rows) onPlace(id, cell)
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return
    after = last
  }
}
