import type { BoardOptions, RankedMember } from '@exchequer/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { dayAfter, dayBefore } from '../../days.ts'
import { useFormat, useWords } from '../../preferences.tsx'
import { realmKey, useKinds, useRealm } from '../../realm.tsx'
import { periods } from '../../search.ts'
import { Amount, Time } from '../../ui/bits.tsx'
import { TextField } from '../../ui/field.tsx'
import { KindSelect } from '../../ui/kinds.tsx'
import { MemberLink } from '../../ui/member.tsx'
import { More } from '../../ui/more.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Empty, Problem, Skeleton } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { PublicBoard } from './publicBoard.tsx'

const route = getRouteApi('/r/$realm/leaderboard')
const pageSize = 50

/** Who has most, or gained most in a period. */
export function LeaderboardPage() {
  const { leaderboard: words } = useWords()
  const [first] = useKinds()
  const { period = 'all', point = first?.id ?? '', from, to } = route.useSearch()
  const navigate = route.useNavigate()
  const go = (next: ReturnType<typeof route.useSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true })
  const actions = (
    <>
      <KindSelect value={point} onChoose={(chosen) => go({ point: chosen })} />
      <Segmented
        label={words.period}
        value={period}
        choices={periods.map((one) => ({ value: one, label: words.periods[one] }))}
        onChoose={(chosen) => go({ period: chosen })}
      />
    </>
  )
  const isRange = period === 'range'
  const wrong = isRange ? rangeFault(from, to) : undefined
  return (
    <Page title={words.title} actions={actions} live>
      {isRange && (
        <div className="flex flex-wrap gap-3">
          <DayField label={words.from} value={from} onChange={(day) => go({ from: day })} />
          <DayField label={words.to} value={to} onChange={(day) => go({ to: day })} />
        </div>
      )}
      {wrong ? (
        <Section>
          <Empty icon="leaderboard" title={words[wrong]} />
        </Section>
      ) : (
        <Ranked board={{ period, realmPointId: point, ...(isRange ? rangeOf(from, to) : {}) }} />
      )}
      <PublicBoard point={point} period={period} />
    </Page>
  )
}

/** The last day is included. */
const rangeOf = (from: string | undefined, to: string | undefined): BoardOptions =>
  from === undefined || to === undefined ? {} : { from, to: dayAfter(to) }

function rangeFault(from: string | undefined, to: string | undefined) {
  if (from === undefined || to === undefined) return 'rangeNeeded' as const
  return from > to ? ('rangeWrong' as const) : undefined
}

type DayProps = {
  readonly label: string
  readonly value: string | undefined
  readonly onChange: (day: string) => void
}

const DayField = ({ label, value = '', onChange }: DayProps) => (
  <TextField label={label} type="date" value={value} onChange={({ target }) => onChange(target.value)} />
)

function Ranked({ board }: { readonly board: BoardOptions }) {
  const { leaderboard: words } = useWords()
  const { id, client } = useRealm()
  const query = useInfiniteQuery({
    queryKey: [...realmKey(id), 'leaderboard', board],
    queryFn: ({ pageParam }) =>
      client.leaderboard(board).page({ limit: pageSize, ...(pageParam ? { cursor: pageParam } : {}) }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: (before) => before,
    refetchOnWindowFocus: false,
  })
  const columns = useColumns(board.period === 'all')
  if (!query.data)
    return (
      <Section bare>
        {query.error ? (
          <Problem error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Skeleton lines={9} />
        )}
      </Section>
    )
  const rows = query.data.pages.flatMap(({ data }) => data)
  const isAll = board.period === 'all'
  const empty = (
    <Empty
      icon="leaderboard"
      title={isAll ? words.none : words.nonePeriod}
      hint={isAll ? words.noneHint : words.nonePeriodHint}
    />
  )
  return (
    <Section title={<Summary board={query.data.pages[0]} />} bare>
      <Table label={words.list} rows={rows} columns={columns} idOf={(row) => row.id} empty={empty} middle />
      {query.hasNextPage && <More query={query} />}
    </Section>
  )
}

type BoardSummary = {
  readonly total: number
  readonly seq: string
  readonly period: { readonly from: string | null; readonly to: string | null }
}

/** How many are ranked, which days, and as of which entry. */
function Summary({ board }: { readonly board: BoardSummary | undefined }) {
  const { leaderboard: words } = useWords()
  const format = useFormat()
  if (!board) return null
  const { from, to } = board.period
  const about = [words.asOf(format.number(BigInt(board.seq)))]
  if (from && to) about.unshift(words.days(format.dayName(from), format.dayName(dayBefore(to))))
  return (
    <span>
      {words.ranked(format.number(board.total))}
      <span className="font-normal text-muted"> · {about.join(' · ')}</span>
    </span>
  )
}

function useColumns(isAll: boolean): readonly Column<RankedMember>[] {
  const { leaderboard: words } = useWords()
  const format = useFormat()
  const columns: Column<RankedMember>[] = [
    {
      id: 'rank',
      header: words.rank,
      cell: ({ row }) => (
        <span className="figures text-muted">
          {row.original.rank === null ? '–' : format.number(row.original.rank)}
        </span>
      ),
    },
    {
      id: 'member',
      header: words.member,
      cell: ({ row }) => <MemberLink member={row.original} />,
      meta: { grow: true },
    },
    {
      id: 'score',
      header: isAll ? words.score.all : words.score.gained,
      cell: ({ row }) => <Amount value={row.original.tokens} signed={!isAll} />,
      meta: { right: true },
    },
    {
      id: 'balance',
      header: words.balance,
      cell: ({ row }) => <Amount value={row.original.balance} />,
      meta: { right: true, wide: true },
    },
    {
      id: 'moved',
      header: words.moved,
      cell: ({ row }) => <Time at={row.original.last_updated} relative />,
      meta: { right: true, wide: true },
    },
  ]
  return isAll ? columns.filter(({ id }) => id !== 'balance') : columns
}
