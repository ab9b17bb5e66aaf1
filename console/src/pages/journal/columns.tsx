import { Link } from '@tanstack/react-router'
import { useFormat, useWords } from '../../preferences.tsx'
import { useRealm } from '../../realm.tsx'
import { Badge, Time } from '../../ui/bits.tsx'
import { kindName } from '../../ui/kinds.tsx'
import { MemberName } from '../../ui/memberName.tsx'
import type { Column } from '../../ui/table.tsx'
import type { Actors } from './actors.ts'
import { type JournalRow, theRealm } from './rows.ts'

/** Who gives or receives: a member, the realm, or somebody who is gone. */
export function Party({ id }: { readonly id: string | null }) {
  const { journal: words } = useWords()
  if (id === null) return <span className="text-muted">{words.nobody}</span>
  if (id === theRealm) return <span className="text-muted">{words.theRealm}</span>
  return <MemberName id={id} />
}

/** An amount with the kind of points it is of, where there are several. */
export function Points({ amount, point }: { readonly amount: number; readonly point: string }) {
  const format = useFormat()
  const { points } = useRealm().data
  const kind = points.find(({ id }) => id === point)
  return (
    <span className="figures whitespace-nowrap font-medium">
      {format.number(amount)}
      {points.length > 1 && <span className="font-normal text-muted"> {kind ? kindName(kind) : point}</span>}
    </span>
  )
}

export function useJournalColumns(actors: Actors): readonly Column<JournalRow>[] {
  const { journal: words } = useWords()
  return [
    { id: 'seq', header: words.seq, cell: ({ row }) => <EntryLink seq={row.original.seq} /> },
    {
      id: 'when',
      header: words.when,
      cell: ({ row }) => <Time at={row.original.at} />,
      meta: { wide: true },
    },
    {
      id: 'kind',
      header: words.kind,
      cell: ({ row }) => <Badge>{words.kinds[row.original.kind]}</Badge>,
    },
    {
      id: 'from',
      header: words.from,
      cell: ({ row }) => <Party id={row.original.from} />,
      meta: { wide: true },
    },
    { id: 'to', header: words.to, cell: ({ row }) => <To row={row.original} /> },
    {
      id: 'amount',
      header: words.amount,
      cell: ({ row }) => <Points amount={row.original.amount} point={row.original.point} />,
      meta: { right: true },
    },
    {
      id: 'reason',
      header: words.reason,
      cell: ({ row }) => <span className="line-clamp-2 min-w-40 break-words">{row.original.reason}</span>,
      meta: { wide: true, grow: true },
    },
    {
      id: 'by',
      header: words.by,
      cell: ({ row }) => (
        <span className="whitespace-nowrap text-muted">
          {row.original.person ?? actors.nameOf(row.original.keyId)}
        </span>
      ),
      meta: { wide: true },
    },
  ]
}

/** On a phone there is one column for both sides. */
function To({ row }: { readonly row: JournalRow }) {
  return (
    <>
      <span className="block text-muted text-sm md:hidden">
        <Party id={row.from} /> →
      </span>
      <Party id={row.to} />
      <span className="block text-muted text-xs md:hidden">
        <Time at={row.at} />
      </span>
    </>
  )
}

export function EntryLink({ seq }: { readonly seq: string }) {
  const { journal: words } = useWords()
  const format = useFormat()
  return (
    <Link
      from="/r/$realm/journal"
      search={(before) => ({ ...before, entry: Number(seq) })}
      replace
      className="link figures"
    >
      <span className="sr-only">{words.seq} </span>
      {format.number(BigInt(seq))}
    </Link>
  )
}
