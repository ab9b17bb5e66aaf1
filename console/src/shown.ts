import { useEffect, useRef } from 'react'

/** Whether a component is still in the page when an answer comes. */
export function useShown(): () => boolean {
  const shown = useRef(false)
  useEffect(() => {
    shown.current = true
    return () => {
      shown.current = false
    }
  }, [])
  return () => shown.current
}
