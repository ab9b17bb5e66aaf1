import type { JournalEntry, Realm, Statistics } from '@exchequer/sdk'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { firstOfLast } from '../../days.ts'
import { realmKey, useRealm } from '../../realm.tsx'
import type { Span } from '../../search.ts'
import { type Bucket, dayBuckets, hourBuckets, hourMs, hoursShown } from './buckets.ts'

const days: Readonly<Record<Span, number>> = { '24h': 2, '7d': 7, '30d': 30, '90d': 90 }
/** The most entries read for the last 24 hours; a realm with more is shown by day. */
const entriesCap = 20_000

type Overview = {
  readonly data: { readonly statistics: Statistics; readonly buckets: readonly Bucket[] } | undefined
  readonly error: unknown
  readonly retry: () => void
}

/** Statistics of a span in one point type: by day, or by hour for the last 24 hours. */
export function useOverview(span: Span, point: string): Overview {
  const { id, client, data: realm } = useRealm()
  const query = useQuery({
    queryKey: [...realmKey(id), 'statistics', span],
    queryFn: async ({ signal }) => {
      const nowMs = Date.now()
      const statistics = await client.statistics({ from: firstOfLast(days[span], realm.timeZone) })
      const entries = span === '24h' ? await lastEntries(client, nowMs, signal) : undefined
      return { statistics, entries, nowMs }
    },
    // The last 24 hours are read entry by entry, which is too much to repeat every minute.
    refetchInterval: span === '24h' ? false : 60_000,
    placeholderData: (before) => before,
  })
  const data = useMemo(() => {
    if (!query.data) return undefined
    const { statistics, entries, nowMs } = query.data
    const buckets = entries
      ? hourBuckets(entries, statistics, { point, nowMs })
      : dayBuckets(statistics, point)
    return { statistics, buckets }
  }, [query.data, point])
  return { data, error: query.data ? undefined : query.error, retry: () => void query.refetch() }
}

async function lastEntries(
  client: Realm,
  nowMs: number,
  signal: AbortSignal,
): Promise<JournalEntry[] | undefined> {
  const since = new Date((Math.floor(nowMs / hourMs) - hoursShown + 1) * hourMs)
  const found: JournalEntry[] = []
  for await (const entry of client.journal({ from: since, signal })) {
    if (found.length >= entriesCap) return undefined
    found.push(entry)
  }
  return found
}
