import type { HoldData, ListOptions } from '@exchequer/sdk'
import { type AwardData, Awards } from '@exchequer/sdk/awards'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useFormat, useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { reserves } from '../../search.ts'
import { More } from '../../ui/more.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Empty, Problem, Skeleton } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { useAwardEndings, useAwardNote } from '../member/awards.tsx'
import type { Chosen, Ending } from '../member/endings.tsx'
import { useHoldEndings } from '../member/holds.tsx'
import { type Reserved, useReservedColumns } from './columns.tsx'
import { EndReserved } from './end.tsx'

const route = getRouteApi('/r/$realm/reserved')
const pageSize = 50

/** The points of all members that are set aside: open holds, and awards that are not granted yet. */
export function ReservedPage() {
  const { reserved: words } = useWords()
  const { of = 'holds' } = route.useSearch()
  const navigate = route.useNavigate()
  const choice = (
    <Segmented
      label={words.what}
      value={of}
      choices={reserves.map((one) => ({ value: one, label: words.of[one].name }))}
      onChoose={(chosen) => void navigate({ search: { of: chosen }, replace: true })}
    />
  )
  return (
    <Page title={words.title} intro={words.of[of].intro} actions={choice} live>
      {of === 'holds' ? <Holds /> : <PendingAwards />}
    </Page>
  )
}

function Holds() {
  const { client } = useRealm()
  const format = useFormat()
  const endings = useHoldEndings()
  return (
    <List<HoldData>
      of="holds"
      endings={endings}
      read={async (options) => {
        const { data, nextCursor } = await client.holds().page(options)
        return { data: data.map((hold) => ({ ...hold, id: hold.holdId })), nextCursor }
      }}
      until={({ expiresAt }) => format.moment(expiresAt)}
    />
  )
}

function PendingAwards() {
  const { client } = useRealm()
  const endings = useAwardEndings()
  const note = useAwardNote()
  return (
    <List<AwardData>
      of="awards"
      endings={endings}
      read={async (options) => {
        const { data, nextCursor } = await new Awards(client).list().page(options)
        return { data: data.map((award) => ({ ...award, id: award.awardId })), nextCursor }
      }}
      until={note}
    />
  )
}

type ListProps<T> = {
  readonly of: (typeof reserves)[number]
  readonly endings: readonly Ending<T>[]
  readonly read: (
    options: ListOptions,
  ) => Promise<{ readonly data: readonly Reserved<T>[]; readonly nextCursor: string | null }>
  /** When it ends by itself, in words. */
  readonly until: (one: Reserved<T>) => string
}

function List<T extends object>({ of, endings, read, until }: ListProps<T>) {
  const { reserved: words } = useWords()
  const { id: realm } = useRealm()
  const [chosen, setChosen] = useState<Chosen<Reserved<T>>>()
  const query = useInfiniteQuery({
    queryKey: [...realmKey(realm), 'reserved', of],
    queryFn: ({ pageParam }) => read({ limit: pageSize, ...(pageParam ? { cursor: pageParam } : {}) }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
  const columns = useReservedColumns({ endings, until, onChoose: setChosen })
  if (!query.data)
    return (
      <Section bare>
        {query.error ? (
          <Problem error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Skeleton lines={6} />
        )}
      </Section>
    )
  const { name, none, noneHint } = words.of[of]
  return (
    <Section bare>
      <Table
        label={name}
        rows={query.data.pages.flatMap(({ data }) => data)}
        columns={columns}
        idOf={({ id }) => id}
        empty={<Empty icon="lock" title={none} hint={noneHint} />}
        middle
      />
      {query.hasNextPage && <More query={query} />}
      <EndReserved chosen={chosen} onClose={() => setChosen(undefined)} />
    </Section>
  )
}
