import { ExchequerError, type Realm, type RealmData } from '@exchequer/sdk'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { createContext, useContext, useMemo } from 'react'
import { useApp } from './app.tsx'
import { LiveProvider } from './live/live.tsx'
import { useWords } from './preferences.tsx'
import type { Access } from './session.ts'
import { SuspendedBanner } from './shell/suspended.tsx'
import { buttonClass } from './ui/button.tsx'
import { Page, Section } from './ui/page.tsx'
import { Empty, Problem, Skeleton } from './ui/states.tsx'

export type Scope =
  | 'members:read'
  | 'members:write'
  | 'wallets:read'
  | 'wallets:write'
  | 'points:write'
  | 'journal:read'
  | 'realm:admin'

/** The realm whose pages are shown. */
export type RealmHere = {
  readonly id: string
  readonly client: Realm
  readonly access: Access
  readonly data: RealmData
  readonly can: (scope: Scope) => boolean
}

const Context = createContext<RealmHere | undefined>(undefined)

export function useRealm(): RealmHere {
  const realm = useContext(Context)
  if (!realm) throw new Error('no realm around this component')
  return realm
}

export type PointKind = RealmData['points'][number]

/** The active point types, the default first. */
export function useKinds(): readonly PointKind[] {
  const { points } = useRealm().data
  return useMemo(() => points.filter((point) => !point.archived), [points])
}

export const realmKey = (realm: string) => ['realm', realm] as const

/** After a write the realm's data is reloaded; the member list from its start, not page by page. */
export function renew(queries: QueryClient, realm: string): Promise<void> {
  void queries.resetQueries({ queryKey: [...realmKey(realm), 'members'], type: 'inactive' })
  return queries.invalidateQueries({ queryKey: realmKey(realm) })
}

/** Wraps every page of a realm, once its key and the realm are loaded. */
export function RealmLayout() {
  const { realm: id } = useParams({ from: '/r/$realm' })
  const { session } = useApp()
  const client = useMemo(() => session.realm(id), [session, id])
  const access = useQuery({ queryKey: [...realmKey(id), 'access'], queryFn: () => session.access(id) })
  const data = useQuery({
    queryKey: [...realmKey(id), 'data'],
    queryFn: () => client.get(),
    enabled: access.data !== undefined,
  })
  const here = useMemo(() => {
    if (!access.data || !data.data) return undefined
    const { scopes } = access.data
    const can = (scope: Scope) => scopes.includes(scope)
    return { id, client, access: access.data, data: data.data, can }
  }, [id, client, access.data, data.data])
  if (here)
    return (
      <Context value={here}>
        <SuspendedBanner suspended={here.data.suspended} />
        {here.can('journal:read') ? (
          <LiveProvider realm={id}>
            <Outlet />
          </LiveProvider>
        ) : (
          <Outlet />
        )}
      </Context>
    )
  const error = access.error ?? data.error
  if (error instanceof ExchequerError && error.status === 403) return <NoAccess />
  if (error) return <Problem error={error} onRetry={() => void (access.error ? access : data).refetch()} />
  return <Skeleton lines={6} className="mx-auto max-w-6xl px-8 pt-12" />
}

/** Also for a realm that does not exist: who has no role there can't tell. */
function NoAccess() {
  const { states } = useWords()
  const home = (
    <Link to="/" search={{ all: true }} className={buttonClass('primary')}>
      {states.home}
    </Link>
  )
  return (
    <Page title={states.noAccess}>
      <Section>
        <Empty icon="lock" title={states.noAccessHint} action={home} />
      </Section>
    </Page>
  )
}
