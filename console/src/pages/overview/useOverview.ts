import type { JournalEntry, Realm, Statistics } from '@exchequer/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { firstOfLast } from '../../days.ts'
import { realmKey, useRealm } from '../../realm.tsx'
import type { Span } from '../../search.ts'
import { type Bucket, dayBuckets, hourBuckets, hourMs, hoursShown } from './buckets.ts'

const days: Readonly<Record<Span, number>> = { '24h': 2, '7d': 7, '30d': 30, '90d': 90 }
/** The most entries read for the last 24 hours; a realm with more is shown by day. */
const entriesCap = 20_000

type Shown = {
  readonly statistics: Statistics
  readonly buckets: readonly Bucket[]
  /** The period of the same length before it; empty for the last 24 hours. */
  readonly before: readonly Bucket[]
}

type Overview = {
  readonly data: Shown | undefined
  readonly error: unknown
  readonly retry: () => void
}

/** Statistics of a span in one point type: by day, or by hour for the last 24 hours. */
export function useOverview(span: Span, point: string): Overview {
  const { id, client, data: realm } = useRealm()
  const queries = useQueryClient()
  const queryKey = [...realmKey(id), 'statistics', span]
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<Read> => {
      const nowMs = Date.now()
      const read = span === '24h' ? days[span] : 2 * days[span]
      const statistics = await client.statistics({ from: firstOfLast(read, realm.timeZone) })
      if (span !== '24h') return { statistics, entries: undefined, nowMs }
      const known = queries.getQueryData<Read>(queryKey)
      // Too many a moment ago are too many now.
      if (known && !known.entries && nowMs - known.nowMs < hourMs) return { ...known, statistics }
      return { statistics, entries: await lastEntries(client, { nowMs, signal, known }), nowMs }
    },
    refetchInterval: 60_000,
    placeholderData: (before) => before,
  })
  const data = useMemo(() => {
    if (!query.data) return undefined
    const { statistics, entries, nowMs } = query.data
    if (entries)
      return { statistics, buckets: hourBuckets(entries, statistics, { point, nowMs }), before: [] }
    const buckets = dayBuckets(statistics, point)
    const shown = -days[span]
    return {
      statistics: { ...statistics, days: statistics.days.slice(shown) },
      buckets: buckets.slice(shown),
      before: buckets.slice(0, shown),
    }
  }, [query.data, point, span])
  return { data, error: query.data ? undefined : query.error, retry: () => void query.refetch() }
}

/** What was read before, of the last 24 hours entry by entry unless there are too many. */
type Read = {
  readonly statistics: Statistics
  readonly entries: readonly JournalEntry[] | undefined
  readonly nowMs: number
}
type Reading = { readonly nowMs: number; readonly signal: AbortSignal; readonly known: Read | undefined }

/** Continues after the entries that are known: thousands are not read again for each new one. */
async function lastEntries(
  client: Realm,
  { nowMs, signal, known }: Reading,
): Promise<readonly JournalEntry[] | undefined> {
  const sinceMs = (Math.floor(nowMs / hourMs) - hoursShown + 1) * hourMs
  const found = (known?.entries ?? []).filter(({ atUs }) => Number(atUs) >= sinceMs * 1000)
  const last = found.at(-1)
  const start = last ? { cursor: last.seq } : { from: new Date(sinceMs) }
  for await (const entry of client.journal({ ...start, signal })) {
    if (found.length >= entriesCap) return undefined
    found.push(entry)
  }
  return found
}
