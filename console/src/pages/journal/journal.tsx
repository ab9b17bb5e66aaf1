import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { TopMark } from '../../live/atTop.tsx'
import { useFresh } from '../../live/fresh.ts'
import { useFormat, useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { Button } from '../../ui/button.tsx'
import { More } from '../../ui/more.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Empty, Problem, Skeleton } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { type Actors, useActors } from './actors.ts'
import { useJournalColumns } from './columns.tsx'
import { EntryDialog } from './entry.tsx'
import { FilterBar, type FilterChoice } from './filters.tsx'
import { type JournalRow, type Place, readRows } from './rows.ts'
import { useNewRows } from './useNewRows.ts'
import { VerifyDialog } from './verify.tsx'

const route = getRouteApi('/r/$realm/journal')

/** All entries, and the proof that none was changed. */
export function JournalPage() {
  const { journal: words } = useWords()
  const { entry, act, ...chosen } = route.useSearch()
  const navigate = route.useNavigate()
  const { query, rows, key } = useRows(chosen)
  const { top, count, show } = useNewRows({ key, newest: rows[0]?.seq })
  const actors = useActors(rows)
  const choose = useCallback(
    (next: { [K in keyof FilterChoice]: FilterChoice[K] | undefined }) =>
      void navigate({ search: (before) => ({ ...before, ...next }) as FilterChoice, replace: true }),
    [navigate],
  )
  const actions = (
    <Button
      icon="shield"
      onClick={() => void navigate({ search: { ...chosen, act: 'verify' }, replace: true })}
    >
      {words.verify.button}
    </Button>
  )
  return (
    <Page title={words.title} intro={words.intro} actions={actions} live>
      <FilterBar chosen={chosen} actors={actors} seen={rows.map(({ keyId }) => keyId)} onChoose={choose} />
      <Section bare>
        <TopMark top={top} count={count} onShow={show} />
        {query.data ? (
          <Rows query={query} rows={rows} actors={actors} chosen={chosen} />
        ) : query.error ? (
          <Problem error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Skeleton lines={9} />
        )}
      </Section>
      {act === 'verify' && <VerifyDialog onClose={() => void navigate({ search: chosen, replace: true })} />}
      {entry !== undefined && (
        <EntryDialog
          seq={String(entry)}
          undo={act === 'undo'}
          actors={actors}
          onClose={() => void navigate({ search: chosen, replace: true })}
        />
      )}
    </Page>
  )
}

/** Not 24 hours later: twice a year a day has 23 or 25. */
function dayAfter(day: string): Date {
  const at = new Date(`${day}T00:00:00`)
  at.setDate(at.getDate() + 1)
  return at
}

/** Days are in the reader's time zone; the last one is included whole. */
function useRows(chosen: FilterChoice) {
  const { id, client } = useRealm()
  const { type, member, key, q, from, to } = chosen
  const queryKey = [...realmKey(id), 'journal', { type, member, key, q, from, to }]
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) =>
      readRows(
        client,
        {
          type,
          member,
          key,
          q,
          from: from === undefined ? undefined : new Date(`${from}T00:00:00`),
          to: to === undefined ? undefined : dayAfter(to),
        },
        pageParam,
      ),
    initialPageParam: undefined as Place | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: (before) => before,
    refetchOnWindowFocus: false,
  })
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.rows) ?? [], [query.data])
  return { query, rows, key: queryKey }
}

type RowsProps = {
  readonly query: ReturnType<typeof useRows>['query']
  readonly rows: readonly JournalRow[]
  readonly actors: Actors
  readonly chosen: FilterChoice
}

function Rows({ query, rows, actors, chosen }: RowsProps) {
  const { journal: words, shell } = useWords()
  const format = useFormat()
  const columns = useJournalColumns(actors)
  const filtered = Object.keys(chosen).length > 0
  const isFresh = useFresh(JSON.stringify(chosen), rows[0]?.seq)
  const scanned = query.data?.pages.reduce((sum, page) => sum + page.scanned, 0) ?? 0
  const more = query.hasNextPage
  const none = more ? words.noneSoFar(format.number(scanned)) : filtered ? words.noneFound : words.none
  const empty = (
    <Empty
      icon="journal"
      title={none}
      hint={more ? undefined : filtered ? words.noneFoundHint : words.noneHint}
    />
  )
  return (
    <>
      <Table
        label={words.list}
        rows={rows}
        columns={columns}
        idOf={({ seq }) => seq}
        fresh={({ seq }) => isFresh(seq)}
        empty={empty}
      />
      {more && (
        <More query={query} label={filtered ? words.older : shell.more}>
          {filtered && <span className="text-muted text-sm">{words.scanned(format.number(scanned))}</span>}
        </More>
      )}
    </>
  )
}
