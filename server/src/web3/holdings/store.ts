import type { Queryable, Writable } from '../../db/session.ts'

/** Rows deleted at once. */
export const pieceSize = 5_000

export const statements = {
  listCollections: {
    name: 'holdings_list_collections',
    text: `select number, id, name, chain, standard, address, token_id::text, block, block_hash, seen_at,
        failed_at, block_at from collections where realm = $1 and number > $2 order by number limit $3`,
  },
  /** One transaction after the other, within a realm: each takes the next number. */
  lockCollections: {
    name: 'holdings_lock_collections',
    text: `select pg_advisory_xact_lock(hashtext('collections'), $1)`,
  },
  /** A number can be reused once nothing that was read under it is left. */
  insertCollection: {
    name: 'holdings_insert_collection',
    writes: true,
    text: `insert into collections (realm, number, id, name, chain, standard, address, token_id)
      select $1::integer, greatest(max(c.number), 0, (
          select max(collection) from holdings where realm = $1)) + 1, $2::text, $3::text, $4::text, $5::text,
        $6::text, $7::numeric
      from collections c where c.realm = $1
      on conflict (realm, id) do update set name = excluded.name
      where collections.chain = excluded.chain and collections.standard = excluded.standard
        and collections.address is not distinct from excluded.address
        and collections.token_id is not distinct from excluded.token_id
      returning number`,
  },
  /** Makes a chain due now, for any process that reads. */
  makeDue: {
    name: 'holdings_make_due',
    writes: true,
    text: `insert into readings (realm, chain) values ($1, $2)
      on conflict (realm, chain) do update set due_at = least(readings.due_at, clock_timestamp())`,
  },
  /** Makes all chains due soon, but no sooner than this long after the last reading began. */
  makeAllDue: {
    name: 'holdings_make_all_due',
    writes: true,
    text: `update readings set due_at = least(due_at,
        greatest(clock_timestamp(), begun_at + $2::integer * interval '1 s'))
      where realm = $1`,
  },
  deleteCollection: {
    name: 'holdings_delete_collection',
    writes: true,
    text: 'delete from collections where realm = $1 and id = $2 returning number',
  },
  /** A piece of what was read of a collection. */
  deleteSome: {
    name: 'holdings_delete_some',
    writes: true,
    text: `delete from holdings where realm = $1 and collection = $2 and match = any (array(
      select match from holdings where realm = $1 and collection = $2 order by match limit ${pieceSize}))`,
  },
  /** A member's wallets, and what each holds: one row for each pair, one for a wallet with nothing. */
  readMember: {
    name: 'holdings_read_member',
    text: `select w.address, w.chain, w.linked_at, w.verified_at, h.collection, h.amount::text
      from members m
      cross join lateral (select match, address, chain, linked_at, verified_at from wallets
        where realm = $1 and account = m.account order by linked_at, match limit 1000) w
      left join lateral (select collection, amount from holdings
        where realm = $1 and match = w.match) h on true
      where m.realm = $1 and m.id = $2 order by w.linked_at, w.address`,
  },
} as const

export type CollectionRow = {
  number: number
  id: string
  name: string
  chain: string
  standard: 'native' | 'erc20' | 'erc721' | 'erc1155'
  address: string | null
  token_id: string | null
  block: bigint | null
  block_hash: string | null
  seen_at: Date | null
  failed_at: Date | null
  /** The block's timestamp; null for readings from before it was stored. */
  block_at: Date | null
}

/** All of them, or those from a number on. */
export async function listCollections(
  db: Queryable,
  realm: number,
  { after, limit }: { readonly after: number; readonly limit: number | null } = { after: 0, limit: null },
): Promise<CollectionRow[]> {
  return (await db.query<CollectionRow>(statements.listCollections, [realm, after, limit])).rows
}

export async function lockCollections(db: Queryable, realm: number): Promise<void> {
  await db.query(statements.lockCollections, [realm])
}

export type NewCollection = {
  readonly id: string
  readonly name: string
  readonly chain: string
  readonly standard: CollectionRow['standard']
  readonly address: string | null
  readonly tokenId: string | null
}

/** False when another collection has this id. */
export async function insertCollection(db: Writable, realm: number, made: NewCollection): Promise<boolean> {
  const { id, name, chain, standard, address, tokenId } = made
  const values = [realm, id, name, chain, standard, address, tokenId]
  return (await db.query(statements.insertCollection, values)).count === 1
}

export async function makeDue(db: Writable, realm: number, chain: string): Promise<void> {
  await db.query(statements.makeDue, [realm, chain])
}

export async function makeAllDue(db: Writable, realm: number, spacingSeconds: number): Promise<void> {
  await db.query(statements.makeAllDue, [realm, spacingSeconds])
}

export async function deleteCollection(db: Writable, realm: number, id: string): Promise<number | undefined> {
  return (await db.query<{ number: number }>(statements.deleteCollection, [realm, id])).rows[0]?.number
}

/** How many rows were deleted: fewer than the piece size when no more are left. */
export async function deleteSome(db: Writable, realm: number, collection: number): Promise<number> {
  return (await db.query(statements.deleteSome, [realm, collection])).count
}

export type HeldRow = {
  address: string
  chain: string
  linked_at: Date
  verified_at: Date | null
  collection: number | null
  amount: string | null
}

export async function readMember(db: Queryable, realm: number, member: string): Promise<HeldRow[]> {
  return (await db.query<HeldRow>(statements.readMember, [realm, member])).rows
}
