import { AsyncLocalStorage } from 'node:async_hooks'
import { outcomeUnknown, RefusalError } from '../errors.ts'

type Request = { hasCommitted: boolean }

const requests = new AsyncLocalStorage<Request>()

/** Called when a change of rows is durable. */
export function noteCommit(): void {
  const request = requests.getStore()
  if (request) request.hasCommitted = true
}

/**
 * Runs a request that changes rows. Once a change of it is durable, no refusal may say that nothing was
 * changed: the realm may move, and the database go away, before the request has read its answer.
 */
export function followCommits<T>(work: () => T | Promise<T>): Promise<T> {
  const request: Request = { hasCommitted: false }
  return requests.run(request, async () => {
    try {
      return await work()
    } catch (error) {
      throw request.hasCommitted && isPassing(error) ? new RefusalError(changed, error) : error
    }
  })
}

const changed = {
  ...outcomeUnknown,
  detail: 'The change was made, but what it led to could not be read. Read it before you send it again.',
}

/** Whether the error is a refusal by which a request can be sent again as it is. */
export const isPassing = (error: unknown): boolean =>
  error instanceof RefusalError && passing.has(error.refusal.code)

const passing: ReadonlySet<string> = new Set(['overloaded', 'unavailable', 'wrong_cell'])
