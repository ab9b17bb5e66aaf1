import { useFormat, useWords } from '../../preferences.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import type { Bucket } from './buckets.ts'
import type { Name } from './chartCard.tsx'

type TableProps = {
  readonly title: string
  readonly buckets: readonly Bucket[]
  readonly series: readonly Name[]
  readonly labelOf: (bucket: Bucket) => string
}

/** The figures of a chart, the newest first. */
export function ChartTable({ title, buckets, series, labelOf }: TableProps) {
  const { overview } = useWords()
  const format = useFormat()
  const columns: Column<Bucket>[] = [
    { id: 'at', header: overview.when, cell: ({ row }) => labelOf(row.original), meta: { grow: true } },
    ...series.map(
      (name): Column<Bucket> => ({
        id: name,
        header: overview.series[name],
        cell: ({ row }) => <span className="figures">{format.number(row.original[name])}</span>,
        meta: { right: true },
      }),
    ),
  ]
  return <Table label={title} rows={buckets.toReversed()} columns={columns} idOf={({ at }) => String(at)} />
}
