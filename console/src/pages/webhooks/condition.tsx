import type { WebhookData } from '@exchequer/sdk'
import type { ReactNode } from 'react'
import { useFormat, useWords } from '../../preferences.tsx'
import { Badge, Code } from '../../ui/bits.tsx'
import { Icon } from '../../ui/icons.tsx'
import { healthOf, isPaused, reasonOf, type Trouble, troubleOf } from './state.ts'

type Of = { readonly of: WebhookData }

const tones = { healthy: 'good', retrying: 'warn', waiting: 'warn', disabled: 'bad' } as const

export function HealthBadge({ of: webhook }: Of) {
  const { webhooks: words } = useWords()
  const health = healthOf(webhook)
  return <Badge tone={isPaused(webhook) ? 'plain' : tones[health]}>{words.states[health]}</Badge>
}

/** How far it is: entries to come, and events to try again. */
export function Progress({ of: { behind, parked, replay } }: Of) {
  const { webhooks: words } = useWords()
  const format = useFormat()
  const lines = [
    behind > 0 && words.behind(format.number(behind)),
    parked > 0 && words.parked(format.number(parked)),
    replay && words.replaying(format.number(BigInt(replay.seq)), format.number(BigInt(replay.to) - 1n)),
  ].filter((line) => line !== false && line !== null)
  return (
    <span className="flex flex-col whitespace-nowrap">
      {lines.length === 0 ? words.upToDate : lines.map((line) => <span key={line}>{line}</span>)}
    </span>
  )
}

const warning = { box: 'border-warn bg-warn-soft', title: 'text-warn' }
const looks = {
  retrying: warning,
  waiting: warning,
  blocked: warning,
  disabled: { box: 'border-bad bg-bad-soft', title: 'text-bad' },
} as const satisfies Record<Trouble, object>
const paused = { box: 'border-line-strong bg-sunken', title: 'text-ink' }

/** What is wrong with a webhook, what it means and what to do; nothing for a healthy one. */
export function Condition({ of: webhook, children }: Of & { readonly children: ReactNode }) {
  const { webhooks: words } = useWords()
  const trouble = troubleOf(webhook)
  if (trouble === undefined) return null
  const { title, text, hint } = words.about[trouble]
  const isQuiet = isPaused(webhook)
  const look = isQuiet ? paused : looks[trouble]
  return (
    <section aria-label={title} className={`rounded-lg border-l-4 px-4 py-4 ${look.box}`}>
      <div className="flex items-start gap-2.5">
        <Icon name={isQuiet ? 'info' : 'alert'} className={`mt-0.5 size-4.5 ${look.title}`} />
        <div className="flex min-w-0 max-w-3xl flex-col gap-2">
          <h2 className={`font-semibold ${look.title}`}>{title}</h2>
          <p>{text}</p>
          <Circumstances of={webhook} />
          {!isQuiet && <p>{hint}</p>}
          <div className="mt-1 flex flex-wrap gap-2 empty:hidden">{children}</div>
        </div>
      </div>
    </section>
  )
}

/** Since when, why, and what comes next. */
function Circumstances({ of: webhook }: Of) {
  const { webhooks: words } = useWords()
  const format = useFormat()
  const { disabledAt, disabledReason, failingSince, nextAttemptAt, blockedEventId, state } = webhook
  const reason = disabledReason === null ? undefined : reasonOf(disabledReason)
  if (state === 'disabled')
    return (
      <p>
        {disabledAt && words.disabledAt(format.moment(disabledAt))}{' '}
        {reason ? words.reasons[reason] : <span lang="en">{disabledReason}</span>}
      </p>
    )
  return (
    <div className="flex flex-col">
      {blockedEventId !== null && (
        <p>
          {words.blockedEvent}: <Code>{blockedEventId}</Code>
        </p>
      )}
      <p>
        {failingSince && words.failingSince(format.moment(failingSince))}{' '}
        {nextAttemptAt && words.nextAttempt(format.ago(nextAttemptAt))}
      </p>
    </div>
  )
}
