import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { useApp } from '../app.tsx'
import { useWords } from '../preferences.tsx'
import { Icon } from '../ui/icons.tsx'

/** Says that the server is away, asks for it every few seconds, and loads all anew when it is back. */
export function OfflineBanner() {
  const { reach, place } = useApp()
  const { states } = useWords()
  const queries = useQueryClient()
  const lost = useSyncExternalStore(reach.subscribe, reach.isLost)
  const back = useQuery({
    queryKey: ['reach'],
    queryFn: async () => {
      const answer = await fetch(`${place.server}/readyz`, { signal: AbortSignal.timeout(5000) }).catch(
        () => undefined,
      )
      return answer?.ok ?? false
    },
    enabled: lost,
    refetchInterval: 3000,
    gcTime: 0,
  })
  useEffect(() => {
    if (!lost || back.data !== true) return
    reach.tell(false)
    void queries.invalidateQueries()
  }, [lost, back.data, reach, queries])
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
