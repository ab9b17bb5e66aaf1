import { useSyncExternalStore } from 'react'

/** The screens on which `md:` does not apply. */
const narrow = matchMedia('not all and (min-width: 48rem)')

const subscribe = (tell: () => void) => {
  narrow.addEventListener('change', tell)
  return () => narrow.removeEventListener('change', tell)
}

/** Whether columns for wide screens are hidden. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches)
