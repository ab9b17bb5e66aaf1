import { plainArray as plain } from '../../db/arrays.ts'
import type { Queryable, Writable } from '../../db/session.ts'
import { pageSize, type Which } from './store.ts'

export const statements = {
  /** Many bytes at once, or single nodes. */
  readNodes: {
    name: 'snapshots_read_nodes',
    text: `select encode(substring(tree from $3::integer + 1 for $4::integer), 'hex') as nodes
      from snapshots where realm = $1 and id = $2`,
  },
  readSiblings: {
    name: 'snapshots_read_siblings',
    text: `select encode(substring(s.tree from asked.place * 32 + 1 for 32), 'hex') as node
      from snapshots s cross join unnest($3::integer[]) with ordinality as asked (place, step)
      where s.realm = $1 and s.id = $2 order by asked.step`,
  },
  keepPlaces: {
    name: 'snapshots_keep_places',
    writes: true,
    text: `with known as (
        select n.place, s.row from unnest($3::integer[], $4::integer[]) as n (account, place)
        cross join lateral (select ctid as row from snapshot_members
          where realm = $1 and snapshot = $2 and account = n.account limit 1) s offset 0)
      update snapshot_members s set place = k.place from known k where s.ctid = k.row
        and s.realm is not distinct from $1`,
  },
  /**
   * Only for the snapshot that it was built from: another may have its id by now. A second tree is not
   * stored.
   */
  keepTree: {
    name: 'snapshots_keep_tree',
    writes: true,
    text: `update snapshots set tree = $3 where realm = $1 and id = $2 and tree is null
      and taken_at between $4::timestamptz - interval '2 ms' and $4::timestamptz + interval '2 ms'`,
  },
} as const

/** Bytes of the tree as hex, from an offset on. */
export async function readNodes(
  db: Queryable,
  { realm, id }: Which,
  { from, length }: { readonly from: number; readonly length: number },
): Promise<string> {
  const { rows } = await db.query<{ nodes: string | null }>(statements.readNodes, [realm, id, from, length])
  return rows[0]?.nodes ?? ''
}

export async function readSiblings(
  db: Queryable,
  { realm, id }: Which,
  places: readonly number[],
): Promise<string[]> {
  const values = [realm, id, plain(places, (place) => place)]
  return (await db.query<{ node: string }>(statements.readSiblings, values)).rows.map(({ node }) => node)
}

export type Built = Which & { readonly takenAt: Date }

export async function keepTree(
  tx: Writable,
  { realm, id, takenAt }: Built,
  { nodes, placeOf }: { readonly nodes: Buffer; readonly placeOf: ReadonlyMap<number, number> },
): Promise<void> {
  if ((await tx.query(statements.keepTree, [realm, id, nodes, takenAt])).count === 0) return
  const all = [...placeOf]
  for (let from = 0; from < all.length; from += pageSize) {
    const some = all.slice(from, from + pageSize)
    const columns = [plain(some, ([account]) => account), plain(some, ([, place]) => place)]
    await tx.query(statements.keepPlaces, [realm, id, ...columns])
  }
}
