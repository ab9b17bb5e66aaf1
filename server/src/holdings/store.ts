import { plainArray, textArray } from '../db/arrays.ts'
import type { Queryable } from '../db/session.ts'

export const statements = {
  listCollections: {
    name: 'holdings_list_collections',
    text: `select number, id, name, chain, standard, address, token_id::text, block, block_hash, seen_at,
        failed_at from collections where realm = $1 order by number`,
  },
  /** One after the other, within a realm, until the transaction ends: each takes the next number. */
  lockCollections: {
    name: 'holdings_lock_collections',
    text: `select pg_advisory_xact_lock(hashtext('collections'), $1)`,
  },
  insertCollection: {
    name: 'holdings_insert_collection',
    text: `insert into collections (realm, number, id, name, chain, standard, address, token_id)
      select $1::integer, coalesce(max(c.number), 0) + 1, $2::text, $3::text, $4::text, $5::text, $6::text,
        $7::numeric
      from collections c where c.realm = $1
      on conflict (realm, id) do update set name = excluded.name
      where collections.chain = excluded.chain and collections.standard = excluded.standard
        and collections.address is not distinct from excluded.address
        and collections.token_id is not distinct from excluded.token_id
      returning number`,
  },
  /** Read soon, by whoever reads. */
  makeDue: {
    name: 'holdings_make_due',
    text: `insert into readings (realm, chain) values ($1, $2)
      on conflict (realm, chain) do update set due_at = least(readings.due_at, clock_timestamp())`,
  },
  makeAllDue: {
    name: 'holdings_make_all_due',
    text: `update readings set due_at = least(due_at, clock_timestamp()) where realm = $1`,
  },
  deleteCollection: {
    name: 'holdings_delete_collection',
    text: 'delete from collections where realm = $1 and id = $2 returning number',
  },
  /** A piece of what was read of a collection. */
  deleteSome: {
    name: 'holdings_delete_some',
    text: `delete from holdings where realm = $1 and collection = $2 and match = any (array(
      select match from holdings where realm = $1 and collection = $2 order by match limit 5000))`,
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
  due: { name: 'holdings_due', text: 'select realm, chain from due_readings($1::text[], $2::integer)' },
  /** Whoever comes second gets none. */
  lease: {
    name: 'holdings_lease',
    text: `update readings set leased_until = clock_timestamp() + $3::integer * interval '1 s',
        due_at = clock_timestamp() + $4::integer * interval '1 s'
      where realm = $1 and chain = $2 and leased_until <= clock_timestamp()
      returning clock_timestamp() as at`,
  },
  extend: {
    name: 'holdings_extend',
    text: `update readings set leased_until = clock_timestamp() + $3::integer * interval '1 s'
      where realm = $1 and chain = $2`,
  },
  /** EVM wallets behind a place: accounts, and contracts of this chain. */
  listWallets: {
    name: 'holdings_list_wallets',
    text: `select match from wallets where realm = $1 and match > $2
      and chain = any (array['eip155', $3::text]) order by match limit $4`,
  },
  /** What was read before of wallets in a range. */
  listHeld: {
    name: 'holdings_list_held',
    text: `select match, amount::text from holdings
      where realm = $1 and collection = $2 and match > $3 and match <= $4 order by match`,
  },
  putAmounts: {
    name: 'holdings_put_amounts',
    text: `insert into holdings (realm, match, collection, amount)
      select $1::integer, n.match, n.collection, n.amount
      from unnest($2::text[], $3::smallint[], $4::numeric[]) as n (match, collection, amount)
      cross join lateral (select match from wallets where realm = $1 and match = n.match limit 1) w
      on conflict (realm, match, collection) do update set amount = excluded.amount`,
  },
  dropAmounts: {
    name: 'holdings_drop_amounts',
    text: `delete from holdings h using unnest($2::text[], $3::smallint[]) as n (match, collection)
      cross join lateral (select ctid as place from holdings
        where realm = $1 and match = n.match and collection = n.collection limit 1) o
      where h.ctid = o.place and h.realm is not distinct from $1::integer`,
  },
  finish: {
    name: 'holdings_finish',
    text: `update collections set block = $3, block_hash = $4, seen_at = $5, failed_at = null
      where realm = $1 and chain = $2 and number <> all ($6::smallint[])`,
  },
  /** All of a chain, or some. */
  failSome: {
    name: 'holdings_fail_some',
    text: `update collections set failed_at = clock_timestamp()
      where realm = $1 and chain = $2 and failed_at is null
        and ($3::smallint[] is null or number = any ($3::smallint[]))`,
  },
  release: {
    name: 'holdings_release',
    text: `update readings set leased_until = '-infinity' where realm = $1 and chain = $2`,
  },
  fail: {
    name: 'holdings_fail',
    text: `update readings set leased_until = '-infinity',
        due_at = clock_timestamp() + $3::integer * interval '1 s'
      where realm = $1 and chain = $2`,
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
}

export async function listCollections(db: Queryable, realm: number): Promise<CollectionRow[]> {
  return (await db.query<CollectionRow>(statements.listCollections, [realm])).rows
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

/** False when there is another collection with this id. */
export async function insertCollection(db: Queryable, realm: number, made: NewCollection): Promise<boolean> {
  const { id, name, chain, standard, address, tokenId } = made
  const values = [realm, id, name, chain, standard, address, tokenId]
  return (await db.query(statements.insertCollection, values)).count === 1
}

export async function makeDue(db: Queryable, realm: number, chain: string): Promise<void> {
  await db.query(statements.makeDue, [realm, chain])
}

export async function makeAllDue(db: Queryable, realm: number): Promise<void> {
  await db.query(statements.makeAllDue, [realm])
}

export async function deleteCollection(
  db: Queryable,
  realm: number,
  id: string,
): Promise<number | undefined> {
  return (await db.query<{ number: number }>(statements.deleteCollection, [realm, id])).rows[0]?.number
}

/** How many of a piece were there: none when there is no more. */
export async function deleteSome(db: Queryable, realm: number, collection: number): Promise<number> {
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

export type Due = { realm: number; chain: string }

export async function due(db: Queryable, chains: readonly string[], most: number): Promise<Due[]> {
  return (await db.query<Due>(statements.due, [textArray(chains, (chain) => chain), most])).rows
}

/** When the lease began; undefined when someone else has it. It is due again after a while. */
export async function lease(
  db: Queryable,
  { realm, chain }: Due,
  { seconds, everySeconds }: { readonly seconds: number; readonly everySeconds: number },
): Promise<Date | undefined> {
  const values = [realm, chain, seconds, everySeconds]
  return (await db.query<{ at: Date }>(statements.lease, values)).rows[0]?.at
}

export async function extend(db: Queryable, { realm, chain }: Due, seconds: number): Promise<void> {
  await db.query(statements.extend, [realm, chain, seconds])
}

export async function listWallets(
  db: Queryable,
  { realm, chain }: Due,
  page: { readonly after: string; readonly limit: number },
): Promise<string[]> {
  const values = [realm, page.after, chain, page.limit]
  return (await db.query<{ match: string }>(statements.listWallets, values)).rows.map(({ match }) => match)
}

export async function listHeld(
  db: Queryable,
  { realm, collection }: { readonly realm: number; readonly collection: number },
  range: { readonly after: string; readonly upTo: string },
): Promise<Map<string, bigint>> {
  const values = [realm, collection, range.after, range.upTo]
  const { rows } = await db.query<{ match: string; amount: string }>(statements.listHeld, values)
  return new Map(rows.map(({ match, amount }) => [match, BigInt(amount)]))
}

/** An amount of a wallet that is not as it was; 0 for none any more. */
export type Changed = { readonly match: string; readonly collection: number; readonly amount: bigint }

export async function putAmounts(db: Queryable, realm: number, changed: readonly Changed[]): Promise<void> {
  await db.query(statements.putAmounts, [
    realm,
    textArray(changed, ({ match }) => match),
    plainArray(changed, ({ collection }) => collection),
    plainArray(changed, ({ amount }) => amount),
  ])
}

export async function dropAmounts(db: Queryable, realm: number, changed: readonly Changed[]): Promise<void> {
  await db.query(statements.dropAmounts, [
    realm,
    textArray(changed, ({ match }) => match),
    plainArray(changed, ({ collection }) => collection),
  ])
}

export type Finished = Due & {
  readonly block: bigint
  readonly hash: string
  readonly seenAt: Date
  /** Collections that could not be read: they stay as they were. */
  readonly failed: readonly number[]
}

export async function finish(db: Queryable, done: Finished): Promise<void> {
  const { realm, chain, block, hash, seenAt } = done
  const failed = plainArray(done.failed, (number) => number)
  await db.query(statements.finish, [realm, chain, block, hash, seenAt, failed])
  await db.query(statements.failSome, [realm, chain, failed])
  await db.query(statements.release, [realm, chain])
}

/** Whether it had not failed before. */
export async function fail(db: Queryable, { realm, chain }: Due, seconds: number): Promise<boolean> {
  const { count } = await db.query(statements.failSome, [realm, chain, null])
  await db.query(statements.fail, [realm, chain, seconds])
  return count > 0
}
