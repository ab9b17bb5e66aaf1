import { type Refusal, RefusalError } from '../../errors.ts'

const reads: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'QUERY'])

function refusalOf(method: string | undefined): Refusal {
  const headers = { 'retry-after': '1' }
  if (reads.has(method)) return { code: 'unavailable', detail: 'The request timed out; try again.', headers }
  const detail =
    'The request timed out. The change may or may not have happened; retry with the same ' +
    'Idempotency-Key to find out.'
  return { code: 'outcome_unknown', detail, headers }
}

/** The response to a request that timed out: the outcome of a write is unknown. */
export const tooLate = (method: string | undefined): RefusalError => new RefusalError(refusalOf(method))

/** The result, or the error from `late` after the timeout. */
export function answerWithin<T>(answer: Promise<T>, timeoutMs: number, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), timeoutMs)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
