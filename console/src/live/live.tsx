import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from 'react'
import { useApp } from '../app.tsx'
import { useWords } from '../preferences.tsx'
import type { Changes } from './entry.ts'
import { Refresher } from './refresher.ts'
import { type LiveState, SharedStream } from './shared.ts'

type Listener = (changes: Changes) => void

/** A realm that is followed. */
export type Live = {
  readonly stream: SharedStream
  readonly listeners: Set<Listener>
  readonly hold: (key: QueryKey) => () => void
  readonly load: (key: QueryKey) => void
}

const Context = createContext<Live | undefined>(undefined)

type LiveProps = { readonly realm: string; readonly children: ReactNode }

/** Keeps the pages of a realm current. */
export function LiveProvider({ realm, children }: LiveProps) {
  const { session } = useApp()
  const queries = useQueryClient()
  const live = useMemo((): Live => {
    const refresher = new Refresher({ queries, realm })
    const listeners = new Set<Listener>()
    const stream = new SharedStream({
      realm,
      open: session.streamOf(realm),
      onChanges: (changes) => {
        for (const listener of listeners) listener(changes)
        return refresher.apply(changes)
      },
      onLost: () => refresher.reset(),
    })
    return { stream, listeners, hold: (key) => refresher.hold(key), load: (key) => refresher.load(key) }
  }, [session, queries, realm])
  useEffect(() => {
    live.stream.start()
    return () => live.stream.stop()
  }, [live])
  return <Context value={live}>{children}</Context>
}

/** Undefined where a person may not read the journal. */
export const useLive = (): Live | undefined => useContext(Context)

/** Calls back with what has changed, at most once a second. */
export function useChanges(listener: Listener): void {
  const live = useLive()
  useEffect(() => {
    live?.listeners.add(listener)
    return () => void live?.listeners.delete(listener)
  }, [live, listener])
}

const never = () => () => {}

function useLiveState(): LiveState {
  const stream = useLive()?.stream
  return useSyncExternalStore(stream?.subscribe ?? never, () => stream?.state() ?? 'off')
}

const dots = { live: 'bg-good', connecting: 'bg-warn' } as const

/** Shows whether the page is current by itself. A short interruption is not shown. */
export function LiveSign() {
  const { live: words } = useWords().shell
  const state = useLiveState()
  if (state === 'off') return null
  return (
    <span
      title={words.hints[state]}
      data-live={state}
      className={`inline-flex items-center gap-1.5 whitespace-nowrap text-muted text-xs ${state === 'live' ? '' : 'appear-late'}`}
    >
      <span aria-hidden="true" className={`size-1.5 rounded-full ${dots[state]}`} />
      {words[state]}
    </span>
  )
}
