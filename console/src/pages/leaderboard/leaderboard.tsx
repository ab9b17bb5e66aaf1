import type { BoardOptions, RankedMember } from '@exchequer/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { dayAfter, dayAt, dayBefore, type Repeated, startOfNext } from '../../days.ts'
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
import { Podium, podiumSize } from './podium.tsx'
import { Sharing } from './sharing.tsx'
import { pastStart, Stepper } from './stepper.tsx'

const route = getRouteApi('/r/$realm/leaderboard')
const pageSize = 50

/** Who has most, or gained most in a period. */
export function LeaderboardPage() {
  const { leaderboard: words } = useWords()
  const { data } = useRealm()
  const [first] = useKinds()
  const search = route.useSearch()
  const { period = 'all', point = first?.id ?? '', from, to } = search
  const navigate = route.useNavigate()
  const go = (next: typeof search) => void navigate({ search: next, replace: true })
  const kept = search.point === undefined ? {} : { point: search.point }
  const today = dayAt(new Date(), data.timeZone)
  const past = isRepeated(period) ? pastStart(period, from, today) : undefined
  const actions = (
    <>
      <KindSelect value={point} onChoose={(chosen) => go({ ...search, point: chosen })} />
      <Segmented
        label={words.period}
        value={period}
        choices={periods.map((one) => ({ value: one, label: words.periods[one] }))}
        onChoose={(chosen) => go({ ...kept, period: chosen })}
      />
    </>
  )
  const wrong = period === 'range' ? rangeFault(from, to) : undefined
  return (
    <Page title={words.title} actions={actions} live>
      <Sharing point={point} period={period} past={past !== undefined} />
      {period === 'range' && (
        <div className="flex flex-wrap gap-3">
          <DayField label={words.from} value={from} onChange={(day) => go({ ...search, from: day })} />
          <DayField label={words.to} value={to} onChange={(day) => go({ ...search, to: day })} />
        </div>
      )}
      {isRepeated(period) && (
        <Stepper
          {...{ period, past, today }}
          onGo={(start) => go({ ...kept, period, ...(start === undefined ? {} : { from: start }) })}
        />
      )}
      {wrong ? (
        <Section>
          <Empty icon="leaderboard" title={words[wrong]} />
        </Section>
      ) : (
        <Ranked board={{ realmPointId: point, ...boardOf({ period, from, to }, past) }} />
      )}
    </Page>
  )
}

const isRepeated = (period: (typeof periods)[number]): period is Repeated =>
  period === 'week' || period === 'month'

type Asked = Pick<BoardOptions, 'period'> & {
  readonly from: string | undefined
  readonly to: string | undefined
}

/** A past week or month is a range of days; the last day of a range is included. */
function boardOf({ period = 'all', from, to }: Asked, past: string | undefined): BoardOptions {
  if (isRepeated(period) && past !== undefined)
    return { period: 'range', from: past, to: startOfNext(period, past) }
  if (period === 'range' && from !== undefined && to !== undefined) return { period, from, to: dayAfter(to) }
  return { period }
}

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
  const podium = rows.length < podiumSize ? [] : rows.slice(0, podiumSize)
  const others = rows.slice(podium.length)
  return (
    <>
      {podium.length > 0 && <Podium members={podium} gained={!isAll} />}
      <Section title={<Summary board={query.data.pages[0]} />} bare>
        {(others.length > 0 || podium.length === 0) && (
          <Table
            label={words.list}
            rows={others}
            columns={columns}
            idOf={(row) => row.id}
            empty={empty}
            middle
          />
        )}
        {query.hasNextPage && <More query={query} />}
      </Section>
    </>
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
      meta: { grow: true, card: true },
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
      meta: { right: true, wide: true, onCard: 'named' },
    },
    {
      id: 'moved',
      header: words.moved,
      cell: ({ row }) => <Time at={row.original.last_updated} relative />,
      meta: { right: true, wide: true, onCard: 'named' },
    },
  ]
  return isAll ? columns.filter(({ id }) => id !== 'balance') : columns
}
