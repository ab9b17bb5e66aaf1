import { errorOf, RateLimitedError, UnavailableError } from './errors.ts'
import { eventsOf } from './eventStream.ts'
import type { ListOptions } from './list.ts'
import type { RangeOptions } from './ranges.ts'
import { responseOf } from './response.ts'
import type { AnswerOf, CallOptions } from './routes.ts'
import { retryAfterOf, type Transport } from './transport.ts'
import { wait } from './wait.ts'

export type JournalPage = AnswerOf<'GET /journal'>
export type JournalEntry = JournalPage['data'][number]
export type JournalHead = JournalPage['head']

export type JournalOptions = ListOptions & RangeOptions
export type FollowOptions = Pick<CallOptions, 'signal' | 'timeoutMs'> & {
  /** The last seq that you have, or 0 for the whole journal. By default only new entries are returned. */
  readonly cursor?: string | undefined
}

type Feed = {
  readonly transport: Transport
  readonly path: string
  /** Reads the seq of the last entry. */
  readonly readHead: () => Promise<string>
}

const firstRetryMs = 1_000
const longestPauseMs = 30_000
/** A proxy may ask for more than a timer can wait. */
const longestRetryAfterMs = 600_000

/** Entries as they are posted. Connects again after the last one, for as long as that can help. */
export async function* followed(
  feed: Feed,
  { cursor, signal, timeoutMs }: FollowOptions,
): AsyncGenerator<JournalEntry> {
  let last = cursor
  let retryMs = firstRetryMs
  for (let failures = 0; !signal?.aborted; ) {
    const closing = new AbortController()
    let retryAfterMs = 0
    try {
      // Known before the first connection, so that nothing is missed if that breaks before the first entry.
      last ??= await feed.readHead()
      const either = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
      const stream = await open(feed, last, { signal: either, timeoutMs })
      failures = 0
      for await (const { retry, data } of eventsOf(stream)) {
        if (retry) retryMs = Number(retry) || retryMs
        if (!data) continue
        const entry = JSON.parse(data) as JournalEntry
        last = entry.seq
        yield entry
      }
    } catch (error) {
      if (signal?.aborted) return
      if (!(error instanceof UnavailableError || error instanceof RateLimitedError)) throw error
      failures += 1
      retryAfterMs = retryAfterOf(responseOf(error)?.headers)
    } finally {
      closing.abort()
    }
    // The server spreads `retry` over its clients; growing pauses are spread here.
    const growth = failures && 2 ** (failures - 1) * (0.5 + Math.random())
    const pauseMs = Math.min(retryMs * (growth || 1), longestPauseMs)
    await wait(Math.max(pauseMs, Math.min(retryAfterMs, longestRetryAfterMs)), signal).catch(() => {})
  }
}

/** The cursor is in the query, as a page of another origin may not send Last-Event-ID. */
async function open({ transport, path }: Feed, cursor: string, options: CallOptions) {
  const call = { method: 'GET', path, query: { cursor }, retries: 0, ...options } as const
  const { value, headers } = await transport.stream(call)
  if (headers.get('content-type')?.startsWith('text/event-stream')) return value
  const detail = 'The response is not an event stream. Check the URL of the server.'
  throw errorOf({ status: 200, code: 'http_200', detail })
}
