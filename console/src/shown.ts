import { useEffect, useRef } from 'react'

/** Whether a component is still mounted when a response arrives. */
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
