import pg from 'pg'
import type { Suite, TestDatabase } from './suite.ts'

/** Reads the database directly, as superuser. */
export async function query<Row extends pg.QueryResultRow>(
  database: TestDatabase,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({
    connectionString: database.superuserUrl,
    options: '-c search_path=exchequer',
    query_timeout: 10_000,
  })
  await client.connect()
  try {
    return (await client.query<Row>(text, [...values])).rows
  } finally {
    await client.end()
  }
}

/** How many entries a realm's journal has. */
export async function entryCount(made: Suite, realmId = made.fixture.realm.id): Promise<number> {
  const rows = await query<{ count: string }>(
    made.database,
    'select count(*)::text as count from journal where realm = (select realm from realms where id = $1)',
    [realmId],
  )
  return Number(rows[0]?.count)
}

export type StoredEntry = {
  key: number
  kind: number
  amount: string
  point_id: string
  from_id: string | null
  to_id: string | null
  from_balance: string | null
  to_balance: string | null
  at_ms: string
  reason: string | null
  reference: string | null
  metadata: string | null
  actor_id: string | null
}

/** One entry as it is stored, with its details. */
export async function storedEntry(made: Suite, seq: string): Promise<StoredEntry | undefined> {
  const text = `select j.key, j.kind, j.amount::text, p.id as point_id,
      f.id::text as from_id, t.id::text as to_id, j.from_balance::text, j.to_balance::text,
      (j.at_us / 1000)::text as at_ms,
      d.reason, d.reference, d.metadata, d.actor_id::text
    from journal j join points p on p.realm = j.realm and p.number = j.point
    left join members f on f.realm = j.realm and f.account = j.from_account
    left join members t on t.realm = j.realm and t.account = j.to_account
    left join details d on d.realm = j.realm and d.seq = j.seq
    where j.realm = (select realm from realms where id = $1) and j.seq = $2`
  const [row] = await query<StoredEntry>(made.database, text, [made.fixture.realm.id, seq])
  return row
}
