import type { Statistics } from '@exchequer/sdk'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useFormat, useWords } from '../../preferences.tsx'
import { useRealm } from '../../realm.tsx'
import { type Bucket, changeInPercent } from './buckets.ts'

type FiguresProps = {
  readonly statistics: Statistics
  readonly buckets: readonly Bucket[]
  /** The period before, of the same length; empty where there is none. */
  readonly before: readonly Bucket[]
  readonly point: string
}

const sum = (buckets: readonly Bucket[], of: 'issued' | 'spent'): number =>
  buckets.reduce((total, bucket) => total + bucket[of], 0)

/** Points and members in numbers, each with its change and a link to what it counts. */
export function Figures({ statistics, buckets, before, point }: FiguresProps) {
  const { overview: words } = useWords()
  const { id } = useRealm()
  const format = useFormat()
  const supply = statistics.supply.find(({ realmPointId }) => realmPointId === point)
  const held = Number(supply?.held ?? 0)
  const circulation = Number(supply?.circulation ?? 0)
  const params = { realm: id }
  const from = statistics.days[0]?.day
  const changed = (of: 'issued' | 'spent') => changeInPercent(sum(buckets, of), sum(before, of))
  const journal = { to: '/r/$realm/journal', params, search: from === undefined ? {} : { from } } as const
  return (
    <dl className="card grid grid-cols-2 lg:grid-cols-4 lg:divide-x lg:divide-line">
      <Figure
        name={
          <Link to="/r/$realm/leaderboard" params={params}>
            {words.circulation}
          </Link>
        }
        value={format.number(circulation)}
        change={changeInPercent(circulation, before.at(-1)?.circulation ?? 0)}
      >
        <Link to="/r/$realm/reserved" params={params} className="link">
          {held > 0 ? words.held(format.number(held)) : words.nothingHeld}
        </Link>
      </Figure>
      <Figure
        name={<Link {...journal}>{words.issuedNow}</Link>}
        value={format.number(sum(buckets, 'issued'))}
        change={changed('issued')}
      >
        {words.inAll(format.compact(BigInt(supply?.issued ?? 0)))}
      </Figure>
      <Figure
        name={<Link {...journal}>{words.spentNow}</Link>}
        value={format.number(sum(buckets, 'spent'))}
        change={changed('spent')}
      >
        {words.inAll(format.compact(BigInt(supply?.spent ?? 0)))}
      </Figure>
      <Figure
        name={
          <Link to="/r/$realm/members" params={params}>
            {words.members}
          </Link>
        }
        value={format.number(statistics.members)}
      >
        {words.activeWeek(format.number(statistics.active.week))}
      </Figure>
    </dl>
  )
}

type FigureProps = {
  /** Linked to what it counts. */
  readonly name: ReactNode
  readonly value: string
  /** Against the period before, in percent. */
  readonly change?: number | undefined
  readonly children: ReactNode
}

function Figure({ name, value, change, children }: FigureProps) {
  const { overview: words } = useWords()
  const format = useFormat()
  return (
    <div className="min-w-0 px-5 py-4">
      <dt className="truncate text-muted text-sm [&_a]:hover:text-accent [&_a]:hover:underline">{name}</dt>
      <dd className="mt-1 flex flex-wrap items-baseline gap-x-2">
        <span className="figures break-words font-semibold text-2xl tracking-tight">{value}</span>
        {change !== undefined && (
          <span className="figures text-muted text-sm" title={words.changed}>
            {format.percent(change)}
            <span className="sr-only"> {words.changed}</span>
          </span>
        )}
      </dd>
      <dd className="mt-0.5 text-muted text-sm">{children}</dd>
    </div>
  )
}
