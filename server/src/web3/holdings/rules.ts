import type { Database } from '../../db/database.ts'
import { chainUnavailable, refuse } from '../../errors.ts'
import { type Holder, lastAccount, listHolders } from './ruleStore.ts'
import { type CollectionRow, listCollections } from './store.ts'

/** Members who hold at least this much of a collection, in wallets that they have proved. */
export type Rule = { readonly collection: string; readonly atLeast: bigint }

/** The members that match a rule, from a position on. `next` is where to continue; null after the last. */
export type HolderSelection = {
  readonly row: CollectionRow
  readonly holders: readonly Holder[]
  readonly next: number | null
}

/** Accounts scanned by one statement, and statements of one page: about 100 ms each. */
const window = 50_000
const windowsCap = 10
/** How often amounts are read until no reading of their chain ended meanwhile. */
export const tries = 3

/** Whether amounts that were read between these two belong to their blocks. */
export const isSameReading = (before: readonly CollectionRow[], after: readonly CollectionRow[]): boolean =>
  before.length === after.length &&
  before.every(({ id, block_hash: hash, seen_at: seenAt }, index) => {
    const now = after[index]
    return now?.id === id && now.block_hash === hash && now.seen_at?.getTime() === seenAt?.getTime()
  })

export const readMeanwhile = () =>
  chainUnavailable('The chain was read again during this request; try again.')

/** A page is as of one block: the collection has the same block before and after. */
export async function pick(
  db: Database,
  realm: number,
  { rule, after, limit }: { readonly rule: Rule; readonly after: number; readonly limit: number },
): Promise<HolderSelection> {
  const own = db.within([realm])
  let row = found(await listCollections(own, realm), rule.collection)
  for (let tried = 0; tried < tries; tried++) {
    const asked = { realm, collection: row, atLeast: rule.atLeast }
    const last = await lastAccount(own, realm)
    const holders: Holder[] = []
    let from = after
    for (let count = 0; count < windowsCap && from < last && holders.length < limit; count++) {
      const upTo = Math.min(from + window, last)
      const range = { after: from, upTo, limit: limit - holders.length }
      const some = await listHolders(own, asked, range)
      holders.push(...some)
      from = holders.length < limit ? upTo : (some.at(-1)?.account ?? upTo)
    }
    const now = found(await listCollections(own, realm), rule.collection)
    if (isSameReading([row], [now])) return { row, holders, next: from < last ? from : null }
    row = now
  }
  throw readMeanwhile()
}

/** Whether all accounts after a position are scanned for one page, unless the limit is reached before. */
export async function isOnePage(db: Database, realm: number, after: number): Promise<boolean> {
  return (await lastAccount(db.within([realm]), realm)) <= after + window * windowsCap
}

function found(rows: readonly CollectionRow[], id: string): CollectionRow {
  const row = rows.find((one) => one.id === id)
  if (!row) throw refuse('collection_not_found', `The realm has no collection ${id}.`)
  if (row.block === null)
    throw chainUnavailable(`The collection ${id} has not been read yet; try again later.`)
  return row
}
