import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
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
import { find, type SearchResult } from './find.ts'
import { MemberList } from './list.tsx'

const route = getRouteApi('/r/$realm/members')
const pageSize = 100

/** All members, with search as you type. Pages load on scroll: a million members are as fast as a hundred. */
export function MembersPage() {
  const { members: words } = useWords()
  const { can } = useRealm()
  const { q = '' } = route.useSearch()
  const [adding, setAdding] = useState(false)
  const add = can('members:write') && (
    <Button look="primary" icon="plus" onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  )
  return (
    <Page title={words.title} actions={add}>
      <Search text={q} />
      <Results text={q} />
      <AddMember open={adding} onClose={() => setAdding(false)} />
    </Page>
  )
}

function Search({ text }: { readonly text: string }) {
  const { members: words } = useWords()
  const navigate = route.useNavigate()
  const [typed, setTyped] = useTyped(text, (q) => void navigate({ search: q ? { q } : {}, replace: true }))
  return (
    <label className="relative block max-w-md">
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

function Results({ text }: { readonly text: string }) {
  const { members: words } = useWords()
  const { id, client } = useRealm()
  const [kind] = useKinds()
  const wanted = useDeferredValue(text)
  const query = useInfiniteQuery({
    queryKey: [...realmKey(id), 'members', wanted],
    initialPageParam: undefined as Pick<SearchResult, 'filter' | 'nextCursor'> | undefined,
    queryFn: async ({ pageParam, signal }): Promise<SearchResult> => {
      if (!pageParam?.nextCursor) return find(client, wanted, { limit: pageSize, signal })
      const { filter, nextCursor: cursor } = pageParam
      const list = client.members.list({ ...filter, limit: pageSize, signal })
      return { ...(await list.page({ cursor })), filter }
    },
    getNextPageParam: ({ filter, nextCursor }) => (nextCursor === null ? undefined : { filter, nextCursor }),
    placeholderData: (before) => before,
    refetchOnWindowFocus: false,
  })
  const members = query.data?.pages.flatMap((page) => page.data) ?? []
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
  const byName = query.data.pages[0]?.filter.search
  if (members.length === 0) return <NoMembers text={wanted} />
  return (
    <Section
      bare
      title={<Count text={wanted} shown={members.length} more={query.hasNextPage} byName={byName} />}
    >
      <MemberList
        members={members}
        kind={kind}
        more={query.hasNextPage && !query.isFetchNextPageError}
        label={words.list}
        onMore={() => void (query.isFetchingNextPage || query.fetchNextPage())}
      />
      {query.isFetchNextPageError && <More query={query} />}
    </Section>
  )
}

type CountProps = {
  readonly text: string
  readonly shown: number
  readonly more: boolean
  /** The searched start of the name, where names were searched. */
  readonly byName: string | undefined
}

function Count({ text, shown, more, byName }: CountProps) {
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
  return (
    <span aria-live="polite">
      {countText ?? words.title}
      {byName && <span className="font-normal text-muted"> · {words.foundByName(byName)}</span>}
    </span>
  )
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
