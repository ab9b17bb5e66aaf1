import type { ReactNode } from 'react'
import { useWords } from '../preferences.tsx'
import { Button } from './button.tsx'
import { Problem } from './states.tsx'

type MoreProps = {
  readonly query: {
    readonly error: unknown
    readonly isFetchNextPageError: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => Promise<unknown>
  }
  readonly label?: string
  readonly onMore?: () => void
  readonly children?: ReactNode
}

/** The end of a paged list: a button for more, or why loading more failed. */
export function More({ query, label, onMore, children }: MoreProps) {
  const { shell } = useWords()
  const fetchMore = () => void query.fetchNextPage()
  if (query.isFetchNextPageError)
    return (
      <div className="border-line border-t">
        <Problem error={query.error} onRetry={fetchMore} />
      </div>
    )
  return (
    <div className="flex flex-wrap items-center justify-center gap-3 border-line border-t p-3">
      {children}
      <Button small busy={query.isFetchingNextPage} onClick={onMore ?? fetchMore}>
        {label ?? shell.more}
      </Button>
    </div>
  )
}
