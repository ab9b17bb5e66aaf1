import { type Dispatch, type SetStateAction, useEffect, useState } from 'react'
import { useApp } from './app.tsx'

/** What was typed into the forms of pages. It outlives the page, not the tab or the person. */
export type Drafts = Map<string, unknown>

/** State that is still there when its page is opened again. */
export function useDraft<T>(name: string, blank: T): readonly [T, Dispatch<SetStateAction<T>>] {
  const { drafts } = useApp()
  const [value, setValue] = useState(() => (drafts.get(name) as T | undefined) ?? blank)
  useEffect(() => void drafts.set(name, value), [drafts, name, value])
  return [value, setValue]
}

/** The browser asks before the tab is closed or reloaded. */
export function useLeaveWarning(isTyped: boolean): void {
  useEffect(() => {
    if (!isTyped) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isTyped])
}
