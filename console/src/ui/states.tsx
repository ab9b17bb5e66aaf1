import { ExchequerError } from '@exchequer/sdk'
import type { ReactNode } from 'react'
import { useWords } from '../preferences.tsx'
import type { Words } from '../words/en.ts'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icons.tsx'

type EmptyProps = {
  readonly icon?: IconName
  readonly title: string
  readonly hint?: ReactNode
  readonly action?: ReactNode
}

/** Empty state: what is missing and what to do. */
export function Empty({ icon = 'info', title, hint, action }: EmptyProps) {
  return (
    <div className="flex flex-col items-center gap-1 px-6 py-12 text-center">
      <span className="mb-2 flex size-10 items-center justify-center rounded-full bg-sunken text-muted">
        <Icon name={icon} className="size-5" />
      </span>
      <p className="font-medium">{title}</p>
      {hint !== undefined && <p className="max-w-sm text-balance text-muted text-sm">{hint}</p>}
      {action !== undefined && <div className="mt-3">{action}</div>}
    </div>
  )
}

type Explained = { readonly title: string; readonly hint: string; readonly detail?: string }

/** The error and what to do; `detail` is the server's own text, where it has figures. */
export function explain(error: unknown, words: Words): Explained {
  const { states } = words
  if (!(error instanceof ExchequerError)) return { title: states.failed, hint: String(error) }
  if (error.status === 0 || error.code === 'unavailable')
    return { title: states.offline, hint: states.offlineHint }
  if (error.status === 429) return { title: states.failed, hint: states.limited }
  if (error.status === 403) return { title: states.failed, hint: states.notAllowed }
  if (error.status >= 500)
    return { title: states.failed, hint: `${states.failedHint} ${error.requestId ?? error.code}` }
  const refusals: Readonly<Record<string, string>> = words.refusals
  const known = Object.hasOwn(refusals, error.code) ? refusals[error.code] : undefined
  if (known !== undefined)
    return { title: states.failed, hint: known, ...(/\d/.test(error.message) && { detail: error.message }) }
  const faults = error.errors.map((fault) => fault.detail)
  return { title: states.failed, hint: faults.length > 0 ? faults.join(' ') : error.message }
}

type ProblemProps = { readonly error: unknown; readonly onRetry?: (() => void) | undefined }

/** Shown in place of content that failed to load. */
export function Problem({ error, onRetry }: ProblemProps) {
  const words = useWords()
  const { title, hint } = explain(error, words)
  const retry = onRetry && (
    <Button onClick={onRetry} small>
      {words.shell.retry}
    </Button>
  )
  return (
    <div role="alert">
      <Empty icon="alert" title={title} hint={hint} action={retry} />
    </div>
  )
}

/** Shown next to the button whose action failed. */
export function Refusal({ error }: { readonly error: unknown }) {
  const words = useWords()
  if (!error) return null
  const { hint, detail } = explain(error, words)
  return (
    <Notice tone="bad">
      {hint}
      {detail !== undefined && (
        <span lang="en" className="mt-0.5 block text-xs">
          {detail}
        </span>
      )}
    </Notice>
  )
}

const tones = {
  bad: { box: 'bg-bad-soft text-bad', icon: 'alert' },
  warn: { box: 'bg-warn-soft text-warn', icon: 'alert' },
  good: { box: 'bg-good-soft text-good', icon: 'check' },
  info: { box: 'bg-accent-soft text-ink', icon: 'info' },
} as const

type NoticeProps = { readonly tone: keyof typeof tones; readonly children: ReactNode }

export function Notice({ tone, children }: NoticeProps) {
  const { box, icon } = tones[tone]
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={`flex gap-2 rounded-md px-3 py-2 text-sm ${box}`}
    >
      <Icon name={icon} className="mt-0.5 size-4" />
      <div className="min-w-0 break-words">{children}</div>
    </div>
  )
}

/** Loading skeleton. */
export function Skeleton({
  lines = 3,
  className = '',
}: {
  readonly lines?: number
  readonly className?: string
}) {
  const { shell } = useWords()
  return (
    <div role="status" className={`flex flex-col gap-3 p-5 ${className}`}>
      <span className="sr-only">{shell.loading}</span>
      {Array.from({ length: lines }, (_, at) => (
        <span key={at} className={`pulse h-4 rounded bg-sunken ${at % 3 === 2 ? 'w-1/2' : 'w-full'}`} />
      ))}
    </div>
  )
}
