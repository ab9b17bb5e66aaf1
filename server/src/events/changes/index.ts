import type { Database } from '../../db/database.ts'
import { type RefusalError, refuse } from '../../errors.ts'
import { type FeedState, type Place, readChanges, type StoredChange } from './store.ts'

export { FeedRetention, feedEverySeconds } from './retention.ts'
export type { StoredChange } from './store.ts'

/** A place, and the history of the database in which it means anything. */
export type FeedCursor = Place & Pick<FeedState, 'systemId' | 'timeline'>

export type FeedPage = {
  readonly changes: readonly StoredChange[]
  /** Where this page ends: nothing that is committed later comes before it. */
  readonly end: FeedCursor
  readonly hasMore: boolean
}

const start: Place = { xid: '0', realm: 0 }

function isBefore(a: Place, b: Place): boolean {
  const [own, other] = [BigInt(a.xid), BigInt(b.xid)]
  return own < other || (own === other && a.realm < b.realm)
}

/** Which realms have new entries, for operators: one feed of all realms. */
export class ChangeFeed {
  readonly #db: Database
  readonly #isOn: boolean

  constructor(db: Database, isOn: boolean) {
    this.#db = db
    this.#isOn = isOn
  }

  /** From the oldest change that is stored, or after a cursor. */
  async page(after: FeedCursor | undefined, limit: number): Promise<FeedPage> {
    if (!this.#isOn) throw notSetUp()
    const { state, changes } = await readChanges(this.#db, after ?? start, limit + 1)
    if (after) refuseLost(after, state)
    const { systemId, timeline } = state
    const page = changes.slice(0, limit)
    const last = page.at(-1)
    const hasMore = changes.length > limit
    // Everything below the horizon has been read. Realms have numbers above 0.
    const { xid, realm } = hasMore && last ? last : { xid: state.horizon, realm: 0 }
    return { changes: page, end: { systemId, timeline, xid, realm }, hasMore }
  }
}

function refuseLost(after: FeedCursor, state: FeedState): void {
  if (after.systemId !== state.systemId || after.timeline !== state.timeline)
    throw expired('This cursor is of another history: the database was restored, or another primary serves.')
  if (isBefore(after, state.deleted))
    throw expired('Changes after this cursor were deleted, or not recorded, meanwhile.')
}

const expired = (why: string): RefusalError =>
  refuse(
    'cursor_expired',
    `${why} Begin without a cursor, and read every realm’s journal from your last seq.`,
  )

const notSetUp = (): RefusalError =>
  refuse('not_set_up', 'This server records no changes. Turn it on with the setting OPERATOR_FEED.')
