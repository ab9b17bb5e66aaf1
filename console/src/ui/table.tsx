import {
  type Cell,
  type ColumnDef,
  flexRender,
  getCoreRowModel,
  getSortedRowModel,
  type Row,
  type SortingState,
  useReactTable,
} from '@tanstack/react-table'
import { type ReactNode, useState } from 'react'
import { Icon } from './icons.tsx'
import { useNarrow } from './narrow.ts'

/**
 * Column layout: figures aligned right, optional columns hidden on a phone. A phone shows them as lines of the
 * column that is the `card`: each with its header, or without where the value explains itself.
 */
type Meta = {
  readonly right?: boolean
  readonly wide?: boolean
  readonly grow?: boolean
  readonly card?: boolean
  readonly onCard?: 'named' | 'bare'
}
// biome-ignore lint/suspicious/noExplicitAny: each column has values of its own
export type Column<T> = ColumnDef<T, any> & { readonly meta?: Meta }

/** A column header only for screen readers. */
export const unseen = (text: string) => () => <span className="sr-only">{text}</span>

type TableProps<T> = {
  /** Label for screen readers. */
  readonly label: string
  readonly rows: readonly T[]
  readonly columns: readonly Column<T>[]
  readonly idOf: (row: T) => string
  /** Sorts in the browser: only for fully loaded lists. */
  readonly sortable?: boolean
  readonly empty?: ReactNode
  readonly faded?: (row: T) => boolean
  /** Was added just now: highlighted once. */
  readonly fresh?: (row: T) => boolean
  /** Single-line rows with images taller than the text. */
  readonly middle?: boolean
}

export function Table<T>({
  label,
  rows,
  columns,
  idOf,
  sortable = false,
  empty,
  faded,
  fresh,
  middle = false,
}: TableProps<T>) {
  const [sorting, setSorting] = useState<SortingState>([])
  const table = useReactTable({
    data: rows as T[],
    columns: columns as ColumnDef<T>[],
    state: { sorting },
    onSortingChange: setSorting,
    getRowId: idOf,
    enableSorting: sortable,
    getCoreRowModel: getCoreRowModel(),
    getSortedRowModel: getSortedRowModel(),
  })
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section aria-label={label} tabIndex={0} className="relative overflow-x-auto rounded-b-lg">
      <table className="w-full border-collapse text-left">
        <caption className="sr-only">{label}</caption>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} className="border-line border-b">
              {group.headers.map((header) => {
                const meta = (header.column.columnDef.meta ?? {}) as Meta
                return (
                  <th
                    key={header.id}
                    scope="col"
                    aria-sort={ariaSort(header.column.getIsSorted())}
                    className={`${cellClass(meta)} h-9 whitespace-nowrap font-medium text-muted text-xs`}
                  >
                    {header.column.getCanSort() ? (
                      <SortButton
                        sorted={header.column.getIsSorted()}
                        onSort={() => header.column.toggleSorting()}
                      >
                        {flexRender(header.column.columnDef.header, header.getContext())}
                      </SortButton>
                    ) : (
                      flexRender(header.column.columnDef.header, header.getContext())
                    )}
                  </th>
                )
              })}
            </tr>
          ))}
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <BodyRow
              key={row.id}
              row={row}
              look={`${faded?.(row.original) ? 'text-muted' : ''} ${fresh?.(row.original) ? 'fresh' : ''}`}
              middle={middle}
            />
          ))}
        </tbody>
      </table>
    </section>
  )
}

type RowProps<T> = { readonly row: Row<T>; readonly look: string; readonly middle: boolean }

const metaOf = <T,>({ column }: Cell<T, unknown>) => (column.columnDef.meta ?? {}) as Meta

function BodyRow<T>({ row, look, middle }: RowProps<T>) {
  const isNarrow = useNarrow()
  const cells = row.getVisibleCells()
  return (
    <tr className={`border-line border-b last:border-0 hover:bg-page ${look}`}>
      {cells.map((cell) => (
        <td
          key={cell.id}
          className={`${cellClass(metaOf(cell))} py-2.5 ${middle ? 'align-middle' : 'align-top'}`}
        >
          {flexRender(cell.column.columnDef.cell, cell.getContext())}
          {isNarrow && metaOf(cell).card && <CardLines cells={cells} />}
        </td>
      ))}
    </tr>
  )
}

/** The columns that a phone has no room for. They are rendered there only: some of them read what they show. */
function CardLines<T>({ cells }: { readonly cells: readonly Cell<T, unknown>[] }) {
  return (
    <dl className="mt-1 flex flex-wrap gap-x-3 gap-y-0.5 text-sm">
      {cells.map((cell) => {
        const { onCard } = metaOf(cell)
        const { header } = cell.column.columnDef
        return (
          onCard && (
            <div key={cell.id} className="flex min-w-0 gap-1.5">
              <dt className={onCard === 'bare' ? 'sr-only' : 'text-muted'}>
                {typeof header === 'string' && header}
              </dt>
              <dd className="min-w-0">{flexRender(cell.column.columnDef.cell, cell.getContext())}</dd>
            </div>
          )
        )
      })}
    </dl>
  )
}

const cellClass = ({ right, wide, grow }: Meta): string =>
  `px-3 first:pl-5 last:pr-5 ${right ? 'text-right' : ''} ${wide ? 'max-md:hidden' : ''} ${grow ? 'w-full' : ''}`

const ariaSort = (sorted: false | 'asc' | 'desc') =>
  sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : undefined

type SortProps = {
  readonly sorted: false | 'asc' | 'desc'
  readonly children: ReactNode
  readonly onSort: () => void
}

function SortButton({ sorted, children, onSort }: SortProps) {
  return (
    <button type="button" onClick={onSort} className="inline-flex items-center gap-1 rounded hover:text-ink">
      {children}
      <Icon
        name={sorted ? 'chevron' : 'updown'}
        className={`size-3 ${sorted === 'asc' ? 'rotate-180' : ''}`}
      />
    </button>
  )
}
