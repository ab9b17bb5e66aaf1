import type { OperatorData } from '@exchequer/sdk'
import { useWords } from '../../preferences.tsx'
import { useSession } from '../../signedIn.ts'
import { Avatar, Badge, Time } from '../../ui/bits.tsx'
import type { Column } from '../../ui/table.tsx'
import type { Words } from '../../words/en.ts'

/** Columns for people who can sign in. */
export function personColumns<Person extends OperatorData>({ people: words }: Words): Column<Person>[] {
  return [
    {
      id: 'name',
      header: words.name,
      meta: { grow: true },
      cell: ({ row: { original: person } }) => <PersonName person={person} />,
    },
    {
      id: 'by',
      header: words.signsInBy,
      meta: { wide: true },
      cell: ({ row: { original: person } }) => words.by[person.signsInBy],
    },
    {
      id: 'added',
      header: words.added,
      meta: { wide: true },
      cell: ({ row: { original: person } }) => <Time at={person.addedAt} relative />,
    },
    {
      id: 'seen',
      header: words.lastSeen,
      meta: { wide: true },
      cell: ({ row: { original: person } }) =>
        person.lastSeenAt ? <Time at={person.lastSeenAt} relative /> : words.neverSeen,
    },
  ]
}

type Named = Pick<OperatorData, 'id' | 'name' | 'email'>

export const calledOf = ({ id, name }: Named, { people: words }: Words): string => name ?? words.forgotten(id)

function PersonName({ person }: { readonly person: Named }) {
  const words = useWords()
  const called = calledOf(person, words)
  const isYou = useSession().person.id === person.id
  return (
    <span className="flex min-w-36 items-center gap-2.5">
      <Avatar member={{ id: person.id, displayName: called }} />
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-2 font-medium">
          {called}
          {isYou && <Badge>{words.shell.you}</Badge>}
        </span>
        {person.email && <span className="block break-all text-muted text-sm">{person.email}</span>}
      </span>
    </span>
  )
}
