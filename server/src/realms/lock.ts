import type { Database } from '../db/database.ts'
import { writeTransaction } from '../db/rowSecurity.ts'
import type { Writable } from '../db/session.ts'
import { changeConfigVersion } from './store.ts'

/** What decisions read changes only in here: the update of the version takes the head lock. */
export function underHeadLock<T>(
  db: Database,
  realm: number,
  work: (tx: Writable) => Promise<T>,
): Promise<T> {
  return writeTransaction(db, [realm], async (tx) => {
    await changeConfigVersion(tx, realm)
    return work(tx)
  })
}
