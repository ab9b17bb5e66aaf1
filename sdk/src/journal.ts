import { RateLimitedError, UnavailableError } from './errors.ts'
import type { ListOptions } from './list.ts'
import type { RangeOptions } from './ranges.ts'
import type { AnswerOf } from './routes.ts'
import { wait } from './wait.ts'

export type JournalPage = AnswerOf<'GET /journal'>
export type JournalEntry = JournalPage['data'][number]
export type JournalHead = JournalPage['head']

export type JournalOptions = ListOptions & RangeOptions
export type FollowOptions = Omit<JournalOptions, 'to'> & {
  /** Poll interval for new entries, in milliseconds. */
  readonly everyMs?: number
}

/** All entries, then new ones by polling, which continues while the server is unreachable. */
export async function* followed(
  read: (asked: JournalOptions) => Promise<JournalPage>,
  { everyMs = 1_000, cursor = '0', ...asked }: FollowOptions,
): AsyncGenerator<JournalEntry> {
  for (let last = cursor; ; ) {
    const page = await read({ limit: 1000, ...asked, cursor: last }).catch((error: unknown) => {
      if (error instanceof UnavailableError || error instanceof RateLimitedError) return undefined
      throw error
    })
    yield* page?.data ?? []
    last = page?.data.at(-1)?.seq ?? last
    if (!page || page.nextCursor === null) await wait(everyMs, asked.signal)
  }
}
