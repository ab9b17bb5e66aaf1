import { Lapse } from '@exchequer/sdk/lapse'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useFormat, useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { Amount } from '../../ui/bits.tsx'
import { TextField } from '../../ui/field.tsx'
import { Icon } from '../../ui/icons.tsx'
import { NamedMember } from '../../ui/memberName.tsx'
import { More } from '../../ui/more.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Empty, Problem, Skeleton } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'

const route = getRouteApi('/r/$realm/points/$point/lapsing')
const pageSize = 50

/** Who loses which points of a currency, and when. */
export function LapsingPage() {
  const { lapse: words, points } = useWords()
  const { id: realm, data } = useRealm()
  const { point } = route.useParams()
  const { before } = route.useSearch()
  const navigate = route.useNavigate()
  const name = data.points.find(({ id }) => id === point)?.name ?? point
  const above = (
    <Link to="/r/$realm/points" params={{ realm }} className="link inline-flex items-center gap-1 text-sm">
      <Icon name="left" className="size-4" />
      {points.title}
    </Link>
  )
  return (
    <Page title={words.page(name)} intro={words.pageIntro} above={above}>
      <div className="max-w-56">
        <TextField
          label={words.before}
          type="date"
          value={before ?? ''}
          onChange={({ target }) =>
            void navigate({ search: target.value === '' ? {} : { before: target.value }, replace: true })
          }
        />
      </div>
      <Losses point={point} before={before} />
    </Page>
  )
}

type LossesProps = { readonly point: string; readonly before: string | undefined }
type Loss = { readonly memberId: string; readonly lapsesOn: string; readonly tokens: number }

function Losses({ point, before }: LossesProps) {
  const { lapse: words } = useWords()
  const { id: realm, client } = useRealm()
  const query = useInfiniteQuery({
    queryKey: [...realmKey(realm), 'lapsing', point, before],
    queryFn: ({ pageParam }) =>
      new Lapse(client, point)
        .list(before === undefined ? {} : { before })
        .page({ limit: pageSize, ...(pageParam ? { cursor: pageParam } : {}) }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
  const columns = useColumns()
  return (
    <Section bare>
      {query.data ? (
        <Table
          label={words.list}
          rows={query.data.pages.flatMap(({ data }) => data)}
          columns={columns}
          idOf={({ memberId, lapsesOn }) => `${memberId} ${lapsesOn}`}
          empty={<Empty icon="points" title={words.none} hint={words.noneHint} />}
        />
      ) : query.error ? (
        <Problem error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton lines={6} />
      )}
      {query.hasNextPage && <More query={query} />}
    </Section>
  )
}

function useColumns(): readonly Column<Loss>[] {
  const { lapse: words } = useWords()
  const format = useFormat()
  return useMemo(
    () => [
      {
        id: 'member',
        header: words.member,
        cell: ({ row }) => <NamedMember id={row.original.memberId} />,
        meta: { grow: true },
      },
      {
        id: 'amount',
        header: words.amount,
        cell: ({ row }) => <Amount value={row.original.tokens} />,
        meta: { right: true },
      },
      {
        id: 'day',
        header: words.day,
        cell: ({ row }) => (
          <span className="whitespace-nowrap text-muted">{format.dayName(row.original.lapsesOn)}</span>
        ),
        meta: { right: true },
      },
    ],
    [words, format],
  )
}
