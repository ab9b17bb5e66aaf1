import { plainArray as plain } from '../../db/arrays.ts'
import type { Queryable } from '../../db/session.ts'
import { RefusalError, wrongCell } from '../../errors.ts'
import { type LapseStep, stepsColumn, stepsOf } from '../../realms/index.ts'
import type { Sealable } from '../rules/chain.ts'

const asideText = (table: 'holds' | 'awards'): string =>
  `select seq, account, point, amount, ended_seq from ${table}
      where realm = $1 and seq > $2 and seq <= $3 order by seq limit $4`

/**
 * Reads a realm's journal and balances, in pieces and short transactions: an open snapshot would slow down
 * every write.
 */
export const statements = {
  /**
   * Includes the last existing entry, in one snapshot: the head must include it. The table `realms` has no
   * row-level security, so its row is matched with the id in `settings`, which has.
   */
  readHead: {
    name: 'journal_read_head',
    text: `select h.seq, encode(h.hash, 'hex') as hash, h.next_account, s.realm_id,
        (select r.id from realms r where r.realm = $1 order by r.id = s.realm_id desc limit 1) as listed_id,
        coalesce((select max(j.seq) from bound_journal j where j.realm = $1), 0) as last
      from heads h join settings s on s.realm = h.realm where h.realm = $1`,
  },
  readLapse: {
    name: 'journal_read_lapse',
    text: `select p.number as point, ${stepsColumn} as steps from points p
      where realm = $1 and exists (select from lapse_rules where realm = p.realm and point = p.number)`,
  },
  readPoints: { name: 'journal_read_points', text: 'select number, id from points where realm = $1' },
  readEntries: {
    name: 'journal_read_entries',
    text: `select j.seq, j.at_us, j.kind, j.key, j.point, j.from_account, j.to_account, j.amount,
        j.from_balance, j.to_balance, j.encoding, encode(j.hash, 'hex') as hash, j.request, j.fingerprint,
        encode(j.details_hash, 'hex') as details_hash, j.link, j.lots
      from bound_journal j where j.realm = $1 and j.seq > $2 and j.seq <= $3 order by j.seq limit $4`,
  },
  /**
   * Separate from the entries: looking up each entry's details took four fifths of PostgreSQL's time for a
   * page.
   */
  readDetails: {
    name: 'journal_read_details',
    text: `select seq, salt, reason, reference, metadata, actor_id from details
      where realm = $1 and seq > $2 and seq <= $3 order by seq limit $4`,
  },
  readBalances: {
    name: 'journal_read_balances',
    text: `select account, point, balance, seq, lots from balances
      where realm = $1 and (account, point) > ($2, $3) order by account, point limit $4`,
  },
  readHolds: { name: 'journal_read_holds', text: asideText('holds') },
  readAwards: { name: 'journal_read_awards', text: asideText('awards') },
  /** Some entries, by their seqs. */
  readSome: {
    name: 'journal_read_some',
    text: `select j.* from unnest($2::bigint[]) as asked (seq) cross join lateral (
        select seq, at_us, kind, point, from_account, to_account, amount, link, lots from bound_journal
        where realm = $1 and seq = asked.seq limit 1) j`,
  },
} as const

export type Head = {
  seq: bigint
  last: bigint
  hash: string
  next_account: number
  realm_id: string
  /** The id under which the realm is listed: the same, except while it is being loaded. */
  listed_id: string
}

export type EntryRow = {
  seq: bigint
  at_us: bigint
  kind: number
  key: number
  point: number
  from_account: number
  to_account: number
  amount: bigint
  from_balance: bigint | null
  to_balance: bigint | null
  encoding: number
  hash: string
  request: string | null
  fingerprint: string | null
  details_hash: string | null
  link: bigint | null
  /** Of point types that lapse. */
  lots: string | null
  /** Absent where there never were any, or they were erased. */
  details?: DetailsRow
}

export type DetailsRow = {
  seq: bigint
  salt: Buffer
  reason: string | null
  reference: string | null
  metadata: string | null
  actor_id: bigint | null
}

export type BalanceRow = {
  account: number
  point: number
  balance: bigint
  seq: bigint
  lots: string | null
}

/** A hold or an award. */
export type StoredAside = {
  seq: bigint
  account: number
  point: number
  amount: bigint
  ended_seq: bigint | null
}

/** The fields of an entry that a hold or an award is compared with. */
export type AsideEntry = Pick<EntryRow, 'seq' | 'kind' | 'point' | 'to_account' | 'amount' | 'link'>

/** An entry as another one that names it needs it. */
export type LinkedEntry = AsideEntry & Pick<EntryRow, 'at_us' | 'from_account' | 'lots'>

export async function readHead(db: Queryable, realm: number): Promise<Head> {
  const { rows } = await db.query<Head>(statements.readHead, [realm])
  const [head] = rows
  if (!head) throw new RefusalError(wrongCell)
  return head
}

export async function readPoints(db: Queryable, realm: number): Promise<ReadonlyMap<number, string>> {
  const { rows } = await db.query<{ number: number; id: string }>(statements.readPoints, [realm])
  return new Map(rows.map((row) => [row.number, row.id]))
}

/** By the numbers of the point types that ever had a lapse rule. */
export async function readLapse(
  db: Queryable,
  realm: number,
): Promise<ReadonlyMap<number, readonly LapseStep[]>> {
  const { rows } = await db.query<{ point: number; steps: string }>(statements.readLapse, [realm])
  return new Map(rows.map(({ point, steps }) => [point, stepsOf(steps) ?? []]))
}

/** About 10 ms of work. Larger pages are not faster: 600,000 entries took as long with 5,000. */
const pageSize = 1_000

type Range = { readonly after: bigint; readonly upTo: bigint }

/** The first entries after `after`, up to `upTo`, with their details. */
export async function readEntryPage(
  db: Queryable,
  realm: number,
  { after, upTo, limit }: Range & { readonly limit: number },
): Promise<EntryRow[]> {
  const { rows } = await db.query<EntryRow>(statements.readEntries, [realm, after, upTo, limit])
  const end = rows.at(-1)
  if (!end) return rows
  const { rows: details } = await db.query<DetailsRow>(statements.readDetails, [realm, after, end.seq, limit])
  join(rows, details)
  return rows
}

/** The entries after `after` up to `upTo`, a page at a time, each in its own transaction. */
export async function* readEntries(
  db: Queryable,
  realm: number,
  { after, upTo }: Range,
): AsyncGenerator<EntryRow[]> {
  for (let last = after; last < upTo; ) {
    const rows = await readEntryPage(db, realm, { after: last, upTo, limit: pageSize })
    const end = rows.at(-1)
    if (!end) return
    yield rows
    last = end.seq
  }
}

/** Both are sorted. */
function join(rows: readonly EntryRow[], details: readonly DetailsRow[]): void {
  let next = 0
  for (const one of details) {
    while ((rows[next]?.seq ?? one.seq) < one.seq) next += 1
    const row = rows[next]
    if (row?.seq === one.seq) row.details = one
  }
}

/** Held and pending points are on accounts below zero. */
const lowest = -2_147_483_648

export async function* readBalances(db: Queryable, realm: number): AsyncGenerator<BalanceRow[]> {
  for (let after = [lowest, 0]; ; ) {
    const { rows } = await db.query<BalanceRow>(statements.readBalances, [realm, ...after, pageSize])
    const end = rows.at(-1)
    if (!end) return
    yield rows
    after = [end.account, end.point]
  }
}

/** Holds or awards created by the entries after `after` up to `upTo`, a page at a time. */
export async function* readStoredAside(
  db: Queryable,
  realm: number,
  { table, after, upTo }: Range & { readonly table: 'holds' | 'awards' },
): AsyncGenerator<StoredAside[]> {
  const statement = table === 'holds' ? statements.readHolds : statements.readAwards
  for (let last = after; ; ) {
    const { rows } = await db.query<StoredAside>(statement, [realm, last, upTo, pageSize])
    const end = rows.at(-1)
    if (!end) return
    yield rows
    last = end.seq
  }
}

export async function readSomeEntries(
  db: Queryable,
  realm: number,
  seqs: readonly bigint[],
): Promise<ReadonlyMap<bigint, LinkedEntry>> {
  const { rows } = await db.query<LinkedEntry>(statements.readSome, [realm, plain(seqs, (seq) => seq)])
  return new Map(rows.map((row) => [row.seq, row]))
}

/** The fields that the hash of an entry covers; its point type by public id. */
export function sealableOf(row: EntryRow, point: string): Sealable {
  const { seq, at_us: atUs, kind, key, amount, request, fingerprint, link, lots } = row
  const { from_account: from, to_account: to, from_balance: fromBalance, to_balance: toBalance } = row
  return {
    seq,
    atUs,
    kind,
    key,
    point,
    from,
    to,
    amount,
    fromBalance,
    toBalance,
    request,
    fingerprint,
    detailsHash: row.details_hash,
    link,
    lots,
  }
}
