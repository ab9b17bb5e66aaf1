import type { Statistics } from '@exchequer/sdk'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useWords } from '../../preferences.tsx'
import { useKinds, useRealm } from '../../realm.tsx'
import { type Span, spans } from '../../search.ts'
import { KindSelect } from '../../ui/kinds.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Empty, Problem, Skeleton } from '../../ui/states.tsx'
import type { Bucket } from './buckets.ts'
import { ChartCard } from './chartCard.tsx'
import { Figures } from './figures.tsx'
import { FirstSteps } from './firstSteps.tsx'
import { Leaders } from './leaders.tsx'
import { useOverview } from './useOverview.ts'

const route = getRouteApi('/r/$realm/')

/** The realm at a glance. */
export function OverviewPage() {
  const { overview } = useWords()
  const { data: realm } = useRealm()
  const [first] = useKinds()
  const { span = '30d', point = first?.id ?? '' } = route.useSearch()
  const navigate = route.useNavigate()
  const go = (next: { span?: Span; point?: string }) =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true })
  const shown = useOverview(span, point)
  const actions = (
    <>
      <KindSelect value={point} onChoose={(chosen) => go({ point: chosen })} />
      <Segmented
        label={overview.span}
        value={span}
        choices={spans.map((one) => ({ value: one, label: overview.spans[one] }))}
        onChoose={(chosen) => go({ span: chosen })}
      />
    </>
  )
  return (
    <Page title={realm.name} actions={actions} live>
      {shown.error ? (
        <Section>
          <Problem error={shown.error} onRetry={shown.retry} />
        </Section>
      ) : shown.data ? (
        <Shown {...shown.data} point={point} span={span} />
      ) : (
        <Section bare>
          <Skeleton lines={9} />
        </Section>
      )}
    </Page>
  )
}

type ShownProps = {
  readonly statistics: Statistics
  readonly buckets: readonly Bucket[]
  readonly before: readonly Bucket[]
  readonly point: string
  readonly span: Span
}

function Shown({ statistics, buckets, before, point, span }: ShownProps) {
  const { overview } = useWords()
  const { id, can } = useRealm()
  if (statistics.seq === '0' && can('realm:admin')) return <FirstSteps members={statistics.members} />
  if (statistics.seq === '0') {
    const action = can('members:write') && (
      <Link to="/r/$realm/members" params={{ realm: id }} className="link">
        {overview.emptyAction}
      </Link>
    )
    return (
      <Section>
        <Empty icon="overview" title={overview.empty} hint={overview.emptyHint} action={action} />
      </Section>
    )
  }
  const [first, last] = [statistics.days[0], statistics.days.at(-1)]
  return (
    <>
      <Figures statistics={statistics} buckets={buckets} before={before} point={point} />
      <div className="grid gap-5 lg:grid-cols-2">
        <ChartCard kind="area" title={overview.circulation} buckets={buckets} series={['circulation']} />
        <ChartCard kind="bars" title={overview.flow} buckets={buckets} series={['issued', 'spent']} />
        <ChartCard kind="bars" title={overview.active} buckets={buckets} series={['active']} />
        <ChartCard kind="bars" title={overview.entries} buckets={buckets} series={['entries']} />
      </div>
      {first && last && <Leaders point={point} span={span} from={first.day} to={last.day} />}
    </>
  )
}
