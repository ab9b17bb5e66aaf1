import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { useApp } from '../app.tsx'
import { useWords } from '../preferences.tsx'
import { Icon } from '../ui/icons.tsx'

const everyMs = 3000

/** Shows that the server is unreachable, polls it every few seconds, and reloads all data when it is back. */
export function OfflineBanner() {
  const { reach, place } = useApp()
  const { states } = useWords()
  const queries = useQueryClient()
  const lost = useSyncExternalStore(reach.subscribe, reach.isLost)
  useEffect(() => {
    if (!lost) return
    const look = async () => {
      const signal = AbortSignal.timeout(everyMs)
      const answer = await fetch(`${place.server}/readyz`, { signal }).catch(() => undefined)
      if (answer?.ok) reach.tell(false)
    }
    const timer = setInterval(() => void look(), everyMs)
    return () => {
      clearInterval(timer)
      // The server is reachable again, whichever request noticed it: reload what failed meanwhile.
      if (!reach.isLost()) void queries.invalidateQueries()
    }
  }, [lost, place, reach, queries])
  if (!lost) return null
  return (
    <div
      role="alert"
      className="flex items-center justify-center gap-2 bg-warn-soft px-4 py-2 text-sm text-warn"
    >
      <Icon name="alert" />
      {states.offlineBanner}
    </div>
  )
}
