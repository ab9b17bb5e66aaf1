import type { WebhookData } from '@exchequer/sdk'
import type { ReactNode } from 'react'
import { useFormat, useWords } from '../../preferences.tsx'
import { Badge, Code } from '../../ui/bits.tsx'
import { Icon } from '../../ui/icons.tsx'
import { healthOf, reasonOf, type Trouble, troubleOf } from './state.ts'

type Of = { readonly of: WebhookData }

const tones = { healthy: 'good', retrying: 'warn', waiting: 'warn', disabled: 'bad' } as const

export function HealthBadge({ of: webhook }: Of) {
  const { webhooks: words } = useWords()
  const health = healthOf(webhook)
  return <Badge tone={tones[health]}>{words.states[health]}</Badge>
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

const looks = {
  retrying: 'border-warn bg-warn-soft text-warn',
  waiting: 'border-warn bg-warn-soft text-warn',
  blocked: 'border-warn bg-warn-soft text-warn',
  disabled: 'border-bad bg-bad-soft text-bad',
} as const satisfies Record<Trouble, string>

/** What is wrong with a webhook, what it means and what to do; nothing for a healthy one. */
export function Condition({ of: webhook, children }: Of & { readonly children: ReactNode }) {
  const { webhooks: words } = useWords()
  const trouble = troubleOf(webhook)
  if (trouble === undefined) return null
  const { title, text, hint } = words.about[trouble]
  return (
    <section
      aria-label={title}
      className={`flex flex-col gap-3 rounded-lg border border-l-4 px-5 py-4 ${looks[trouble]}`}
    >
      <div className="flex items-start gap-2.5">
        <Icon name="alert" className="mt-0.5 size-4.5" />
        <div className="flex min-w-0 max-w-3xl flex-col gap-1.5">
          <h2 className="font-semibold">{title}</h2>
          <Circumstances of={webhook} />
          <p className="text-ink">{text}</p>
          <p className="text-ink">{hint}</p>
        </div>
      </div>
      <div className="flex flex-wrap gap-2 sm:ml-7">{children}</div>
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
      <p className="text-sm">
        {disabledAt && words.disabledAt(format.moment(disabledAt))}{' '}
        {reason ? words.reasons[reason] : <span lang="en">{disabledReason}</span>}
      </p>
    )
  return (
    <>
      <p className="text-sm">
        {failingSince && words.failingSince(format.moment(failingSince))}{' '}
        {nextAttemptAt && words.nextAttempt(format.moment(nextAttemptAt))}
      </p>
      {blockedEventId !== null && <Code>{words.blockedEvent(blockedEventId)}</Code>}
    </>
  )
}
