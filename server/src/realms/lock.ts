import type { Database } from '../db/database.ts'
import { bind } from '../db/rowSecurity.ts'
import type { Queryable } from '../db/session.ts'
import { changeConfigVersion } from './store.ts'

/** What decisions read changes only in here: the update of the version takes the head lock. */
export function underHeadLock<T>(
  db: Database,
  realm: number,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    await bind(tx, [realm])
    await changeConfigVersion(tx, realm)
    return work(tx)
  })
}
