import { type RefCallback, useCallback, useState } from 'react'
import { useFormat, useWords } from '../preferences.tsx'
import { Icon } from '../ui/icons.tsx'

/** Height of the bar at the top of a phone, which covers what is below it. */
const barPx = 52

export type Top = { readonly isAtTop: boolean; readonly mark: RefCallback<HTMLElement> }

/** Whether the beginning of a list, where `mark` is, was not scrolled away. */
export function useAtTop(): Top {
  const [isAtTop, setIsAtTop] = useState(true)
  const mark = useCallback((element: HTMLElement | null) => {
    if (!element) return
    const observer = new IntersectionObserver(
      (seen) => {
        const last = seen.at(-1)
        if (last) setIsAtTop(last.isIntersecting || last.boundingClientRect.top > barPx)
      },
      { rootMargin: `-${barPx}px 0px 0px 0px` },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { isAtTop, mark }
}

type TopMarkProps = {
  readonly top: Top
  /** How many rows are not shown yet. */
  readonly count: number
  readonly onShow?: () => void
}

/** More than can be counted cheaply. */
export const mostCounted = 1_000

/** The beginning of a list. A reader further down gets a button for new rows; the rows in sight do not move. */
export function TopMark({ top, count, onShow }: TopMarkProps) {
  const { shell } = useWords()
  const format = useFormat()
  const show = () => {
    scrollTo({ top: 0 })
    // The button is gone then.
    document.getElementById('content')?.focus({ preventScroll: true })
    onShow?.()
  }
  return (
    <>
      <div ref={top.mark} aria-hidden="true" className="-mb-px h-px" />
      {count > 0 && !top.isAtTop && (
        <div className="pointer-events-none sticky top-16 z-20 flex h-0 justify-center lg:top-4">
          <button
            type="button"
            onClick={show}
            className="pointer-events-auto inline-flex h-8 items-center gap-1.5 rounded-full bg-accent-fill px-3.5 font-medium text-on-accent text-sm shadow-float hover:bg-accent-fill-strong"
          >
            <Icon name="chevron" className="size-3.5 rotate-180" />
            {shell.live.newEntries(
              count >= mostCounted ? `${format.number(mostCounted)}+` : format.number(count),
            )}
          </button>
        </div>
      )}
    </>
  )
}
