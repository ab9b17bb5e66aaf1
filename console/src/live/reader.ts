import type { JournalEntry } from '@exchequer/sdk'
import { type LiveEntry, liveEntryOf } from './entry.ts'
import { EventParser } from './eventParser.ts'

/** The server sends something every 10 s; a connection that is silent for longer than this is dead. */
const silenceMs = 30_000
/** Until the server has named a time. */
const retryByDefaultMs = 2_000
const longestPauseMs = 30_000
/** A stream that lasted this long was a good one: the next pause is the shortest again. */
const goodMs = 10_000
/** After a longer break the stream begins at the end: to load everything is less than to read what was missed. */
const longestBreakMs = 300_000

export type StreamListener = {
  /** `resumed`: no entry was missed since the last one. */
  readonly onOpen: (resumed: boolean) => void
  readonly onEntries: (entries: readonly LiveEntry[]) => void
  /** The server no longer has entries that were read: all data is to be loaded again. */
  readonly onLost: () => void
  readonly onBreak: () => void
}

export type Clock = {
  readonly nowMs: () => number
  /** Resolves early when aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** From 0 to 1. */
  readonly random: () => number
}

export type ReaderOptions = {
  readonly open: (after: string | undefined, signal: AbortSignal) => Promise<Response>
  readonly listener: StreamListener
  readonly clock?: Clock
}

/** Why a connection ended: for good, or until so long from now at least. */
type End = 'stop' | { readonly atLeastMs?: number; readonly atOnce?: boolean }

const isFinal = (status: unknown): boolean => status === 401 || status === 403 || status === 404

/** Reads a stream of the journal, and connects again when it breaks, without missing an entry. */
export class StreamReader {
  readonly #options: ReaderOptions
  readonly #clock: Clock
  #after: string | undefined
  #retryMs = retryByDefaultMs
  #failures = 0
  #aliveAtMs: number

  constructor(options: ReaderOptions) {
    this.#options = options
    this.#clock = options.clock ?? browserClock
    this.#aliveAtMs = this.#clock.nowMs()
  }

  /** Ends when aborted, or when the server says that the stream is not for this reader. */
  async run(after: string | undefined, signal: AbortSignal): Promise<void> {
    this.#after = after
    while (!signal.aborted) {
      const end = await this.#connect(signal)
      if (signal.aborted || end === 'stop') return
      this.#options.listener.onBreak()
      if (!end.atOnce) await this.#clock.sleep(Math.max(end.atLeastMs ?? 0, this.#pauseMs()), signal)
      if (this.#clock.nowMs() - this.#aliveAtMs > longestBreakMs) this.#after = undefined
    }
  }

  /** First as long as the server wants, then longer and longer, and never at the same time as all others. */
  #pauseMs(): number {
    const failures = this.#failures
    this.#failures += 1
    if (failures === 0) return this.#retryMs
    const longest = Math.min(longestPauseMs, this.#retryMs * 2 ** Math.min(failures, 10))
    return longest * (0.5 + this.#clock.random() / 2)
  }

  async #connect(signal: AbortSignal): Promise<End> {
    const attempt = new AbortController()
    const abort = () => attempt.abort()
    signal.addEventListener('abort', abort)
    try {
      const answer = await withWatch(attempt, () => this.#options.open(this.#after, attempt.signal))
      if (answer.status !== 200 || !answer.body) return this.#refused(answer)
      await this.#read(answer.body, attempt)
      return {}
    } catch (error) {
      return isFinal((error as { status?: unknown } | null)?.status) ? 'stop' : {}
    } finally {
      signal.removeEventListener('abort', abort)
      abort()
    }
  }

  #refused({ status, headers }: Response): End {
    if (isFinal(status)) return 'stop'
    if (status === 400 && this.#after !== undefined) {
      this.#after = undefined
      this.#options.listener.onLost()
      return { atOnce: true }
    }
    return { atLeastMs: retryAfterMs(headers.get('retry-after'), this.#clock.nowMs()) }
  }

  async #read(body: ReadableStream<Uint8Array>, attempt: AbortController): Promise<void> {
    const { listener } = this.#options
    const [reader, decoder, parser] = [body.getReader(), new TextDecoder(), new EventParser()]
    const openedAtMs = this.#clock.nowMs()
    listener.onOpen(this.#after !== undefined)
    for (;;) {
      const { done, value } = await withWatch(attempt, () => reader.read())
      if (done) return
      const events = parser.push(decoder.decode(value, { stream: true }))
      this.#aliveAtMs = this.#clock.nowMs()
      this.#retryMs = Math.min(parser.retryMs ?? this.#retryMs, longestPauseMs)
      if (events.length > 0 || this.#aliveAtMs - openedAtMs >= goodMs) this.#failures = 0
      if (events.length === 0) continue
      const entries = events.map(({ data }) => liveEntryOf(JSON.parse(data) as JournalEntry))
      this.#after = events.at(-1)?.id ?? this.#after
      listener.onEntries(entries)
    }
  }
}

/** Aborts the attempt if nothing arrives in time. */
async function withWatch<T>(attempt: AbortController, wait: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => attempt.abort(), silenceMs)
  try {
    return await wait()
  } finally {
    clearTimeout(timer)
  }
}

/** Seconds or a date. */
function retryAfterMs(text: string | null, nowMs: number): number {
  if (text === null) return 0
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs
  return Number.isFinite(ms) ? Math.max(0, ms) : 0
}

const browserClock: Clock = {
  nowMs: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      signal.addEventListener('abort', done)
      if (signal.aborted) done()
    }),
}
