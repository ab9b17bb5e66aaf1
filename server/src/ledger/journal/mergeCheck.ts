import type { Queryable } from '../../db/session.ts'
import { type MergeRow, readMerges } from './mergeCheckStore.ts'
import { Wrong } from './wrong.ts'

const pageSize = 1_000

/**
 * A merged account is empty after its merge and never moves again, unless the merge is undone; and a merge's
 * entries are its own.
 */
export async function checkMerges(db: Queryable, realm: number): Promise<void> {
  for (let after = 0; ; ) {
    const rows = await readMerges(db, realm, { after, limit: pageSize })
    for (const row of rows) check(row)
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return
    after = last.number
  }
}

function check({ number, from_account: account, ...row }: MergeRow): void {
  const wrong = (why: string) => new Wrong(`merge ${number}`, why)
  if (row.right_entries !== row.entries)
    throw wrong(`it has ${row.entries} entries, but the journal has ${row.right_entries} of it`)
  if (row.again !== null)
    throw wrong(`entry ${row.again} moves points of account ${account}, which was merged before`)
  if (row.has_points) throw wrong(`account ${account} has points, but was merged`)
}
