import { plainArray as plain, textArray as texts } from '../../db/arrays.ts'
import type { Answer, Queryable, Writable } from '../../db/session.ts'
import { drawnVersion } from '../../realms/index.ts'
import type { LoadedEntry, LoadedMember, LoadedPoint, LoadedWallet, RealmHeader } from './realmFile.ts'

/** Inserts the rows of an exported realm, as they are. */
export const statements = {
  begin: { name: 'loads_begin', text: 'begin isolation level read committed, read write' },
  insertRealm: {
    name: 'loads_insert_realm',
    text: 'insert into realms (id, created_at, name) values ($1, $2, $3) returning realm',
  },
  insertHead: {
    name: 'loads_insert_head',
    text: `insert into heads (realm, hash, next_account, config_version)
      values ($1, $2, $3, ${drawnVersion})`,
  },
  insertSettings: {
    name: 'loads_insert_settings',
    writes: true,
    text: `insert into settings (realm, realm_id, name, unknown_members, default_point, logo, colours,
        time_zone, identity_key)
      values ($1, $2, $3, $4, $5, $6, $7, $8, decode($9, 'hex'))`,
  },
  insertPoints: {
    name: 'loads_insert_points',
    writes: true,
    text: `insert into points (realm, number, id, name, emoji, max_balance, max_per_transfer, max_per_day,
        transferable, created_at, archived_at)
      select $1::integer, * from unnest($2::smallint[], $3::text[], $4::text[], $5::text[], $6::bigint[],
        $7::bigint[], $8::bigint[], $9::boolean[], $10::timestamptz[], $11::timestamptz[])`,
  },
  insertSteps: {
    name: 'loads_insert_steps',
    writes: true,
    text: `insert into lapse_rules (realm, point, number, from_seq, base_day, not_before, time_zone, rule)
      select $1::integer, * from unnest($2::smallint[], $3::integer[], $4::bigint[], $5::integer[],
        $6::integer[], $7::text[], $8::text[])`,
  },
  insertMembers: {
    name: 'loads_insert_members',
    writes: true,
    text: `insert into members (realm, account, id, username, display_name, metadata, note, hidden, frozen_at,
        joined_at, updated_at, unfrozen_at)
      select $1::integer, * from unnest($2::integer[], $3::bigint[], $4::text[], $5::text[], $6::text[],
        $7::text[], $8::boolean[], $9::timestamptz[], $10::timestamptz[], $11::timestamptz[],
        $12::timestamptz[])
      on conflict (realm, account) do nothing`,
  },
  insertWallets: {
    name: 'loads_insert_wallets',
    writes: true,
    text: `insert into wallets (realm, match, account, address, chain, linked_at, verified_at, merged)
      select $1::integer, * from unnest($2::text[], $3::integer[], $4::text[], $5::text[], $6::timestamptz[],
        $7::timestamptz[], $8::integer[])
      on conflict (realm, match) do nothing`,
  },
  putBalances: {
    name: 'loads_put_balances',
    writes: true,
    text: `insert into balances (realm, account, point, balance, seq, at_us, lots)
      select $1::integer, * from unnest($2::integer[], $3::smallint[], $4::bigint[], $5::bigint[],
        $6::bigint[], $7::text[])
      on conflict (realm, account, point) do update
        set balance = excluded.balance, seq = excluded.seq, at_us = excluded.at_us, lots = excluded.lots`,
  },
  /** From the exact hash that the entries continue from. */
  moveHead: {
    name: 'loads_move_head',
    writes: true,
    text: `with moved as (update heads set seq = $2, hash = $3, at_us = $4
        where realm = $1 and hash = $5 returning 1)
      select expect_rows((select count(*) from moved), 1)`,
  },
} as const

export type Sent = Promise<Answer<unknown>>

export const begin = (db: Queryable): Sent => db.query(statements.begin)

type LoadedSettings = { readonly createdAt: string; readonly name: string }

export async function insertRealm(
  db: Queryable,
  id: string,
  { createdAt, name }: LoadedSettings,
): Promise<number> {
  const { rows } = await db.query<{ realm: number }>(statements.insertRealm, [id, createdAt, name])
  const [row] = rows
  if (!row) throw new Error('a new realm was given no number')
  return row.realm
}

export const insertHead = (db: Queryable, realm: number, head: { hash: string; nextAccount: number }): Sent =>
  db.query(statements.insertHead, [realm, `\\x${head.hash}`, head.nextAccount])

export function insertSettings(db: Writable, realm: number, header: RealmHeader): Sent {
  const { settings, points, defaultPointId, realmId } = header
  const { name, unknownMembers: unknown, logo, colours, timeZone: zone, identityKey = null } = settings
  const point = points.find(({ id }) => id === defaultPointId)?.number
  const values = [realm, realmId, name, unknown, point, logo, colours, zone, identityKey]
  return db.query(statements.insertSettings, values)
}

export function insertPoints(db: Writable, realm: number, rows: readonly LoadedPoint[]): Sent {
  return db.query(statements.insertPoints, [
    realm,
    plain(rows, (row) => row.number),
    texts(rows, (row) => row.id),
    texts(rows, (row) => row.name),
    texts(rows, (row) => row.emoji),
    texts(rows, (row) => row.maxBalance),
    texts(rows, (row) => row.maxPerTransfer),
    texts(rows, (row) => row.maxPerDay),
    plain(rows, (row) => String(row.transferable)),
    texts(rows, (row) => row.createdAt),
    texts(rows, (row) => row.archivedAt),
  ])
}

export function insertSteps(db: Writable, realm: number, points: readonly LoadedPoint[]): Sent {
  const rows = points.flatMap(({ number: point, lapse = [] }) => lapse.map((step) => ({ ...step, point })))
  return db.query(statements.insertSteps, [
    realm,
    plain(rows, (row) => row.point),
    plain(rows, (row) => row.number),
    texts(rows, (row) => row.fromSeq),
    plain(rows, (row) => row.baseDay),
    plain(rows, (row) => row.notBefore),
    texts(rows, (row) => row.timeZone),
    texts(rows, (row) => row.rule),
  ])
}

export function insertMembers(db: Writable, realm: number, rows: readonly LoadedMember[]): Sent {
  return db.query(statements.insertMembers, [
    realm,
    plain(rows, (row) => row.account),
    texts(rows, (row) => row.id),
    texts(rows, (row) => row.username),
    texts(rows, (row) => row.displayName),
    texts(rows, (row) => row.metadata),
    texts(rows, (row) => row.note),
    plain(rows, (row) => String(row.hidden)),
    texts(rows, (row) => row.frozenAt),
    texts(rows, (row) => row.joinedAt),
    texts(rows, (row) => row.updatedAt),
    texts(rows, (row) => row.unfrozenAt),
  ])
}

export function insertWallets(db: Writable, realm: number, rows: readonly LoadedWallet[]): Sent {
  return db.query(statements.insertWallets, [
    realm,
    texts(rows, (row) => row.match),
    plain(rows, (row) => row.account),
    texts(rows, (row) => row.address),
    texts(rows, (row) => row.chain),
    texts(rows, (row) => row.linkedAt),
    texts(rows, (row) => row.verifiedAt),
    plain(rows, (row) => row.mergedBy ?? null),
  ])
}

export type FoldedBalance = {
  readonly account: number
  readonly point: number
  readonly balance: string
  readonly seq: string
  readonly atUs: string
  readonly lots: string | null
}

export function putBalances(db: Writable, realm: number, rows: readonly FoldedBalance[]): Sent {
  return db.query(statements.putBalances, [
    realm,
    plain(rows, (row) => row.account),
    plain(rows, (row) => row.point),
    texts(rows, (row) => row.balance),
    texts(rows, (row) => row.seq),
    texts(rows, (row) => row.atUs),
    texts(rows, (row) => row.lots),
  ])
}

export function moveHead(db: Writable, realm: number, head: { from: string; to: LoadedEntry }): Sent {
  const { seq, hash, atUs } = head.to
  return db.query(statements.moveHead, [realm, seq, `\\x${hash}`, atUs, `\\x${head.from}`])
}

/** Point types are numbers in the tables, and public ids in the file. */
export type Points = ReadonlyMap<string, number>
