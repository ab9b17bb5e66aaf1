import { plainArray as plain } from '../../db/arrays.ts'
import type { Answer, Queryable } from '../../db/session.ts'
import { nextVersion } from '../../realms/index.ts'
import type { Retry } from '../rules/command.ts'
import { nowUs } from './headStore.ts'

const columns = `realm, key, seq, at_us, amount, from_balance, to_balance, from_account, to_account, point,
        kind, encoding, hash, request, fingerprint, details_hash, link`

/** With what the lots add to it. */
const updateBalances = (type: string, column: string, set: string) => `with known as (
        select n.*, b.place from unnest($1::integer[], $2::integer[], $3::smallint[], $4::bigint[],
          $5::bigint[], $6::bigint[], $7::bigint[]${type})
          as n (realm, account, point, balance, seq, at_us, old_seq${column})
        cross join lateral (select ctid as place from balances where realm = n.realm
          and account = n.account and point = n.point and balances.seq = n.old_seq limit 1) b offset 0),
      changed as (
        update balances b set balance = k.balance, seq = k.seq, at_us = k.at_us${set}
        from known k where b.ctid = k.place and b.realm is not distinct from k.realm returning 1)
      select expect_rows((select count(*) from changed), cardinality($1::integer[]))`

/** The statements of a write. Each runs once for a whole batch; docs/journal.md explains the rows. */
export const statements = {
  begin: { name: 'ledger_begin', text: 'begin isolation level read committed, read write' },

  ping: { name: 'ledger_ping', text: 'select 1' },

  /**
   * Locks the free heads in ascending order; skips those that another session holds. All look-ups are lateral
   * with a limit: whatever the planner knew of a table's size, each row is one look-up by key.
   */
  lockFreeHeads: {
    name: 'ledger_lock_free_heads',
    text: `select h.*, ${nowUs} from unnest($1::integer[]) as asked (realm) cross join lateral (
        select realm, seq, encode(hash, 'hex') as hash, at_us, next_account, config_version
        from heads where realm = asked.realm limit 1 for update skip locked) h`,
  },
  /** Waits for the heads. Used for one realm at a time, so that no realm delays another. */
  lockHeads: {
    name: 'ledger_lock_heads',
    text: `select h.*, ${nowUs} from unnest($1::integer[]) as asked (realm) cross join lateral (
        select realm, seq, encode(hash, 'hex') as hash, at_us, next_account, config_version
        from heads where realm = asked.realm limit 1 for update) h`,
  },
  /**
   * One row for each party, by its position. A statement after the lock, so that its snapshot is later too.
   */
  readParties: {
    name: 'ledger_read_parties',
    text: `select asked.place::integer, m.account, m.frozen, b.balance, b.seq, b.lots
      from unnest($1::integer[], $2::bigint[], $3::smallint[])
        with ordinality as asked (realm, id, point, place)
      cross join lateral (select account, frozen_at is not null as frozen from members
        where realm = asked.realm and id = asked.id limit 1) m
      left join lateral (select balance, seq, lots from balances
        where realm = asked.realm and account = m.account and point = asked.point limit 1) b on true`,
  },
  readRequests: {
    name: 'ledger_read_requests',
    text: `select asked.realm, asked.request, j.fingerprint, j.seq, j.at_us, j.amount, j.point,
        j.from_balance, j.to_balance, null::text as point_id, null::smallint as status, null::text as body
      from unnest($1::integer[], $2::uuid[]) as asked (realm, request)
      cross join lateral (select fingerprint, seq, at_us, amount, point, from_balance, to_balance
        from bound_journal where realm = asked.realm and request = asked.request limit 1) j
      union all
      select asked.realm, asked.request, r.fingerprint, null, null, null, null, null, null, r.point,
        r.status, r.body
      from unnest($1::integer[], $2::uuid[]) as asked (realm, request)
      cross join lateral (select fingerprint, point, status, body from refusals
        where realm = asked.realm and request = asked.request and until > now() limit 1) r`,
  },

  insertMembers: {
    name: 'ledger_insert_members',
    text: `insert into members (realm, account, id)
      select * from unnest($1::integer[], $2::integer[], $3::bigint[])`,
  },
  insertBalances: {
    name: 'ledger_insert_balances',
    text: `insert into balances (realm, account, point, balance, seq, at_us)
      select * from unnest($1::integer[], $2::integer[], $3::smallint[], $4::bigint[], $5::bigint[],
        $6::bigint[])`,
  },
  /** The same where some are of point types that lapse. */
  insertDatedBalances: {
    name: 'ledger_insert_dated_balances',
    text: `insert into balances (realm, account, point, balance, seq, at_us, lots)
      select * from unnest($1::integer[], $2::integer[], $3::smallint[], $4::bigint[], $5::bigint[],
        $6::bigint[], $7::text[])`,
  },
  /**
   * Each balance is changed from the one that was decided on, identified by the entry that last changed it.
   */
  updateBalances: {
    name: 'ledger_update_balances',
    text: updateBalances('', '', ''),
  },
  updateDatedBalances: {
    name: 'ledger_update_dated_balances',
    text: updateBalances(', $8::text[]', ', lots', ', lots = k.lots'),
  },
  /**
   * Fails unless these balances are as they were decided on; a null seq is a balance that does not exist yet.
   */
  confirmBalances: {
    name: 'ledger_confirm_balances',
    text: `select expect_rows((select count(*)
        from unnest($1::integer[], $2::integer[], $3::smallint[], $4::bigint[])
          as n (realm, account, point, seq)
        left join lateral (select seq from balances
          where realm = n.realm and account = n.account and point = n.point limit 1) b on true
        where b.seq is not distinct from n.seq), cardinality($1::integer[]))`,
  },
  /** Fails when a refusal is remembered under one of these keys. */
  confirmRequests: {
    name: 'ledger_confirm_requests',
    text: `select expect_rows((select count(*)
        from unnest($1::integer[], $2::uuid[]) as asked (realm, request)
        cross join lateral (select 1 from refusals
          where realm = asked.realm and request = asked.request and until > now() limit 1) r), 0)`,
  },
  /**
   * Fails when one of these keys has an entry. Used for refusals: for a new entry the unique index checks it.
   */
  confirmUnused: {
    name: 'ledger_confirm_unused',
    text: `select expect_rows((select count(*)
        from unnest($1::integer[], $2::uuid[]) as asked (realm, request)
        cross join lateral (select 1 from bound_journal
          where realm = asked.realm and request = asked.request limit 1) j), 0)`,
  },
  /** The journal's rows are sent by COPY: half the cost of INSERT with arrays, measured at 128 rows. */
  copyEntries: { name: 'ledger_copy_entries', text: `copy journal (${columns}) from stdin` },
  copyDatedEntries: { name: 'ledger_copy_dated_entries', text: `copy journal (${columns}, lots) from stdin` },
  insertDetails: {
    name: 'ledger_insert_details',
    text: `insert into details (realm, seq, salt, reason, reference, metadata, actor_id)
      select * from unnest($1::integer[], $2::bigint[], $3::bytea[], $4::text[], $5::text[], $6::text[],
        $7::bigint[])`,
  },
  /** Remembers refusals until the time that their answer names, and replaces expired ones. */
  insertRefusals: {
    name: 'ledger_insert_refusals',
    text: `insert into refusals (realm, request, fingerprint, point, status, body, until)
      select n.realm, n.request, n.fingerprint, n.point, n.status, n.body,
        timestamptz 'epoch' + n.until_us * interval '1 microsecond'
      from unnest($1::integer[], $2::uuid[], $3::uuid[], $4::text[], $5::smallint[], $6::text[],
        $7::bigint[]) as n (realm, request, fingerprint, point, status, body, until_us)
      on conflict (realm, request) do update set fingerprint = excluded.fingerprint, point = excluded.point,
        status = excluded.status, body = excluded.body, until = excluded.until`,
  },
  /** Each insert of refusals deletes expired ones, so that the table holds about one day. */
  sweepRefusals: {
    name: 'ledger_sweep_refusals',
    text: `delete from refusals r using (
        select o.realm, o.request from unnest($1::integer[]) as asked (realm)
        cross join lateral (select realm, request from refusals
          where realm = asked.realm and until < now() order by until limit 1000) o) as old
      where r.realm = old.realm and r.request = old.request`,
  },

  /** Whether this entry is in the journal. Under the head lock this settles an unknown COMMIT. */
  findEntry: {
    name: 'ledger_find_entry',
    text: 'select realm from bound_journal where realm = $1 and seq = $2 and hash = $3',
  },
  /**
   * Keeps a batch whose entry is not in the journal from being committed later, wherever its bytes are: it
   * expects the configuration version that the head had before.
   */
  /** Whether a realm without a head has moved to another cell. */
  readDeparted: { name: 'ledger_read_departed', text: 'select realm from departed where realm = $1' },
  fenceHead: {
    name: 'ledger_fence_head',
    text: `update heads set config_version = ${nextVersion} where realm = $1 and not exists (
        select from bound_journal where realm = $1 and seq = $2 and hash = $3)`,
  },
} as const

export type HeadRow = {
  realm: number
  seq: bigint
  hash: string
  at_us: bigint
  next_account: number
  config_version: number
  now_us: bigint
}
/** A party that is a member of its realm. */
type PartyRow = {
  place: number
  account: number
  frozen: boolean
  balance: bigint | null
  seq: bigint | null
  lots: string | null
}
export type RequestRow = {
  realm: number
  request: string
  fingerprint: string
  seq: bigint | null
  at_us: bigint | null
  amount: bigint | null
  point: number | null
  from_balance: bigint | null
  to_balance: bigint | null
  point_id: string | null
  status: number | null
  body: string | null
}

export const begin = (db: Queryable): Promise<Answer<never>> => db.query(statements.begin)

export const ping = (db: Queryable): Promise<Answer<unknown>> => db.query(statements.ping)

export function lockHeads(
  db: Queryable,
  realms: readonly number[],
  mode: 'free' | 'wait',
): Promise<Answer<HeadRow>> {
  return db.query(mode === 'free' ? statements.lockFreeHeads : statements.lockHeads, [
    plain(realms, (realm) => realm),
  ])
}

export type PartyQuery = { readonly realm: number; readonly id: string; readonly point: number }

/** A member's account, and its balance of a point type: 0 with a null seq where there is none yet. */
export type PartyState = PartyQuery & {
  readonly account: number
  readonly frozen: boolean
  readonly balance: bigint
  readonly seq: bigint | null
  readonly lots?: string | null
}

/** Those of these parties that are members of their realm. */
export async function readParties(db: Queryable, asked: readonly PartyQuery[]): Promise<PartyState[]> {
  const { rows } = await db.query<PartyRow>(statements.readParties, [
    plain(asked, (party) => party.realm),
    plain(asked, (party) => party.id),
    plain(asked, (party) => party.point),
  ])
  return rows.flatMap(({ place, account, frozen, balance, seq, lots }) => {
    const party = asked[place - 1]
    return party ? [{ ...party, account, frozen, balance: balance ?? 0n, seq, lots }] : []
  })
}

/** An entry that is in the journal exactly when its batch was committed. */
export type Proof = { readonly realm: number; readonly seq: bigint; readonly hash: string }

/** A command's realm and its Idempotency-Key. */
export type RetryQuery = { readonly realm: number; readonly retry: Retry }

export function readRequests(db: Queryable, asked: readonly RetryQuery[]): Promise<Answer<RequestRow>> {
  return db.query(statements.readRequests, requestsOf(asked))
}

/** A balance and the seq it must have. */
export type Confirm = {
  readonly realm: number
  readonly account: number
  readonly point: number
  readonly seq: bigint | null
}

export function confirmBalances(db: Queryable, looked: readonly Confirm[]): Promise<Answer<unknown>> {
  return db.query(statements.confirmBalances, [
    plain(looked, (one) => one.realm),
    plain(looked, (one) => one.account),
    plain(looked, (one) => one.point),
    plain(looked, (one) => one.seq),
  ])
}

const requestsOf = (keyed: readonly RetryQuery[]): string[] => [
  plain(keyed, (one) => one.realm),
  plain(keyed, (one) => one.retry.request),
]

export const confirmRequests = (db: Queryable, keyed: readonly RetryQuery[]): Promise<Answer<unknown>> =>
  db.query(statements.confirmRequests, requestsOf(keyed))

export const confirmUnused = (db: Queryable, keyed: readonly RetryQuery[]): Promise<Answer<unknown>> =>
  db.query(statements.confirmUnused, requestsOf(keyed))

export async function findEntry(db: Queryable, { realm, seq, hash }: Proof): Promise<boolean> {
  const { rows } = await db.query(statements.findEntry, [realm, seq, Buffer.from(hash, 'hex')])
  return rows.length === 1
}

export async function hasDeparted(db: Queryable, realm: number): Promise<boolean> {
  return (await db.query(statements.readDeparted, [realm])).rows.length > 0
}

export function fenceHead(db: Queryable, { realm, seq, hash }: Proof): Promise<Answer<never>> {
  return db.query(statements.fenceHead, [realm, seq, Buffer.from(hash, 'hex')])
}
