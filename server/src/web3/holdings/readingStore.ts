import { plainArray, textArray } from '../../db/arrays.ts'
import type { Queryable, Writable } from '../../db/session.ts'
import type { Block } from '../chains/index.ts'

/** Leases for reading chains, and the results. */
export const statements = {
  due: { name: 'holdings_due', text: 'select realm, chain from due_readings($1::text[], $2::integer)' },
  /** A second process gets no row. */
  lease: {
    name: 'holdings_lease',
    writes: true,
    text: `update readings set leased_until = clock_timestamp() + $3::integer * interval '1 s',
        due_at = clock_timestamp() + $4::integer * interval '1 s', lease = lease + 1,
        begun_at = clock_timestamp()
      where realm = $1 and chain = $2 and leased_until <= clock_timestamp()
      returning begun_at, lease`,
  },
  extend: {
    name: 'holdings_extend',
    writes: true,
    text: `update readings set leased_until = clock_timestamp() + $4::integer * interval '1 s'
      where realm = $1 and chain = $2 and lease = $3`,
  },
  /** EVM wallets after a position: accounts, and contracts of this chain. */
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
    writes: true,
    text: `insert into holdings (realm, match, collection, amount)
      select $1::integer, n.match, n.collection, n.amount
      from unnest($2::text[], $3::smallint[], $4::numeric[]) as n (match, collection, amount)
      cross join lateral (select match from wallets where realm = $1 and match = n.match limit 1) w
      on conflict (realm, match, collection) do update set amount = excluded.amount`,
  },
  dropAmounts: {
    name: 'holdings_drop_amounts',
    writes: true,
    text: `delete from holdings h using unnest($2::text[], $3::smallint[]) as n (match, collection)
      cross join lateral (select ctid as place from holdings
        where realm = $1 and match = n.match and collection = n.collection limit 1) o
      where h.ctid = o.place and h.realm is not distinct from $1::integer`,
  },
  finish: {
    name: 'holdings_finish',
    writes: true,
    text: `update collections set block = $3, block_hash = $4, block_at = $5, seen_at = $6, failed_at = null
      where realm = $1 and chain = $2 and number = any ($7::smallint[])`,
  },
  /** All collections of a chain, or some. */
  failSome: {
    name: 'holdings_fail_some',
    writes: true,
    text: `update collections set failed_at = clock_timestamp()
      where realm = $1 and chain = $2 and failed_at is null
        and ($3::smallint[] is null or number = any ($3::smallint[]))`,
  },
  release: {
    name: 'holdings_release',
    writes: true,
    text: `update readings set leased_until = '-infinity' where realm = $1 and chain = $2 and lease = $3`,
  },
  fail: {
    name: 'holdings_fail',
    writes: true,
    text: `update readings set leased_until = '-infinity',
        due_at = clock_timestamp() + $4::integer * interval '1 s'
      where realm = $1 and chain = $2 and lease = $3`,
  },
  /** There is nothing to read any more. */
  forget: {
    name: 'holdings_forget_reading',
    writes: true,
    text: 'delete from readings where realm = $1 and chain = $2 and lease = $3',
  },
} as const

export type Due = { realm: number; chain: string }

export async function due(db: Queryable, chains: readonly string[], most: number): Promise<Due[]> {
  return (await db.query<Due>(statements.due, [textArray(chains, (chain) => chain), most])).rows
}

/** The process that reads, and since when. A write under a lease fails once another process has the lease. */
export type LeasedReading = Due & { readonly lease: number; readonly begunAt: Date }

/** Undefined when another process has it. It is due again after `everySeconds`. */
export async function lease(
  db: Writable,
  { realm, chain }: Due,
  { seconds, everySeconds }: { readonly seconds: number; readonly everySeconds: number },
): Promise<LeasedReading | undefined> {
  const values = [realm, chain, seconds, everySeconds]
  const [row] = (await db.query<{ begun_at: Date; lease: number }>(statements.lease, values)).rows
  return row && { realm, chain, lease: row.lease, begunAt: row.begun_at }
}

/** A lease expired, and another process has it. */
export class LeaseLost extends Error {}

async function leased(answer: Promise<{ readonly count: number }>): Promise<void> {
  if ((await answer).count !== 1) throw new LeaseLost('another process has the lease')
}

export function extend(db: Writable, mine: LeasedReading, seconds: number): Promise<void> {
  return leased(db.query(statements.extend, [mine.realm, mine.chain, mine.lease, seconds]))
}

export function forget(db: Writable, mine: LeasedReading): Promise<void> {
  return leased(db.query(statements.forget, [mine.realm, mine.chain, mine.lease]))
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

/** A changed amount of a wallet; 0 when it holds none any more. */
export type ChangedAmount = { readonly match: string; readonly collection: number; readonly amount: bigint }

export async function putAmounts(
  db: Writable,
  realm: number,
  changed: readonly ChangedAmount[],
): Promise<void> {
  await db.query(statements.putAmounts, [
    realm,
    textArray(changed, ({ match }) => match),
    plainArray(changed, ({ collection }) => collection),
    plainArray(changed, ({ amount }) => amount),
  ])
}

export async function dropAmounts(
  db: Writable,
  realm: number,
  changed: readonly ChangedAmount[],
): Promise<void> {
  await db.query(statements.dropAmounts, [
    realm,
    textArray(changed, ({ match }) => match),
    plainArray(changed, ({ collection }) => collection),
  ])
}

export type ReadingResult = {
  readonly block: Block
  /** Collections that were read. */
  readonly read: readonly number[]
  /** Those that could not be read: they stay as they were. */
  readonly failed: readonly number[]
}

export async function finish(db: Writable, mine: LeasedReading, done: ReadingResult): Promise<void> {
  const { realm, chain, begunAt } = mine
  const { number, hash, at } = done.block
  const numbers = (some: readonly number[]) => plainArray(some, (one) => one)
  await db.query(statements.finish, [realm, chain, number, hash, at, begunAt, numbers(done.read)])
  await db.query(statements.failSome, [realm, chain, numbers(done.failed)])
  await leased(db.query(statements.release, [realm, chain, mine.lease]))
}

/** Whether it had not failed before. A process that lost its lease reports nothing. */
export async function fail(db: Writable, mine: LeasedReading, seconds: number): Promise<boolean> {
  const { realm, chain } = mine
  if ((await db.query(statements.fail, [realm, chain, mine.lease, seconds])).count === 0) return false
  return (await db.query(statements.failSome, [realm, chain, null])).count > 0
}
