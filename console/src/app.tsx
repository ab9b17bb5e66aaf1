import { ExchequerError } from '@exchequer/sdk'
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import type { Arrival } from './arrival.ts'
import type { Drafts } from './drafts.ts'
import type { Place } from './place.ts'
import { PreferencesProvider } from './preferences.tsx'
import { Reach } from './reach.ts'
import { Session, type SessionData } from './session.ts'
import { Toasts } from './ui/toast.tsx'
import { IdempotencyKeys } from './unsettled.ts'

/** Context of every page. */
export type App = {
  readonly place: Place
  readonly arrival: Arrival
  readonly session: Session
  readonly queries: QueryClient
  readonly reach: Reach
  readonly unsettled: IdempotencyKeys
  readonly drafts: Drafts
}

export const sessionKey = ['session'] as const

const isAway = (error: unknown): boolean => error instanceof ExchequerError && error.code === 'no_answer'

export function makeApp(place: Place, arrival: Arrival): App {
  const reach = new Reach()
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => reach.tell(isAway(error)),
      onSuccess: () => reach.tell(false),
    }),
    defaultOptions: {
      // The SDK already retries safe requests; retrying here too would only wait longer.
      queries: { retry: false, staleTime: 10_000, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  // Drop cached data when the person changes. The session query is updated in place: the page observes it.
  const drafts: Drafts = new Map()
  const turn = (data: SessionData | null) => {
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
    queries.setQueryData(sessionKey, data)
    drafts.clear()
  }
  const session = new Session(place, { onEnd: () => turn(null), onOther: turn })
  return { place, arrival, session, queries, reach, unsettled: new IdempotencyKeys(), drafts }
}

const Context = createContext<App | undefined>(undefined)

export function useApp(): App {
  const app = useContext(Context)
  if (!app) throw new Error('no app around this component')
  return app
}

export function AppProvider({ app, children }: { readonly app: App; readonly children: ReactNode }) {
  return (
    <Context value={app}>
      <QueryClientProvider client={app.queries}>
        <PreferencesProvider>
          <Toasts>{children}</Toasts>
        </PreferencesProvider>
      </QueryClientProvider>
    </Context>
  )
}
