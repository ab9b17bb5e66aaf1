import type { OperatedRealm } from '@exchequer/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useApp } from '../../app.tsx'
import { useFormat, useWords } from '../../preferences.tsx'
import { longest } from '../../search.ts'
import type { Role } from '../../session.ts'
import { useSession } from '../../signedIn.ts'
import { Badge, Code } from '../../ui/bits.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Empty, Problem, Skeleton } from '../../ui/states.tsx'
import { useTyped } from '../../ui/typed.ts'
import { CreateRealm } from './create.tsx'
import { firstRealms, isRealmId, realmBy, shownAtMost } from './find.ts'
import { Invited } from './invited.tsx'
import { RealmActions } from './suspension.tsx'

const route = getRouteApi('/')
type Listed = {
  readonly id: string
  readonly name: string
  readonly role: Role
  /** Undefined for a realm in another cell. */
  readonly suspended?: OperatedRealm['suspended'] | undefined
  /** Where there is more than one. */
  readonly cell?: number | undefined
}

/** All realms the person can open. With only one, it opens directly. */
export function RealmsPage() {
  const { session: words, realms: made } = useWords()
  const { realms, operator, invitations } = useSession()
  const { all } = route.useSearch()
  const [creating, setCreating] = useState(false)
  const [only] = realms
  if (!operator && !all && only && realms.length === 1 && invitations.length === 0)
    return <Navigate to="/r/$realm" params={{ realm: only.id }} replace />
  const create = operator && (
    <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
      {made.create}
    </Button>
  )
  return (
    <Page title={words.realmsTitle} actions={create || undefined}>
      <Invited />
      <Search />
      {operator ? <OfOperator onCreate={() => setCreating(true)} /> : <Own />}
      <CreateRealm open={creating} onClose={() => setCreating(false)} />
    </Page>
  )
}

function Search() {
  const { session: words } = useWords()
  const { q = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const go = (text: string) =>
    void navigate({ search: text ? { all: true, q: text } : { all: true }, replace: true })
  const [typed, setTyped] = useTyped(q, go)
  return (
    <div className="max-w-sm">
      <TextField
        label={words.findRealm}
        hideLabel
        type="search"
        placeholder={words.findRealm}
        maxLength={longest}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </div>
  )
}

const hasText =
  (text: string) =>
  ({ id, name }: { readonly id: string; readonly name: string }): boolean =>
    `${name} ${id}`.toLowerCase().includes(text.toLowerCase())

function Own() {
  const { session: words } = useWords()
  const { realms } = useSession()
  const { q = '' } = route.useSearch()
  return (
    <Section bare>
      {realms.length === 0 ? (
        <Empty icon="realms" title={words.noRealms} hint={words.noRealmsHint} />
      ) : (
        <List realms={realms.filter(hasText(q))} />
      )}
    </Section>
  )
}

/** Operators can open any realm, so all are listed; the session has their own roles. */
function OfOperator({ onCreate }: { readonly onCreate: () => void }) {
  const { realms: words } = useWords()
  const format = useFormat()
  const { session } = useApp()
  const { realms: own } = useSession()
  const { q = '' } = route.useSearch()
  const every = useQuery({ queryKey: ['realms', 'list'], queryFn: () => firstRealms(session.operator()) })
  const isCut = every.data?.length === shownAtMost
  const exact = useQuery({
    queryKey: ['realms', 'by id', q],
    queryFn: async () => (await realmBy(session.operator(), q)) ?? null,
    enabled: isCut && isRealmId(q),
  })
  if (every.error || !every.data)
    return (
      <Section bare>
        {every.error ? (
          <Problem error={every.error} onRetry={() => void every.refetch()} />
        ) : (
          <Skeleton lines={6} />
        )}
      </Section>
    )
  const roleIn = (id: string): Role => own.find((one) => one.id === id)?.role ?? 'operator'
  const found = every.data.filter(hasText(q))
  if (exact.data && !found.some(({ id }) => id === exact.data?.id)) found.unshift(exact.data)
  const hasCells = new Set(every.data.map(({ cell }) => cell)).size > 1
  const rows = found.map(({ id, name, suspended, cell }) => ({
    id,
    name,
    suspended,
    role: roleIn(id),
    cell: hasCells ? cell : undefined,
  }))
  const first = (
    <Button small onClick={onCreate}>
      {words.create}
    </Button>
  )
  return (
    <>
      <Section bare>
        {every.data.length === 0 ? (
          <Empty icon="realms" title={words.none} hint={words.noneHint} action={first} />
        ) : (
          <List realms={rows} operated />
        )}
      </Section>
      {isCut && <p className="text-muted text-sm">{words.first(format.number(shownAtMost))}</p>}
    </>
  )
}

type ListProps = { readonly realms: readonly Listed[]; readonly operated?: boolean }

function List({ realms, operated }: ListProps) {
  const { realms: words } = useWords()
  const { q = '' } = route.useSearch()
  if (realms.length === 0) return <Empty icon="search" title={words.nothing(q)} hint={words.nothingHint} />
  return (
    <ul>
      {realms.map((realm) => (
        <li key={realm.id} className="flex items-center border-line border-b last:border-0 hover:bg-page">
          <Row realm={realm} />
          {operated && (
            <span className="pr-3 pl-1">
              <RealmActions realm={realm} />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

function Row({ realm: { id, name, role, suspended, cell } }: { readonly realm: Listed }) {
  const { realms: words, shell } = useWords()
  const format = useFormat()
  return (
    <Link
      to="/r/$realm"
      params={{ realm: id }}
      className="flex min-w-0 flex-1 items-center gap-3 py-3 pr-2 pl-5"
    >
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1.5">
        <span className="min-w-40 flex-1">
          <span className="block truncate font-medium">{name}</span>
          <Code className="text-muted">{id}</Code>
        </span>
        <span className="flex flex-wrap gap-1.5">
          {suspended && <Badge tone="warn">{words.suspended}</Badge>}
          {cell !== undefined && <Badge>{words.cell(format.number(cell))}</Badge>}
          <Badge>{shell.roles[role]}</Badge>
        </span>
      </span>
      <Icon name="right" className="size-4 text-muted" />
    </Link>
  )
}
