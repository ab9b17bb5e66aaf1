import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { sqlState } from './failures.ts'

/**
 * Changing a table takes a lock that all other statements queue behind. We try for half a second at a time,
 * again and again, so that a transaction which holds the table does not block everyone else through us.
 */
const lockTimeout = '500ms'
const lockTries = 120
const lockPauseMs = 500

/** Runs `work` in a transaction, again while a lock is not available. */
export async function retryForLocks(client: pg.Client, work: () => Promise<unknown>): Promise<void> {
  for (let left = lockTries; ; left--) {
    try {
      await client.query('begin')
      await client.query(`set local lock_timeout = '${lockTimeout}'`)
      await work()
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      const lockNotAvailable = '55P03'
      if (left === 0 || sqlState(error) !== lockNotAvailable) throw error
      await sleep(lockPauseMs)
    }
  }
}
