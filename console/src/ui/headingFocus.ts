import { useRouterState } from '@tanstack/react-router'
import { createContext, type RefObject, useContext, useEffect, useRef } from 'react'

/** The path whose heading has had the focus last; undefined before the first page. */
export type Visited = { current: string | undefined }
export const VisitedContext = createContext<Visited>({ current: undefined })

const typing = 'input, textarea, select, [contenteditable], [role=dialog] *, [role=dialog]'

/** After a navigation the focus is on the heading of the page, unless a dialog opens or someone types. */
export function useHeadingFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const visited = useContext(VisitedContext)
  // Not the current location: it changes while the page before is still shown.
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  useEffect(() => {
    if (path === undefined || visited.current === path) return
    const isFirst = visited.current === undefined
    visited.current = path
    if (isFirst) return
    // After what closes has given the focus back.
    const frame = requestAnimationFrame(() => {
      const isBusy = document.activeElement?.matches(typing) || document.querySelector('[role=dialog] form')
      if (!isBusy) heading.current?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [path, visited])
  return heading
}
