import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { TestDatabase } from './suite.ts'

const settleMs = 200

/**
 * Starts each of these in turn while every realm's head is locked, so that they wait for each other; then
 * releases it. Each request has reached the server's queue when the next starts.
 */
export async function heldBack<T>(
  database: TestDatabase,
  starts: readonly (() => Promise<T>)[],
): Promise<T[]> {
  const holder = new pg.Client({ connectionString: database.superuserUrl, query_timeout: 10_000 })
  await holder.connect()
  try {
    await holder.query('begin')
    await holder.query('select from exchequer.heads for update')
    const started: Promise<T>[] = []
    for (const start of starts) {
      started.push(start())
      await sleep(settleMs)
    }
    await holder.query('commit')
    return await Promise.all(started)
  } finally {
    await holder.end()
  }
}
