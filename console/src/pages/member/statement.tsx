import type { HistoryEntry, HistoryPage, Member, ProfileData } from '@exchequer/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { TopMark, useAtTop } from '../../live/atTop.tsx'
import { useFresh } from '../../live/fresh.ts'
import { useFormat, useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { Amount, Badge, Time } from '../../ui/bits.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Chart } from '../../ui/chart.tsx'
import { MemberName } from '../../ui/memberName.tsx'
import { More } from '../../ui/more.tsx'
import { Section } from '../../ui/page.tsx'
import { Empty, Problem, Skeleton } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useMakerName } from '../../ui/who.ts'
import { UndoDialog } from './undo.tsx'

const pageSize = 100
const chartEntries = 100
const rowsAtOnce = 25

/** A page filtered by point type may have few or no entries and still be followed by another one. */
async function readEntries(member: Member, realmPointId: string, begin: string | undefined) {
  const list = member.history({ realmPointId, limit: pageSize })
  const entries: HistoryEntry[] = []
  for (let cursor = begin; ; ) {
    const page: HistoryPage = await list.page(cursor === undefined ? {} : { cursor })
    entries.push(...page.data)
    cursor = page.nextCursor ?? undefined
    if (cursor === undefined || entries.length >= pageSize) return { entries, next: cursor }
  }
}

type StatementProps = { readonly member: ProfileData; readonly point: string }

/** The member's entries in one point type, newest first, with the balance after each. */
export function Statement({ member, point }: StatementProps) {
  const { member: words } = useWords()
  const { id: realm, client } = useRealm()
  const [undoing, setUndoing] = useState<HistoryEntry>()
  const [shown, setShown] = useState(rowsAtOnce)
  const query = useInfiniteQuery({
    queryKey: [...realmKey(realm), 'member', member.id, 'history', point],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => readEntries(client.member(member.id), point, pageParam),
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchOnWindowFocus: false,
  })
  const entries = useMemo(() => query.data?.pages.flatMap((page) => page.entries) ?? [], [query.data])
  const { top, rows, count } = useSteady(entries)
  const isFresh = useFresh(`${member.id} ${point}`, entries[0]?.transactionId)
  const columns = useColumns(member.id, setUndoing)
  const more = () => {
    setShown(shown + rowsAtOnce)
    if (shown + rowsAtOnce > entries.length && query.hasNextPage) void query.fetchNextPage()
  }
  if (query.error && !query.data)
    return (
      <Section title={words.statement}>
        <Problem error={query.error} onRetry={() => void query.refetch()} />
      </Section>
    )
  const empty = <Empty icon="journal" title={words.noEntries} hint={words.noEntriesHint} />
  return (
    <>
      <BalanceChart entries={entries.slice(0, chartEntries)} />
      <Section title={words.statement} bare>
        <TopMark top={top} count={count} />
        {query.data ? (
          <Table
            label={words.statement}
            rows={rows.slice(0, shown)}
            columns={columns}
            idOf={(one) => one.transactionId}
            fresh={(one) => isFresh(one.transactionId)}
            empty={empty}
          />
        ) : (
          <Skeleton lines={6} />
        )}
        {(query.hasNextPage || shown < entries.length) && <More query={query} onMore={more} />}
      </Section>
      <UndoDialog entry={undoing} onClose={() => setUndoing(undefined)} />
    </>
  )
}

/** Rows that a reader has scrolled to do not move: entries that were added since wait at the top. */
function useSteady(entries: readonly HistoryEntry[]) {
  const top = useAtTop()
  const newest = useRef(0n)
  if (top.isAtTop) newest.current = BigInt(entries[0]?.transactionId ?? 0)
  const rows = entries.filter(({ transactionId }) => BigInt(transactionId) <= newest.current)
  return { top, rows, count: entries.length - rows.length }
}

function BalanceChart({ entries }: { readonly entries: readonly HistoryEntry[] }) {
  const { member: words } = useWords()
  const format = useFormat()
  const points = useMemo(
    () =>
      entries
        .toReversed()
        .filter(({ newBalance, mergedFrom }) => newBalance !== null && mergedFrom === null)
        .map(({ at, newBalance, transactionId }) => ({
          key: transactionId,
          label: format.moment(at),
          tick: format.shortDay(at),
          values: [newBalance ?? 0],
        })),
    [entries, format],
  )
  if (points.length < 3) return null
  return (
    <Section title={words.chart}>
      <Chart
        kind="area"
        height={150}
        series={[{ name: words.balance, tone: 'accent' }]}
        points={points}
        format={format.number}
        short={format.compact}
        label={words.chartLabel(format.number(points.length))}
      />
    </Section>
  )
}

function useColumns(member: string, onUndo: (entry: HistoryEntry) => void): readonly Column<HistoryEntry>[] {
  const { member: words } = useWords()
  const { can } = useRealm()
  const nameOfMaker = useMakerName()
  const may = can('points:write')
  return useMemo(
    () => [
      {
        id: 'when',
        header: words.when,
        cell: ({ row }) => (
          <span className="text-muted text-sm">
            <Time at={row.original.at} />
          </span>
        ),
        meta: { wide: true, onCard: 'bare' },
      },
      {
        id: 'what',
        header: words.what,
        cell: ({ row }) => <What member={member} entry={row.original} />,
        meta: { grow: true, card: true },
      },
      {
        id: 'who',
        header: words.who,
        cell: ({ row }) => (
          <span className="whitespace-nowrap text-muted text-sm">{nameOfMaker(row.original)}</span>
        ),
        meta: { wide: true, onCard: 'named' },
      },
      {
        id: 'amount',
        header: words.amount,
        cell: ({ row }) => <Moved entry={row.original} />,
        meta: { right: true },
      },
      {
        id: 'after',
        header: words.after,
        cell: ({ row }) =>
          row.original.newBalance === null ? (
            <span className="text-muted text-sm">{words.unchanged}</span>
          ) : (
            <Amount value={row.original.newBalance} />
          ),
        meta: { right: true, wide: true, onCard: 'named' },
      },
      {
        id: 'undo',
        header: () => <span className="sr-only">{words.undo}</span>,
        cell: ({ row }) =>
          may && row.original.reversible ? (
            <IconButton
              icon="undo"
              label={words.undoTitle(row.original.transactionId)}
              onClick={() => onUndo(row.original)}
              className="-my-1 size-7"
            />
          ) : null,
      },
    ],
    [member, words, nameOfMaker, may, onUndo],
  )
}

/** What held or pending points do does not change the balance: with a sign it would look as if it did. */
function Moved({ entry: { tokens, heldTokens, pendingTokens } }: { readonly entry: HistoryEntry }) {
  const { member: words } = useWords()
  const aside = heldTokens || pendingTokens
  if (tokens !== 0 || aside === 0) return <Amount value={tokens} signed />
  return (
    <span className="text-muted">
      <Amount value={Math.abs(aside)} />
      <span className="block whitespace-nowrap text-xs">
        {heldTokens === 0 ? words.ofPending : words.fromHeld}
      </span>
    </span>
  )
}

type WhatProps = { readonly member: string; readonly entry: HistoryEntry }

function What({ member, entry }: WhatProps) {
  const { member: words, journal } = useWords()
  const { type, tokens, reason, reverses, reversedBy, transactionId, mergedFrom } = entry
  const counterparty = entry.counterpartyId === member ? null : entry.counterpartyId
  const kinds = { ...journal.kinds, ...words.kinds }
  const title = type === 'adjust' ? (tokens > 0 ? words.awarded : words.taken) : kinds[type]
  return (
    <span className="block min-w-32">
      <span className={`font-medium ${reversedBy ? 'text-muted line-through' : ''}`}>{title}</span>{' '}
      {counterparty && <MemberName id={counterparty} around={tokens > 0 ? words.from : words.to} />}{' '}
      {mergedFrom && <Badge>{words.asMember(mergedFrom)}</Badge>}{' '}
      {reversedBy && <Badge>{words.undone}</Badge>}
      <span className="block break-words text-muted text-sm">
        {reason ?? (reverses ? words.undoes(reverses) : words.entry(transactionId))}
      </span>
    </span>
  )
}
