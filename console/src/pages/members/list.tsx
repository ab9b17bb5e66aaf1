import type { ListedMember } from '@exchequer/sdk'
import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { useWords } from '../../preferences.tsx'
import { type PointKind, useRealm } from '../../realm.tsx'
import { Amount, Avatar, Badge, nameOf, Time } from '../../ui/bits.tsx'
import { kindName } from '../../ui/kinds.tsx'
import { useNarrow } from '../../ui/narrow.ts'
import { Select, SelectAll } from './select.tsx'
import type { Selection } from './selection.ts'

type ListProps = {
  readonly members: readonly ListedMember[]
  readonly kind: PointKind | undefined
  readonly more: boolean
  readonly label: string
  /** Undefined for those who can only look. */
  readonly selection: Selection | undefined
  readonly onMore: () => void
}

const rowHeights = { wide: 48, narrow: 60 } as const
/** The next page is requested this many rows before the end of the loaded ones. */
const aheadRows = 40
const columns = {
  plain: 'grid-cols-[minmax(0,1fr)_auto] md:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)_8rem_9rem]',
  toSelect: 'grid-cols-[1rem_minmax(0,1fr)_auto] md:grid-cols-[1rem_minmax(0,1.4fr)_minmax(0,1fr)_8rem_9rem]',
}
const gridOf = (selection: Selection | undefined): string =>
  `grid items-center gap-x-4 px-5 ${selection ? columns.toSelect : columns.plain}`

/** Renders only the rows in view. */
export function MemberList({ members, kind, more, label, selection, onMore }: ListProps) {
  const { members: words } = useWords()
  const box = useRef<HTMLDivElement>(null)
  const height = rowHeights[useNarrow() ? 'narrow' : 'wide']
  const rows = useVirtualizer({
    count: members.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: 12,
  })
  useEffect(() => rows.measure(), [rows, height])
  const shown = rows.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (more && last >= members.length - aheadRows) onMore()
  }, [more, last, members.length, onMore])
  return (
    <>
      <div className={`${gridOf(selection)} h-9 border-line border-b font-medium text-muted text-xs`}>
        {selection && <SelectAll members={members} selection={selection} />}
        <span aria-hidden="true">{words.name}</span>
        <span aria-hidden="true" className="max-md:hidden">
          {words.id}
        </span>
        <span aria-hidden="true" className="max-md:hidden">
          {words.joined}
        </span>
        <span aria-hidden="true" className="text-right">
          {kind ? kindName(kind) : ''}
        </span>
      </div>
      <section
        ref={box}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
        className="max-h-[calc(100dvh-18rem)] min-h-48 overflow-y-auto rounded-b-lg"
      >
        <ul className="relative" style={{ height: rows.getTotalSize() }}>
          {shown.map(({ index, start }) => {
            const member = members[index]
            return member && <Row key={member.id} {...{ member, index, start, height, selection }} />
          })}
        </ul>
      </section>
    </>
  )
}

type RowProps = Pick<ListProps, 'selection'> & {
  readonly member: ListedMember
  readonly index: number
  readonly start: number
  readonly height: number
}

function Row({ member, index, start, height, selection }: RowProps) {
  const { members: words } = useWords()
  const { id: realm } = useRealm()
  const name = nameOf(member)
  const isSelected = selection?.members.has(member.id) === true
  return (
    <li
      aria-posinset={index + 1}
      aria-setsize={-1}
      className={`${gridOf(selection)} absolute inset-x-0 border-line border-b ${isSelected ? 'bg-accent-soft' : 'hover:bg-page'}`}
      style={{ height, transform: `translateY(${start}px)` }}
    >
      {selection && <Select member={member} selection={selection} />}
      <span className="flex min-w-0 items-center gap-2.5">
        <Avatar member={member} />
        <span className="min-w-0">
          <Link
            to="/r/$realm/members/$member"
            params={{ realm, member: member.id }}
            className="block truncate font-medium after:absolute after:inset-0"
          >
            {name}
          </Link>
          {member.username && member.username !== name && (
            <span className="block truncate text-muted text-xs">{member.username}</span>
          )}
          <span className="block truncate text-muted text-xs md:hidden">
            {words.joined} <Time at={member.joinedAt} relative />
          </span>
        </span>
        {member.frozen && <Badge tone="warn">{words.frozen}</Badge>}
        {member.hidden && <Badge>{words.hidden}</Badge>}
      </span>
      <span className="figures truncate text-muted text-sm max-md:hidden">{member.id}</span>
      <span className="text-muted text-sm max-md:hidden">
        <Time at={member.joinedAt} relative />
      </span>
      <span className="text-right font-medium">
        <Amount value={member.tokenBalance} />
      </span>
    </li>
  )
}
