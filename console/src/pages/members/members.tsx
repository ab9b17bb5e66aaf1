import type { ListedMember } from '@exchequer/sdk'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useDeferredValue, useMemo } from 'react'
import { firstOfLast } from '../../days.ts'
import { useFormat, useWords } from '../../preferences.tsx'
import { realmKey, useKinds, useRealm } from '../../realm.tsx'
import { longest } from '../../search.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { More } from '../../ui/more.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Empty, Problem, Skeleton } from '../../ui/states.tsx'
import { useTyped } from '../../ui/typed.ts'
import { AddMember } from './add.tsx'
import { type FindPlace, find, type SearchResult } from './find.ts'
import { MemberList } from './list.tsx'
import { type Selection, useSelection } from './selection.ts'
import { SelectionBar } from './selectionBar.tsx'

const route = getRouteApi('/r/$realm/members')
const pageSize = 100

/** All members, with search as you type. Pages load on scroll: a million members are as fast as a hundred. */
export function MembersPage() {
  const { id } = useRealm()
  return <Members key={id} />
}

function Members() {
  const { members: words } = useWords()
  const { id, can } = useRealm()
  const selection = useSelection(id)
  const canSelect = can('members:write') || can('points:write')
  const { q = '', act } = route.useSearch()
  const navigate = route.useNavigate()
  const setAct = (next?: 'add') =>
    void navigate({ search: { ...(q && { q }), ...(next && { act: next }) }, replace: true })
  const add = can('members:write') && (
    <Button look="primary" icon="plus" onClick={() => setAct('add')}>
      {words.add}
    </Button>
  )
  return (
    <Page title={words.title} actions={add}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Search text={q} />
        {canSelect && <SelectionBar selection={selection} />}
      </div>
      <Results text={q} selection={canSelect ? selection : undefined} />
      {/* Room for the bar, which covers the end of the page on a phone. */}
      {selection.members.size > 0 && <div className="h-10 sm:hidden" />}
      <AddMember open={act === 'add' && can('members:write')} onClose={() => setAct()} />
    </Page>
  )
}

function Search({ text }: { readonly text: string }) {
  const { members: words } = useWords()
  const navigate = route.useNavigate()
  const [typed, setTyped] = useTyped(text, (q) => void navigate({ search: q ? { q } : {}, replace: true }))
  return (
    <label className="relative block min-w-40 max-w-md flex-1">
      <span className="sr-only">{words.search}</span>
      <Icon name="search" className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-muted" />
      <input
        type="search"
        value={typed}
        maxLength={longest}
        placeholder={words.search}
        onChange={({ target }) => setTyped(target.value)}
        className="control pl-8.5"
      />
    </label>
  )
}

type ResultsProps = { readonly text: string; readonly selection: Selection | undefined }

function Results({ text, selection }: ResultsProps) {
  const { members: words } = useWords()
  const { id, client } = useRealm()
  const [kind] = useKinds()
  const wanted = useDeferredValue(text)
  const query = useInfiniteQuery({
    queryKey: [...realmKey(id), 'members', wanted],
    initialPageParam: undefined as FindPlace | undefined,
    queryFn: ({ pageParam: from, signal }) =>
      find(client, wanted, { limit: pageSize, signal, ...(from && { from }) }),
    getNextPageParam: ({ next }) => next,
    placeholderData: (before) => before,
    refetchOnWindowFocus: false,
  })
  const members = useMemo(() => onceEach(query.data?.pages ?? []), [query.data])
  if (query.error && !query.data)
    return (
      <Section>
        <Problem error={query.error} onRetry={() => void query.refetch()} />
      </Section>
    )
  if (!query.data)
    return (
      <Section bare>
        <Skeleton lines={8} />
      </Section>
    )
  if (members.length === 0)
    return query.hasNextPage ? (
      <Section bare>
        <p className="px-5 py-4 text-muted">{words.noneSoFar}</p>
        <More query={query} />
      </Section>
    ) : (
      <NoMembers text={wanted} />
    )
  return (
    <Section bare title={<Count text={wanted} shown={members.length} more={query.hasNextPage} />}>
      <MemberList
        members={members}
        kind={kind}
        more={query.hasNextPage && !query.isFetchNextPageError}
        label={words.list}
        selection={selection}
        onMore={() => void (query.isFetchingNextPage || query.fetchNextPage())}
      />
      {query.isFetchNextPageError && <More query={query} />}
    </Section>
  )
}

/** A member may be found by several filters. */
const onceEach = (pages: readonly SearchResult[]): readonly ListedMember[] => [
  ...new Map(pages.flatMap(({ data }) => data).map((member) => [member.id, member])).values(),
]

type CountProps = { readonly text: string; readonly shown: number; readonly more: boolean }

function Count({ text, shown, more }: CountProps) {
  const { members: words } = useWords()
  const format = useFormat()
  const { id, client, data: realm } = useRealm()
  const all = useQuery({
    queryKey: [...realmKey(id), 'statistics', 'count'],
    queryFn: () => client.statistics({ from: firstOfLast(1, realm.timeZone) }),
    enabled: text === '' && more,
  })
  const countText =
    text === '' && more
      ? all.data && words.count(format.number(all.data.members))
      : text === ''
        ? words.count(format.number(shown))
        : more
          ? words.foundMore(format.number(shown))
          : words.found(format.number(shown))
  return <span aria-live="polite">{countText ?? words.title}</span>
}

function NoMembers({ text }: { readonly text: string }) {
  const { members: words } = useWords()
  return (
    <Section>
      {text === '' ? (
        <Empty icon="members" title={words.none} hint={words.noneHint} />
      ) : (
        <Empty icon="search" title={words.noResults(text)} hint={words.noResultsHint} />
      )}
    </Section>
  )
}
