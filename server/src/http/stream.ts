import type { ServerResponse } from 'node:http'
import { setImmediate as othersTurn, setTimeout as sleep } from 'node:timers/promises'
import { RefusalError } from '../errors.ts'

/** The most that is written to a connection at once. */
const pieceBytes = 64 * 1024

/** Resolves when the client has read what was written, or has disconnected. */
function taken(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.removeListener('drain', done)
      response.removeListener('close', done)
      resolve()
    }
    response.once('drain', done)
    response.once('close', done)
  })
}

/** What `pour` needs of a streamed reply. */
type Poured = {
  readonly body: AsyncIterable<string>
  readonly check?: () => unknown
  readonly stop?: () => void
}

/** A key that was revoked is noticed within a second, also while there is nothing to send. */
const checkEveryMs = 250

/** How long a response waits for the database to confirm its key, and how often it retries. */
const confirmWithinMs = 10_000
const askAgainMs = 250

const isUnavailable = (error: unknown): boolean =>
  error instanceof RefusalError && error.refusal.code === 'unavailable'

/** Retries until the database responds. Nothing is sent meanwhile, so a slow database aborts no export. */
async function confirm(check: () => unknown): Promise<void> {
  for (const deadlineMs = performance.now() + confirmWithinMs; ; ) {
    try {
      await check()
      return
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > deadlineMs) throw error
      await sleep(askAgainMs)
    }
  }
}

/**
 * Streams pages in pieces, each after the client has read the previous one. `check` runs before each piece.
 * If a page or a check fails, the connection is closed: the client must not mistake a part for the whole.
 * A reply with `stop` has no end of its own: it is stopped when its client disconnects.
 */
export async function pour(
  response: ServerResponse,
  { body, check = () => {}, stop }: Poured,
): Promise<void> {
  const recheck = () => void confirm(check).catch(() => response.destroy())
  const checking = stop && setInterval(recheck, checkEveryMs)
  if (stop) response.once('close', stop)
  try {
    for await (const page of body) {
      const bytes = Buffer.from(page)
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        if (response.destroyed) return
        await confirm(check)
        if (!response.write(bytes.subarray(at, at + pieceBytes))) await taken(response)
        // A fast client must not delay the others.
        await othersTurn()
      }
    }
    response.end()
  } catch (error) {
    response.destroy()
    throw error
  } finally {
    clearInterval(checking)
  }
}
