import { type Refusal, Refused } from '../../errors.ts'

const reads: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'QUERY'])

function refusalOf(method: string | undefined): Refusal {
  const headers = { 'retry-after': '1' }
  if (reads.has(method)) return { code: 'unavailable', detail: 'This took too long; try again.', headers }
  const detail =
    'This took too long. The change may or may not have happened; the same request with the same ' +
    'Idempotency-Key settles it.'
  return { code: 'outcome_unknown', detail, headers }
}

/** What a request is answered that took too long: nobody knows what became of a write. */
export const tooLate = (method: string | undefined): Refused => new Refused(refusalOf(method))

/** The answer, or the error that `late` creates when it takes longer. */
export function answerWithin<T>(answer: Promise<T>, timeoutMs: number, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), timeoutMs)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
