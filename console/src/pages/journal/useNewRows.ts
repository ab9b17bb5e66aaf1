import type { QueryKey } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { mostCounted, type Top, useAtTop } from '../../live/atTop.tsx'
import { type Changes, liveEntryOf } from '../../live/entry.ts'
import { type JournalFilter, passes } from '../../live/filter.ts'
import { useChanges, useLive } from '../../live/live.tsx'
import { useRealm } from '../../realm.tsx'

type Listed = {
  readonly key: QueryKey
  /** The number of the newest entry in the list. */
  readonly newest: string | undefined
}
type NewRows = { readonly top: Top; readonly count: number; readonly show: () => void }

/**
 * New entries of the list that is shown: at its top they appear, as the list is loaded again. Further down
 * they are only counted, and appear when the reader returns to the top.
 */
export function useNewRows({ key, newest = '0' }: Listed): NewRows {
  const live = useLive()
  const top = useAtTop()
  const name = JSON.stringify(key)
  const { count, clear } = useCount(name, { newest, isCounting: !top.isAtTop })
  // Of what was posted while the page was hidden, not all may have been counted.
  const isStale = useRef(false)
  useChanges(
    useCallback(
      ({ everything }) => {
        isStale.current ||= everything && !top.isAtTop
      },
      [top.isAtTop],
    ),
  )
  useEffect(() => (top.isAtTop ? undefined : live?.hold(JSON.parse(name))), [live, top.isAtTop, name])
  const show = useCallback(() => {
    clear()
    isStale.current = false
    live?.load(JSON.parse(name))
  }, [live, name, clear])
  useEffect(() => {
    if (top.isAtTop && (count > 0 || isStale.current)) show()
  }, [top.isAtTop, count, show])
  return { top, count, show }
}

type Counting = { readonly newest: string; readonly isCounting: boolean }

/** How many entries a list lacks. */
function useCount(name: string, { newest, isCounting }: Counting) {
  const [count, setCount] = useState(0)
  const list = useRef({ name, seen: 0n })
  useEffect(() => {
    // Entries that the list has are not counted, whichever request brought them.
    list.current = { name, seen: BigInt(newest) }
    setCount(0)
  }, [name, newest])
  const missed = useMissed()
  const add = useCallback(
    async (changes: Changes) => {
      const at = list.current
      const entries = changes.everything ? await missed(at.seen) : changes.entries
      const unseen = entries.filter(({ seq }) => BigInt(seq) > at.seen)
      at.seen = BigInt(unseen.at(-1)?.seq ?? at.seen)
      const filter = JSON.parse(at.name)[3] as JournalFilter
      const found = unseen.filter((entry) => passes(entry, filter)).length
      if (found > 0 && at === list.current) setCount((before) => before + found)
    },
    [missed],
  )
  useChanges(useCallback((changes) => void (isCounting && add(changes)), [isCounting, add]))
  return { count, clear: useCallback(() => setCount(0), []) }
}

/** Entries that were posted while the page was hidden; none if they can't be read now. */
function useMissed() {
  const { client } = useRealm()
  return useCallback(
    async (after: bigint) => {
      const list = client.journal({ cursor: String(after), limit: mostCounted })
      const page = await list.page().catch(() => undefined)
      return page?.data.map(liveEntryOf) ?? []
    },
    [client],
  )
}
