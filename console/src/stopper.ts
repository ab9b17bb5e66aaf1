import { useEffect, useMemo, useRef } from 'react'

/** For what takes its time: begun anew it stops what was under way, and so does whoever leaves the page. */
export function useStopper(): { readonly begin: () => AbortSignal; readonly stop: () => void } {
  const current = useRef<AbortController>(undefined)
  useEffect(() => () => current.current?.abort(), [])
  return useMemo(() => {
    const stop = () => current.current?.abort()
    const begin = () => {
      stop()
      const begun = new AbortController()
      current.current = begun
      return begun.signal
    }
    return { begin, stop }
  }, [])
}
