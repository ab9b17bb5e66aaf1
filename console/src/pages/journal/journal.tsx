import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
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
import { VerifyDialog } from './verify.tsx'

const route = getRouteApi('/r/$realm/journal')

/** All entries, and the proof that none was changed. */
export function JournalPage() {
  const { journal: words } = useWords()
  const { entry, ...chosen } = route.useSearch()
  const navigate = route.useNavigate()
  const [verifying, setVerifying] = useState(false)
  const { query, rows } = useRows(chosen)
  const actors = useActors(rows)
  const choose = useCallback(
    (next: { [K in keyof FilterChoice]: FilterChoice[K] | undefined }) =>
      void navigate({ search: (before) => ({ ...before, ...next }) as FilterChoice, replace: true }),
    [navigate],
  )
  const actions = (
    <Button icon="shield" onClick={() => setVerifying(true)}>
      {words.verify.button}
    </Button>
  )
  return (
    <Page title={words.title} intro={words.intro} actions={actions}>
      <FilterBar chosen={chosen} actors={actors} seen={rows.map(({ keyId }) => keyId)} onChoose={choose} />
      <Section bare>
        {query.data ? (
          <Rows query={query} rows={rows} actors={actors} filtered={Object.keys(chosen).length > 0} />
        ) : query.error ? (
          <Problem error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Skeleton lines={9} />
        )}
      </Section>
      {verifying && <VerifyDialog onClose={() => setVerifying(false)} />}
      {entry !== undefined && (
        <EntryDialog
          seq={String(entry)}
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
  const { type, member, key, from, to } = chosen
  const query = useInfiniteQuery({
    queryKey: [...realmKey(id), 'journal', { type, member, key, from, to }],
    queryFn: ({ pageParam }) =>
      readRows(
        client,
        {
          type,
          member,
          key,
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
  return { query, rows }
}

type RowsProps = {
  readonly query: ReturnType<typeof useRows>['query']
  readonly rows: readonly JournalRow[]
  readonly actors: Actors
  readonly filtered: boolean
}

function Rows({ query, rows, actors, filtered }: RowsProps) {
  const { journal: words, shell } = useWords()
  const format = useFormat()
  const columns = useJournalColumns(actors)
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
      <Table label={words.list} rows={rows} columns={columns} idOf={({ seq }) => seq} empty={empty} />
      {more && (
        <More query={query} label={filtered ? words.older : shell.more}>
          {filtered && <span className="text-muted text-sm">{words.scanned(format.number(scanned))}</span>}
        </More>
      )}
    </>
  )
}
