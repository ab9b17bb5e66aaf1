import { type Refusal, Refused } from '../errors.ts'
import type { Reply } from './problem.ts'

const reads: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'QUERY'])

function tooLate(method: string | undefined): Refusal {
  const headers = { 'retry-after': '1' }
  if (reads.has(method)) return { code: 'unavailable', detail: 'This took too long; try again.', headers }
  const detail =
    'This took too long. The change may or may not have happened; the same request with the same ' +
    'Idempotency-Key settles it.'
  return { code: 'outcome_unknown', detail, headers }
}

/** An answer, or after this time a refusal in its place. What still goes on then is heard by nobody. */
export function inTime(work: Promise<Reply>, withinMs: number, method: string | undefined): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Refused(tooLate(method))), withinMs)
    work.then(
      (reply) => {
        clearTimeout(timer)
        resolve(reply)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error as Error)
      },
    )
  })
}
