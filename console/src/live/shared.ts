import { Coalescer } from './coalescer.ts'
import type { Changes, LiveEntry } from './entry.ts'
import { type ReaderOptions, StreamReader } from './reader.ts'

/** `off`: the server does not stream to this person, or has ended the stream for good. */
export type LiveState = 'off' | 'connecting' | 'live'

/** From a tab that was just opened or shown. */
type Hello = { readonly kind: 'hello' }
/** From the tab with the stream. */
type News =
  | { readonly kind: 'state'; readonly state: LiveState; readonly last: string | undefined }
  | { readonly kind: 'entries'; readonly entries: readonly LiveEntry[] }
  | { readonly kind: 'everything' }
  | { readonly kind: 'lost' }

export type SharedOptions = {
  readonly realm: string
  readonly open: ReaderOptions['open']
  /** Called at most once a second; returns whether it is to be called again even without new entries. */
  readonly onChanges: (changes: Changes) => boolean
  readonly onLost: () => void
}

const isVisible = (): boolean => document.visibilityState === 'visible'

/**
 * One stream for all tabs of this browser that show a realm: a browser opens six connections to a server at
 * most. One visible tab holds a lock and reads the stream; it passes entries on, and the next one takes over
 * when it is closed or hidden. Tabs that are hidden do not wait for the lock.
 */
export class SharedStream {
  readonly #options: SharedOptions
  readonly #name: string
  readonly #coalescer: Coalescer
  readonly #listeners = new Set<() => void>()
  #channel: BroadcastChannel | undefined
  #turn: AbortController | undefined
  #isReading = false
  #state: LiveState = 'connecting'
  #last: string | undefined

  constructor(options: SharedOptions) {
    this.#options = options
    this.#name = `exchequer-stream ${options.realm}`
    this.#coalescer = new Coalescer(options.onChanges)
  }

  readonly state = (): LiveState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  start(): void {
    this.#channel = new BroadcastChannel(this.#name)
    this.#channel.onmessage = ({ data }) => this.#receive(data as Hello | News)
    document.addEventListener('visibilitychange', this.#onVisibility)
    if (isVisible()) this.#begin()
  }

  stop(): void {
    document.removeEventListener('visibilitychange', this.#onVisibility)
    this.#end()
    this.#channel?.close()
    this.#channel = undefined
  }

  readonly #onVisibility = (): void => {
    if (!isVisible()) this.#end()
    if (!isVisible() || this.#turn) return
    this.#coalescer.add({ entries: [], everything: true })
    this.#begin()
  }

  #begin(): void {
    this.#turn = new AbortController()
    this.#channel?.postMessage({ kind: 'hello' } satisfies Hello)
    void this.#waitForTurn(this.#turn.signal)
  }

  #end(): void {
    this.#turn?.abort()
    this.#turn = undefined
    this.#last = undefined
    this.#coalescer.stop()
    this.#setState('connecting')
  }

  /** Locks exist on https pages and on localhost only: elsewhere each visible tab has a stream of its own. */
  async #waitForTurn(signal: AbortSignal): Promise<void> {
    const read = () => this.#read(signal)
    if (!('locks' in navigator)) return read()
    try {
      await navigator.locks.request(this.#name, { signal }, read)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  async #read(signal: AbortSignal): Promise<void> {
    const share = (message: News) => !signal.aborted && this.#share(message)
    const reader = new StreamReader({
      open: this.#options.open,
      listener: {
        onOpen: (resumed) => {
          share({ kind: 'state', state: 'live', last: this.#last })
          // Data that was loaded before the stream began may lack entries that were posted in between.
          if (!resumed) share({ kind: 'everything' })
        },
        onEntries: (entries) => share({ kind: 'entries', entries }),
        onLost: () => share({ kind: 'lost' }),
        onBreak: () => share({ kind: 'state', state: 'connecting', last: this.#last }),
      },
    })
    this.#isReading = true
    await reader.run(this.#last, signal)
    this.#isReading = false
    if (!signal.aborted) this.#setState('off')
  }

  #share(message: News): void {
    this.#channel?.postMessage(message)
    this.#apply(message)
  }

  #receive(message: Hello | News): void {
    if (message.kind === 'hello') {
      if (this.#isReading)
        this.#channel?.postMessage({ kind: 'state', state: this.#state, last: this.#last } satisfies News)
    } else if (this.#turn) this.#apply(message)
  }

  #apply(message: News): void {
    if (message.kind === 'state') {
      this.#last = message.last ?? this.#last
      this.#setState(message.state)
    } else if (message.kind === 'entries') {
      this.#last = message.entries.at(-1)?.seq ?? this.#last
      this.#coalescer.add({ entries: message.entries, everything: false })
    } else if (message.kind === 'everything') {
      this.#coalescer.add({ entries: [], everything: true })
    } else {
      this.#last = undefined
      this.#options.onLost()
    }
  }

  #setState(state: LiveState): void {
    if (state === this.#state) return
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}
