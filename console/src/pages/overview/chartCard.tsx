import { lazy, Suspense, useId, useState } from 'react'
import { useFormat, useWords } from '../../preferences.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Chart } from '../../ui/chart.tsx'
import { Section } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/states.tsx'
import type { Bucket } from './buckets.ts'

export type Name = 'circulation' | 'issued' | 'spent' | 'active' | 'entries'
// The table is not needed for the first page.
const ChartTable = lazy(async () => ({ default: (await import('./chartTable.tsx')).ChartTable }))

type CardProps = {
  readonly kind: 'bars' | 'area'
  readonly title: string
  readonly buckets: readonly Bucket[]
  readonly series: readonly Name[]
}

/** A chart, with a table view of the same figures. */
export function ChartCard({ kind, title, buckets, series }: CardProps) {
  const { overview } = useWords()
  const format = useFormat()
  const id = useId()
  const [asTable, setAsTable] = useState(false)
  const labelOf = ({ at }: Bucket) => (typeof at === 'string' ? format.dayName(at) : format.moment(at))
  const tickOf = ({ at }: Bucket) => (typeof at === 'string' ? format.shortDayName(at) : format.hour(at))
  const toggle = (
    <IconButton
      icon={asTable ? 'overview' : 'table'}
      label={asTable ? overview.asChart : overview.asTable}
      aria-controls={id}
      onClick={() => setAsTable(!asTable)}
    />
  )
  return (
    <Section title={title} actions={toggle} bare>
      <div id={id} className={asTable ? 'max-h-64 overflow-y-auto' : 'px-5 pt-3 pb-4'}>
        {asTable ? (
          <Suspense fallback={<Skeleton />}>
            <ChartTable {...{ title, buckets, series, labelOf }} />
          </Suspense>
        ) : (
          <Chart
            kind={kind}
            label={overview.chartOf(title)}
            series={series.map((name, nth) => ({
              name: overview.series[name],
              tone: nth === 0 ? 'accent' : 'quiet',
            }))}
            points={buckets.map((bucket) => ({
              label: labelOf(bucket),
              tick: tickOf(bucket),
              values: series.map((name) => bucket[name]),
            }))}
            format={format.number}
            short={format.compact}
          />
        )}
      </div>
    </Section>
  )
}
