import type { Act } from '@exchequer/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useFormat, useWords } from '../../preferences.tsx'
import { longest } from '../../search.ts'
import { Code, Time } from '../../ui/bits.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Section } from '../../ui/page.tsx'
import { Empty, Problem, Skeleton } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useTyped } from '../../ui/typed.ts'
import { type AuditFilter, type AuditLookup, actionIn, look, type Source } from './look.ts'

/** A log with filters, which are kept in the URL. */
export function AuditLog({ source }: { readonly source: Source }) {
  const { about, q } = useSearch({ strict: false }) as AuditFilter
  const wanted = { ...(about === undefined ? {} : { about }), ...(q === undefined ? {} : { q }) }
  const query = useInfiniteQuery({
    queryKey: [...source.key, wanted],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => look(source, wanted, { cursor: pageParam, signal }),
    getNextPageParam: ({ next }: AuditLookup) => next?.cursor,
    refetchOnWindowFocus: false,
  })
  return (
    <>
      <Filters {...wanted} />
      <Section bare>
        {query.error && !query.data ? (
          <Problem error={query.error} onRetry={() => void query.refetch()} />
        ) : query.data ? (
          <Found pages={query.data.pages} isNarrow={about !== undefined || q !== undefined} />
        ) : (
          <Skeleton lines={8} />
        )}
      </Section>
      {query.data && query.hasNextPage && (
        <Further
          pages={query.data.pages}
          busy={query.isFetchingNextPage}
          onMore={() => void query.fetchNextPage()}
        />
      )}
      {query.isFetchNextPageError && (
        <Problem error={query.error} onRetry={() => void query.fetchNextPage()} />
      )}
    </>
  )
}

const pauseMs = 250

function Filters({ about = '', q = '' }: AuditFilter) {
  const { audit: words } = useWords()
  const navigate = useNavigate()
  const go = (next: AuditFilter) => {
    const search = Object.fromEntries(
      Object.entries({ about, q, ...next }).filter(([, value]) => value !== ''),
    )
    void navigate({ to: '.', search, replace: true })
  }
  const [typed, setTyped] = useTyped(q, (text) => go({ q: text }), pauseMs)
  const choices = Object.entries(words.nouns).map(([value, label]) => ({ value, label }))
  return (
    <div className="grid gap-3 sm:grid-cols-[14rem_minmax(0,24rem)]">
      <SelectField
        label={words.about}
        hideLabel
        value={about}
        choices={[{ value: '', label: words.all }, ...choices]}
        onChange={({ target }) => go({ about: target.value })}
      />
      <TextField
        label={words.search}
        hideLabel
        type="search"
        maxLength={longest}
        placeholder={words.search}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </div>
  )
}

function Found({ pages, isNarrow }: { readonly pages: readonly AuditLookup[]; readonly isNarrow: boolean }) {
  const { audit: words } = useWords()
  const columns = useColumns()
  const empty = isNarrow ? (
    <Empty icon="search" title={words.nothing} hint={words.nothingHint} />
  ) : (
    <Empty icon="audit" title={words.none} hint={words.noneHint} />
  )
  return (
    <Table
      label={words.list}
      rows={pages.flatMap(({ found }) => found)}
      columns={columns}
      idOf={({ id }) => id}
      empty={empty}
    />
  )
}

type FurtherProps = {
  readonly pages: readonly AuditLookup[]
  readonly busy: boolean
  readonly onMore: () => void
}

function Further({ pages, busy, onMore }: FurtherProps) {
  const { audit: words } = useWords()
  const format = useFormat()
  const looked = pages.reduce((sum, page) => sum + page.looked, 0)
  const last = pages.at(-1)?.next?.last
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button busy={busy} onClick={onMore}>
        {words.older}
      </Button>
      {last && (
        <p className="text-muted text-sm">{words.looked(format.number(looked), format.moment(last.at))}</p>
      )}
    </div>
  )
}

function useColumns(): readonly Column<Act>[] {
  const words = useWords()
  return useMemo(
    () => [
      {
        id: 'when',
        header: words.audit.when,
        meta: { wide: true },
        cell: ({ row: { original: act } }) => <Time at={act.at} />,
      },
      {
        id: 'who',
        header: words.audit.who,
        cell: ({ row: { original: act } }) => (
          <span className="block min-w-20 break-words">{whoOf(act)}</span>
        ),
      },
      {
        id: 'what',
        header: words.audit.what,
        meta: { grow: true },
        cell: ({ row: { original: act } }) => (
          <div className="min-w-32">
            <span className="font-medium">{actionIn(words, act.action)}</span>
            <span className="block text-muted text-sm [overflow-wrap:anywhere]">{act.subject}</span>
            <span className="block text-muted text-sm md:hidden">
              <Time at={act.at} />
              {act.address && ` · ${act.address}`}
            </span>
          </div>
        ),
      },
      {
        id: 'from',
        header: words.audit.from,
        meta: { wide: true },
        cell: ({ row: { original: act } }) => (
          <div>
            {act.address ? (
              <Code className="whitespace-nowrap">{act.address}</Code>
            ) : (
              <span className="text-muted">–</span>
            )}
            {act.requestId && <Code className="block whitespace-nowrap text-muted">{act.requestId}</Code>}
          </div>
        ),
      },
    ],
    [words],
  )
}

/** A person's name where it is still known; any other actor as logged. */
const whoOf = ({ person, actor }: Act): string => person?.name ?? actor
