import { Link } from '@tanstack/react-router'
import { useFormat, useWords } from '../../preferences.tsx'
import { useRealm } from '../../realm.tsx'
import { Badge, Time } from '../../ui/bits.tsx'
import { Icon } from '../../ui/icons.tsx'
import { kindName } from '../../ui/kinds.tsx'
import { NamedMember } from '../../ui/memberName.tsx'
import { useNarrow } from '../../ui/narrow.ts'
import type { Column } from '../../ui/table.tsx'
import type { Actors } from './actors.ts'
import { type JournalRow, theRealm } from './rows.ts'

/** The giver or receiver: a member, the realm, or a removed member. */
export function Party({ id }: { readonly id: string | null }) {
  const { journal: words } = useWords()
  if (id === null) return <span className="text-muted">{words.removedMember}</span>
  if (id === theRealm) return <span className="whitespace-nowrap text-muted">{words.theRealm}</span>
  // In a box of its own, so that it does not count as a link within text.
  return (
    <span className="inline-block align-top md:min-w-24">
      <NamedMember id={id} />
    </span>
  )
}

/** An amount, with its currency where the realm has several. */
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
      id: 'type',
      header: words.kind,
      cell: ({ row }) => <Badge>{words.kinds[row.original.type]}</Badge>,
      meta: { wide: true },
    },
    {
      id: 'from',
      header: words.from,
      cell: ({ row }) => <Party id={row.original.from} />,
      meta: { wide: true },
    },
    { id: 'to', header: words.to, cell: ({ row }) => <To row={row.original} />, meta: { card: true } },
    {
      id: 'amount',
      header: words.amount,
      cell: ({ row }) => <Points amount={row.original.tokens} point={row.original.point} />,
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
      meta: { wide: true, onCard: 'named' },
    },
  ]
}

/** On a phone this column shows both sides, the type, the time and the reason. */
function To({ row }: { readonly row: JournalRow }) {
  const { journal: words } = useWords()
  const isNarrow = useNarrow()
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-1.5">
        <span className="inline-flex items-center gap-1.5 md:hidden">
          <Party id={row.from} />
          <Icon name="right" className="size-3.5 text-muted" />
        </span>
        <Party id={row.to} />
      </div>
      <div className="mt-1 flex flex-wrap items-center gap-x-2 text-muted text-xs md:hidden">
        <Badge>{words.kinds[row.type]}</Badge>
        <Time at={row.at} />
      </div>
      {isNarrow && row.reason && <p className="mt-1 line-clamp-2 break-words text-sm">{row.reason}</p>}
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
