import type { Health } from '@exchequer/sdk'
import { useQuery } from '@tanstack/react-query'
import { useApp } from '../../app.tsx'
import { useFormat, useWords } from '../../preferences.tsx'
import { Badge, Time } from '../../ui/bits.tsx'
import { ForOperators } from '../../ui/denied.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Fact, Page, Section } from '../../ui/page.tsx'
import { Problem, Skeleton } from '../../ui/states.tsx'
import { type HealthItem, judge, type State, worstOf } from './judge.ts'

const everyMs = 10_000

/** Health of the installation, for operators. */
export function HealthPage() {
  const { health: words } = useWords()
  return (
    <ForOperators title={words.title}>
      <Page title={words.title} intro={words.intro}>
        <Now />
      </Page>
    </ForOperators>
  )
}

function Now() {
  const { session } = useApp()
  const now = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => session.operator().health({ signal }),
    refetchInterval: everyMs,
  })
  // The last successful result says nothing about the current state.
  if (now.error)
    return (
      <Section>
        <Problem error={now.error} onRetry={() => void now.refetch()} />
      </Section>
    )
  if (!now.data)
    return (
      <Section bare>
        <Skeleton lines={8} />
      </Section>
    )
  return <Shown health={now.data} at={now.dataUpdatedAt} />
}

const looks = {
  good: { box: 'bg-good-soft text-good', icon: 'check' },
  warn: { box: 'bg-warn-soft text-warn', icon: 'alert' },
  bad: { box: 'bg-bad-soft text-bad', icon: 'alert' },
} as const

function Mark({ state, large }: { readonly state: State; readonly large?: boolean }) {
  const { box, icon } = looks[state]
  return (
    <span
      aria-hidden="true"
      className={`flex shrink-0 items-center justify-center rounded-full ${large ? 'size-10' : 'size-7'} ${box}`}
    >
      <Icon name={icon} className={large ? 'size-5' : 'size-4'} />
    </span>
  )
}

function Shown({ health, at }: { readonly health: Health; readonly at: number }) {
  const { health: words } = useWords()
  const format = useFormat()
  const judged = judge(health, words, format)
  const worst = worstOf(judged)
  return (
    <>
      <section className="card flex items-center gap-4 px-5 py-4">
        <Mark state={worst} large />
        <div className="min-w-0">
          <h2 aria-live="polite" className="font-semibold text-lg">
            {words.all[worst]}
          </h2>
          <p className="text-muted text-sm">{words.asOf(format.exact(at))}</p>
        </div>
      </section>
      <Section bare>
        <ul>
          {judged.map((one) => (
            <Line key={one.name} {...one} />
          ))}
        </ul>
      </Section>
      <Section title={words.facts}>
        <dl className="grid gap-x-10 sm:grid-cols-2">
          <Fact name={words.version}>{health.version}</Fact>
          <Fact name={words.started}>
            <Time at={health.startedAt} />
          </Fact>
          <Fact name={words.connections}>{format.number(health.connections)}</Fact>
          <Fact name={words.writes}>{format.number(health.writes.waiting)}</Fact>
        </dl>
      </Section>
    </>
  )
}

function Line({ name, state, text }: HealthItem) {
  const { health: words } = useWords()
  return (
    <li className="flex items-start gap-3.5 border-line border-b px-5 py-3.5 last:border-0">
      <Mark state={state} />
      <div className="min-w-0">
        <p className="flex items-center gap-2 font-medium">
          {name}
          <Badge tone={state}>{words.state[state]}</Badge>
        </p>
        <p className="mt-0.5 max-w-3xl text-muted">{text}</p>
      </div>
    </li>
  )
}
