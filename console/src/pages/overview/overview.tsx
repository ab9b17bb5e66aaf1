import type { Statistics } from '@exchequer/sdk'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useFormat, useWords } from '../../preferences.tsx'
import { useKinds, useRealm } from '../../realm.tsx'
import { type Span, spans } from '../../search.ts'
import { KindSelect } from '../../ui/kinds.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Empty, Problem, Skeleton } from '../../ui/states.tsx'
import type { Bucket } from './buckets.ts'
import { ChartCard } from './chartCard.tsx'
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
  readonly point: string
  readonly span: Span
}

function Shown({ statistics, buckets, point, span }: ShownProps) {
  const { overview } = useWords()
  const { id, can } = useRealm()
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
      <Figures statistics={statistics} buckets={buckets} point={point} />
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

const sum = (buckets: readonly Bucket[], of: 'issued' | 'spent'): number =>
  buckets.reduce((total, bucket) => total + bucket[of], 0)

function Figures({ statistics, buckets, point }: Omit<ShownProps, 'span'>) {
  const { overview } = useWords()
  const format = useFormat()
  const supply = statistics.supply.find(({ realmPointId }) => realmPointId === point)
  const held = Number(supply?.held ?? 0)
  const all = [
    {
      name: overview.circulation,
      value: format.number(BigInt(supply?.circulation ?? 0)),
      note: held > 0 ? overview.held(format.number(held)) : overview.nothingHeld,
    },
    {
      name: overview.issuedNow,
      value: format.number(sum(buckets, 'issued')),
      note: overview.inAll(format.compact(BigInt(supply?.issued ?? 0))),
    },
    {
      name: overview.spentNow,
      value: format.number(sum(buckets, 'spent')),
      note: overview.inAll(format.compact(BigInt(supply?.spent ?? 0))),
    },
    {
      name: overview.members,
      value: format.number(statistics.members),
      note: overview.activeWeek(format.number(statistics.active.week)),
    },
  ]
  return (
    <dl className="card grid grid-cols-2 lg:grid-cols-4 lg:divide-x lg:divide-line">
      {all.map(({ name, value, note }) => (
        <div key={name} className="min-w-0 px-5 py-4">
          <dt className="truncate text-muted text-sm">{name}</dt>
          <dd className="figures mt-1 break-words font-semibold text-2xl tracking-tight">{value}</dd>
          <dd className="mt-0.5 text-muted text-sm">{note}</dd>
        </div>
      ))}
    </dl>
  )
}
