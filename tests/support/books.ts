import assert from 'node:assert/strict'
import pg from 'pg'
import { openDatabase } from '../../server/src/db/database.ts'
import { verify } from '../../server/src/ledger/journal/verify.ts'

/** Rows read directly from PostgreSQL: bigint is returned as a string. */
// biome-ignore lint/suspicious/noExplicitAny: a row's shape is what the tests look at
export async function rowsOf(url: string, text: string, values: unknown[] = []): Promise<any[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('set search_path = exchequer')
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}

/** Every realm's journal has no gap, verifies, and matches the stored balances. */
export async function assertBooks(urls: { serverUrl: string; superuserUrl: string }): Promise<void> {
  const heads = await rowsOf(
    urls.superuserUrl,
    `select h.realm, h.seq, (select count(*) from journal j where j.realm = h.realm) as entries,
      (select coalesce(max(seq), 0) from journal j where j.realm = h.realm) as last from heads h`,
  )
  const db = openDatabase(urls.serverUrl)
  try {
    for (const { realm, seq, entries, last } of heads) {
      assert.deepEqual({ realm, entries, last }, { realm, entries: seq, last: seq })
      const verdict = await verify(db, { realm })
      assert.ok(
        verdict.ok,
        JSON.stringify(verdict, (_key, value) => String(value)),
      )
      assert.equal(String(verdict.seq), seq)
    }
  } finally {
    await db.close()
  }
}
