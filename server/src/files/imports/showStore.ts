import type { Queryable, Writable } from '../../db/session.ts'
import type { RealmHeader } from './realmFile.ts'

/** How a realm is found and locked while it is being loaded, and made visible at the end. */
export const statements = {
  findRealm: { name: 'loads_find_realm', text: 'select realm from realms where id = $1' },
  readHead: {
    name: 'loads_read_head',
    text: `select seq, encode(hash, 'hex') as hash from heads where realm = $1`,
  },
  /** As long as the session lasts: one process at a time loads a file. */
  lockLoading: {
    name: 'loads_lock_loading',
    text: 'select pg_try_advisory_lock(hashtextextended($1, 0)) as locked',
  },
  /** Only while it is being loaded: under its own id it is in use. */
  hideRealm: {
    name: 'loads_hide_realm',
    writes: true,
    text: `update realms set id = 'wrong-' || realm where realm = $1 and id = $2`,
  },
  /** From now on it is found by its own id. */
  showRealm: {
    name: 'loads_show_realm',
    writes: true,
    text: 'update realms set id = $2, next_key = $3, rate = $4, burst = $5 where realm = $1 and id = $6',
  },
  /** Those accounts that have no member: their members were removed before the export. */
  insertDepartures: {
    name: 'loads_insert_departures',
    writes: true,
    text: `insert into departures (realm, account)
      select $1::integer, a.account from generate_series($2::integer, $3::integer) as a (account)
      left join lateral (select account from members
        where realm = $1 and account = a.account limit 1) m on true
      where m.account is null
      on conflict do nothing`,
  },
  /** From now on its points lapse. */
  insertSweeps: {
    name: 'loads_insert_sweeps',
    writes: true,
    text: `insert into lapse_sweeps (realm, point, due_at)
      select distinct on (point) realm, point, case when rule is not null then clock_timestamp() end
      from lapse_rules where realm = $1 order by point, number desc`,
  },
  /** All entries at once: readers of the operator feed can't read the realm before. */
  insertChange: {
    name: 'loads_insert_change',
    writes: true,
    text: `insert into changes (realm, from_seq, to_seq)
      select realm, 1, seq from heads where realm = $1 and seq > 0`,
  },
} as const

export async function findRealm(db: Queryable, id: string): Promise<number | undefined> {
  return (await db.query<{ realm: number }>(statements.findRealm, [id])).rows[0]?.realm
}

export async function readHead(db: Queryable, realm: number): Promise<{ seq: bigint; hash: string }> {
  const { rows } = await db.query<{ seq: bigint; hash: string }>(statements.readHead, [realm])
  const [head] = rows
  if (!head) throw new Error(`the head of realm ${realm} is missing`)
  return head
}

/** Whether this session got the lock for loading it. */
export async function lockLoading(db: Queryable, id: string): Promise<boolean> {
  const { rows } = await db.query<{ locked: boolean }>(statements.lockLoading, [id])
  return rows[0]?.locked === true
}

/** Whether it was still being loaded. */
export async function hideRealm(db: Writable, realm: number, id: string): Promise<boolean> {
  return (await db.query(statements.hideRealm, [realm, id])).count === 1
}

type Shown = { readonly id: string; readonly header: RealmHeader }

/** Whether it was still being loaded. */
export async function showRealm(db: Writable, realm: number, { id, header }: Shown): Promise<boolean> {
  const { realmId, nextKey, settings } = header
  const values = [realm, realmId, nextKey, settings.rate, settings.burst, id]
  return (await db.query(statements.showRealm, values)).count === 1
}

export async function insertSweeps(db: Writable, realm: number): Promise<void> {
  await db.query(statements.insertSweeps, [realm])
}

/** A row of the operator feed. */
export async function insertChange(db: Writable, realm: number): Promise<void> {
  await db.query(statements.insertChange, [realm])
}

/** Accounts read by one statement: about 100 ms. */
const departuresPiece = 50_000

/** For all accounts below the next one. */
export async function insertDepartures(db: Writable, realm: number, nextAccount: number): Promise<void> {
  for (let from = 1; from < nextAccount; from += departuresPiece) {
    const to = Math.min(from + departuresPiece, nextAccount) - 1
    await db.query(statements.insertDepartures, [realm, from, to])
  }
}
