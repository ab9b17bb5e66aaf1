import type { Queryable, Writable } from '../db/session.ts'

const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

const columns = `m.number, m.from_account, m.to_account, m.after_seq, m.entries, m.at, m.undoes,
        u.number as undone_by, coalesce(f.id, o.subject) as from_id, coalesce(t.id, p.subject) as to_id`

/** The ids of both members: their own, or an old one. */
const names = `
      left join lateral (select number from merges
        where realm = $1 and undoes = m.number limit 1) u on true
      left join lateral (select id::text from members
        where realm = $1 and account = m.from_account limit 1) f on true
      left join lateral (select subject from identities
        where realm = $1 and merged = m.from_account limit 1) o on true
      left join lateral (select id::text from members
        where realm = $1 and account = m.to_account limit 1) t on true
      left join lateral (select subject from identities
        where realm = $1 and merged = m.to_account limit 1) p on true`

export const statements = {
  find: {
    name: 'merges_find',
    text: `select coalesce((select account from members where realm = $1 and id = $2::bigint limit 1),
      (select account from identities
        where realm = $1 and provider = $3 and subject = $4 limit 1)) as account`,
  },
  /** All that decides whether and how a member may be merged. */
  readParty: {
    name: 'merges_read_party',
    text: `select m.account, m.id::text, m.frozen_at is not null as frozen, m.hidden,
        m.username is not null or m.display_name is not null or m.metadata is not null
          or m.note is not null or m.updated_at > m.joined_at as profiled,
        ${iso('m.joined_at')} as joined_at,
        array(select provider || ':' || subject from identities
          where realm = $1 and account = m.account) as identities,
        array(select match from wallets where realm = $1 and account = m.account) as wallets
      from members m where m.realm = $1 and m.account = $2`,
  },
  /** Texts that the survivor lacks are taken over; `frozen` and `hidden` if either was. */
  updateSurvivor: {
    name: 'merges_update_survivor',
    writes: true,
    text: `update members t set username = coalesce(t.username, f.username),
        display_name = coalesce(t.display_name, f.display_name),
        metadata = coalesce(t.metadata, f.metadata), note = coalesce(t.note, f.note),
        frozen_at = coalesce(t.frozen_at, f.frozen_at), hidden = t.hidden or f.hidden,
        unfrozen_at = greatest(t.unfrozen_at, f.unfrozen_at),
        updated_at = greatest(clock_timestamp(), t.updated_at + interval '1 microsecond')
      from members f where t.realm = $1 and t.account = $3 and f.realm = $1 and f.account = $2`,
  },
  deleteMember: {
    name: 'merges_delete_member',
    writes: true,
    text: 'delete from members where realm = $1 and account = $2',
  },
  /** Those that came by an earlier merge too: so every one is one look-up from its member. */
  moveIdentities: {
    name: 'merges_move_identities',
    writes: true,
    text: 'update identities set account = $3 where realm = $1 and account = $2',
  },
  insertAlias: {
    name: 'merges_insert_alias',
    writes: true,
    text: `insert into identities (realm, provider, subject, account, merged)
      values ($1, 'id', $2, $3, $4)`,
  },
  moveWallets: {
    name: 'merges_move_wallets',
    writes: true,
    text: 'update wallets set account = $3, merged = $4 where realm = $1 and account = $2',
  },
  nextNumber: {
    name: 'merges_next_number',
    text: 'select coalesce(max(number), 0) + 1 as number from merges where realm = $1',
  },
  insert: {
    name: 'merges_insert',
    writes: true,
    text: `insert into merges (realm, number, from_account, to_account, after_seq, entries, key, undoes,
        moved)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
  },
  read: {
    name: 'merges_read',
    text: `select ${columns}, m.moved from merges m ${names} where m.realm = $1 and m.number = $2`,
  },
  /** Merges of a realm, or those that a member's accounts were the survivors of; the latest first. */
  list: {
    name: 'merges_list',
    text: `select ${columns} from merges m ${names}
      where m.realm = $1 and m.undoes is null and m.number < $2
        and ($3::integer is null or m.to_account = $3 or exists (select from identities
          where realm = $1 and account = $3 and identities.merged = m.to_account))
      order by m.number desc limit $4`,
  },
  /** Whether the account is still the survivor of that one. */
  findAlias: {
    name: 'merges_find_alias',
    text: 'select account, subject from identities where realm = $1 and merged = $2',
  },
  restoreMember: {
    name: 'merges_restore_member',
    writes: true,
    text: `insert into members (realm, account, id, frozen_at, hidden, joined_at)
      values ($1, $2, $3, case when $4::boolean then now() end, $5, coalesce($6::timestamptz, now()))`,
  },
  forgetDeparture: {
    name: 'merges_forget_departure',
    writes: true,
    text: 'delete from departures where realm = $1 and account = $2',
  },
  deleteAlias: {
    name: 'merges_delete_alias',
    writes: true,
    text: 'delete from identities where realm = $1 and merged = $2',
  },
  returnIdentities: {
    name: 'merges_return_identities',
    writes: true,
    text: `update identities set account = $2
      where realm = $1 and account = $3 and provider || ':' || subject = any ($4::text[])`,
  },
  returnWallets: {
    name: 'merges_return_wallets',
    writes: true,
    text: `update wallets set account = $2, merged = null
      where realm = $1 and account = $3 and match = any ($4::text[])`,
  },
  /** Flags that the merge set and that are still set. */
  returnFlags: {
    name: 'merges_return_flags',
    writes: true,
    text: `update members set frozen_at = case when $3::boolean then null else frozen_at end,
        unfrozen_at = case when $3::boolean and frozen_at is not null then now() else unfrozen_at end,
        hidden = hidden and not $4::boolean,
        updated_at = greatest(clock_timestamp(), updated_at + interval '1 microsecond')
      where realm = $1 and account = $2`,
  },
  mergedInto: {
    name: 'merges_merged_into',
    text: `select merged as account, subject as id from identities
      where realm = $1 and account = $2 and merged is not null order by merged`,
  },
  forget: {
    name: 'merges_forget',
    writes: true,
    text: `update merges set moved = '{}' where realm = $1
      and (from_account = any ($2::integer[]) or to_account = any ($2::integer[]))`,
  },
} as const

/** `id:42` for a numeric id that is another member's old one. */
export type Named = { readonly id: string | null; readonly provider: string; readonly subject: string }

export async function findAccount(db: Queryable, realm: number, named: Named): Promise<number | undefined> {
  const values = [realm, named.id, named.provider, named.subject]
  const { rows } = await db.query<{ account: number | null }>(statements.find, values)
  return rows[0]?.account ?? undefined
}

export type Party = {
  readonly account: number
  readonly id: string
  readonly frozen: boolean
  readonly hidden: boolean
  /** Whether it has a name, metadata or a note, or was changed since it was created. */
  readonly profiled: boolean
  readonly joined_at: string
  readonly identities: readonly string[]
  readonly wallets: readonly string[]
}

export async function readParty(db: Queryable, realm: number, account: number): Promise<Party | undefined> {
  return (await db.query<Party>(statements.readParty, [realm, account])).rows[0]
}

/** What went with a merged member, by key; empty after an erasure. */
export type Moved = {
  readonly identities?: readonly string[]
  readonly wallets?: readonly string[]
  readonly from?: { readonly frozen: boolean; readonly hidden: boolean; readonly joinedAt: string }
  readonly to?: { readonly frozen: boolean; readonly hidden: boolean }
}

export type MergeRow = {
  readonly number: number
  readonly from_account: number
  readonly to_account: number
  readonly after_seq: bigint
  readonly entries: number
  readonly at: Date
  readonly undoes: number | null
  /** The undoing, if it was undone. */
  readonly undone_by: number | null
  /** Null for a member that was removed since. */
  readonly from_id: string | null
  readonly to_id: string | null
}

export type NewMerge = {
  readonly number: number
  readonly from: number
  readonly to: number
  readonly afterSeq: bigint
  readonly entries: number
  readonly key: number
  readonly undoes: number | null
  readonly moved: Moved
}

export async function nextNumber(tx: Queryable, realm: number): Promise<number> {
  return (await tx.query<{ number: number }>(statements.nextNumber, [realm])).rows[0]?.number ?? 1
}

export async function insertMerge(tx: Writable, realm: number, merge: NewMerge): Promise<void> {
  const { number, from, to, afterSeq, entries, key, undoes, moved } = merge
  const values = [realm, number, from, to, afterSeq, entries, key, undoes, JSON.stringify(moved)]
  await tx.query(statements.insert, values)
}

type Pair = { readonly from: Party; readonly to: Party; readonly number: number }

/** The survivor takes everything over; the other one's row is deleted. */
export async function movePossessions(
  tx: Writable,
  realm: number,
  { from, to, number }: Pair,
): Promise<void> {
  const two = [realm, from.account, to.account]
  await tx.query(statements.updateSurvivor, two)
  await tx.query(statements.deleteMember, [realm, from.account])
  await tx.query(statements.moveIdentities, two)
  await tx.query(statements.insertAlias, [realm, from.id, to.account, from.account])
  await tx.query(statements.moveWallets, [...two, number])
}

export async function readMerge(
  db: Queryable,
  realm: number,
  number: number,
): Promise<(MergeRow & { readonly moved: Moved }) | undefined> {
  return (await db.query<MergeRow & { moved: Moved }>(statements.read, [realm, number])).rows[0]
}

type Listing = { readonly before: number; readonly account: number | null; readonly limit: number }

export async function listMerges(db: Queryable, realm: number, listing: Listing): Promise<MergeRow[]> {
  const { before, account, limit } = listing
  return (await db.query<MergeRow>(statements.list, [realm, before, account, limit])).rows
}

export type Alias = { readonly account: number; readonly subject: string }

export async function findAlias(db: Queryable, realm: number, merged: number): Promise<Alias | undefined> {
  return (await db.query<Alias>(statements.findAlias, [realm, merged])).rows[0]
}

type Restored = { readonly from: number; readonly id: string; readonly to: number; readonly moved: Moved }

/** What is still the survivor's goes back. */
export async function returnPossessions(tx: Writable, realm: number, restored: Restored): Promise<void> {
  const { from, id, to, moved } = restored
  const { frozen = false, hidden = false, joinedAt = null } = moved.from ?? {}
  await tx.query(statements.deleteAlias, [realm, from])
  await tx.query(statements.restoreMember, [realm, from, id, frozen, hidden, joinedAt])
  await tx.query(statements.forgetDeparture, [realm, from])
  await tx.query(statements.returnIdentities, [realm, from, to, moved.identities ?? []])
  await tx.query(statements.returnWallets, [realm, from, to, moved.wallets ?? []])
  const wasSet = (flag: 'frozen' | 'hidden') => moved.from?.[flag] === true && moved.to?.[flag] === false
  await tx.query(statements.returnFlags, [realm, to, wasSet('frozen'), wasSet('hidden')])
}

/** An account that was merged into a member, and the id that it had. */
export type MergedAccount = { readonly account: number; readonly id: string }

export async function mergedInto(db: Queryable, realm: number, account: number): Promise<MergedAccount[]> {
  return (await db.query<MergedAccount>(statements.mergedInto, [realm, account])).rows
}

/** Only numbers stay of the merges of these accounts. */
export async function forgetMerges(tx: Writable, realm: number, accounts: readonly number[]): Promise<void> {
  await tx.query(statements.forget, [realm, accounts])
}
