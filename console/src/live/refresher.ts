import type { InfiniteData, Query, QueryClient, QueryKey } from '@tanstack/react-query'
import type { Changes, LiveEntry } from './entry.ts'
import { type JournalFilter, passes } from './filter.ts'

type Refresh = { readonly queries: QueryClient; readonly realm: string }

/** Loads what new entries have changed, if it is shown, and marks it as stale otherwise. */
export class Refresher {
  readonly #queries: QueryClient
  readonly #realm: string
  /** Were loading when an entry arrived: their response may be older than it. */
  readonly #late = new Set<string>()
  /** Journals whose reader is not at the top. */
  readonly #held = new Set<string>()

  constructor({ queries, realm }: Refresh) {
    this.#queries = queries
    this.#realm = realm
  }

  /** A journal that is not to change, as its reader is not at the top, until the returned function is called. */
  hold(key: QueryKey): () => void {
    const name = JSON.stringify(key)
    this.#held.add(name)
    return () => this.#held.delete(name)
  }

  /**
   * Returns whether there is more to load. A request that is in progress is not aborted: if entries arrive
   * faster than the server answers, none would ever end.
   */
  apply(changes: Changes): boolean {
    const concerned = (query: Query) =>
      (this.#late.has(query.queryHash) || isConcerned(query.queryKey, changes)) && !this.#isHeld(query)
    const found = this.#queries
      .getQueryCache()
      .findAll({ queryKey: ['realm', this.#realm], predicate: concerned })
    this.#late.clear()
    for (const query of found) if (query.state.fetchStatus !== 'idle') this.#late.add(query.queryHash)
    for (const query of found) if (!this.#late.has(query.queryHash)) this.load(query.queryKey)
    return this.#late.size > 0
  }

  /**
   * A journal from its top: pages far below it are dropped, not loaded again one after another. With filters
   * they may be short, and all in sight.
   */
  load(key: QueryKey): void {
    if (key[2] === 'journal' && JSON.stringify(key[3]) === '{}')
      this.#queries.setQueryData<InfiniteData<unknown>>(key, firstPage)
    void this.#queries.invalidateQueries({ queryKey: key, exact: true }, { cancelRefetch: false })
  }

  /** Entries that were shown are gone. */
  reset(): void {
    void this.#queries.resetQueries({
      queryKey: ['realm', this.#realm],
      predicate: ({ queryKey }) => isConcerned(queryKey, { entries: [], everything: true }),
    })
  }

  #isHeld({ queryKey }: Query): boolean {
    return this.#held.has(JSON.stringify(queryKey))
  }
}

const firstPage = (data: InfiniteData<unknown> | undefined) =>
  data && data.pages.length > 1
    ? { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) }
    : data

/** The entries that begin or end a hold, or an award. */
const reservedBy: Readonly<Record<string, ReadonlySet<LiveEntry['type']>>> = {
  holds: new Set(['hold', 'capture', 'release', 'expiry']),
  awards: new Set(['award', 'grant', 'cancel']),
}

/** Whether a query of the realm may have another answer now. Its key is ['realm', id, what, …]. */
export function isConcerned([, , what, first, second]: QueryKey, changes: Changes): boolean {
  const { entries, everything } = changes
  const isOf = (member: unknown) =>
    everything || entries.some(({ members }) => members.some((id) => id === member))
  const any = everything || entries.length > 0
  if (what === 'statistics') return any && first !== 'count'
  // On the page of a member: who is ranked before is not worth a request for each entry of the realm.
  if (what === 'leaderboard') return first === 'rank' ? isOf(second) : any
  if (what === 'member') return second !== 'wallets' && isOf(first)
  if (what === 'reserved')
    return everything || entries.some(({ type }) => reservedBy[String(first)]?.has(type))
  if (what === 'entry') return everything || entries.some(({ link }) => link === first)
  if (what === 'journal') return everything || entries.some((entry) => passes(entry, first as JournalFilter))
  return false
}
