import { Link } from '@tanstack/react-router'
import { useFormat, useWords } from '../../preferences.tsx'
import { useRealm } from '../../realm.tsx'
import { Button } from '../../ui/button.tsx'
import { type Column, unseen } from '../../ui/table.tsx'
import { Party, Points } from '../journal/columns.tsx'
import type { Aside, Chosen, Ending } from '../member/endings.tsx'

/** A hold or an award of any member; null when the member was removed. */
export type Reserved<T> = T & Aside & { readonly memberId: string | null }

type ColumnProps<T> = {
  readonly endings: readonly Ending<T>[]
  readonly until: (one: Reserved<T>) => string
  readonly onChoose: (chosen: Chosen<Reserved<T>>) => void
}

export function useReservedColumns<T>(props: ColumnProps<T>): readonly Column<Reserved<T>>[] {
  const { endings, until, onChoose } = props
  const { reserved: words, shell } = useWords()
  const { can } = useRealm()
  const may = can('points:write')
  return [
    {
      id: 'member',
      header: words.member,
      cell: ({ row: { original: one } }) => <Party id={one.memberId} />,
      meta: { grow: true, card: true },
    },
    {
      id: 'amount',
      header: words.amount,
      cell: ({ row: { original: one } }) => <Points amount={one.tokens} point={one.realmPointId} />,
      meta: { right: true },
    },
    {
      id: 'until',
      header: words.ends,
      cell: ({ row: { original: one } }) => (
        <span className="whitespace-nowrap text-muted">{until(one)}</span>
      ),
      meta: { wide: true, onCard: 'named' },
    },
    {
      id: 'entry',
      header: words.entry,
      cell: ({ row }) => <EntryLink seq={row.original.id} />,
      meta: { wide: true, right: true, onCard: 'named' },
    },
    {
      id: 'actions',
      header: unseen(shell.doing),
      cell: ({ row: { original: one } }) =>
        may &&
        one.memberId !== null && (
          <span className="flex justify-end gap-2 max-md:flex-col">
            {endings.map((ending) => (
              <Button small key={ending.name} onClick={() => onChoose({ one, ending })}>
                {ending.words.label}
              </Button>
            ))}
          </span>
        ),
      meta: { right: true },
    },
  ]
}

function EntryLink({ seq }: { readonly seq: string }) {
  const { id } = useRealm()
  const format = useFormat()
  const search = { entry: Number(seq) }
  return (
    <Link to="/r/$realm/journal" params={{ realm: id }} search={search} className="link figures">
      {format.number(BigInt(seq))}
    </Link>
  )
}
