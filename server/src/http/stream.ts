import type { ServerResponse } from 'node:http'
import { setImmediate as othersTurn, setTimeout as sleep } from 'node:timers/promises'
import { Refused } from '../errors.ts'

/** What is handed to a connection at once. */
const pieceBytes = 64 * 1024

/** Until the client has taken what was written, or is gone. */
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

/** How long an answer waits for the database to say whether it may go on, and how often it asks. */
const confirmWithinMs = 10_000
const askAgainMs = 250

const isUnavailable = (error: unknown): boolean =>
  error instanceof Refused && error.refusal.code === 'unavailable'

/** Asks until there is an answer. Nothing is sent meanwhile, so a database that is slow cuts no export. */
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
 * Sends pages as they come, in pieces, none before the client has taken those before it. `check` is asked
 * before each piece. A page or a check that fails cuts the connection: the client must not take a part for
 * the whole.
 */
export async function pour(
  response: ServerResponse,
  pages: AsyncIterable<string>,
  check: () => unknown = () => {},
): Promise<void> {
  try {
    for await (const page of pages) {
      const bytes = Buffer.from(page)
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        if (response.destroyed) return
        await confirm(check)
        if (!response.write(bytes.subarray(at, at + pieceBytes))) await taken(response)
        // Even a client that takes all at once must not hold up the others.
        await othersTurn()
      }
    }
    response.end()
  } catch (error) {
    response.destroy()
    throw error
  }
}
