import { useEffect, useMemo, useRef } from 'react'

/** For long operations: starting a new one, or leaving the page, aborts the one in progress. */
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
