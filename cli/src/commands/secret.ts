import type { Context } from '../command.ts'
import { Stop } from '../exits.ts'

type Secret = {
  /** Null in a replayed response, when the Idempotency-Key was used before. */
  readonly secret: string | null
  readonly what: string
  /** What to do when it was not stored. */
  readonly lost: string
  readonly aside: string
}

/** A secret shown once: alone on stdout, so that it can be piped into a file; notes go to stderr. */
export function showSecret({ out }: Context, answer: object, { secret, what, lost, aside }: Secret): void {
  if (secret === null)
    throw new Stop('refused', `This Idempotency-Key was used before: ${what} was shown then, once. ${lost}`)
  out.answer(answer, () => {
    out.aside(aside)
    out.line(secret)
  })
}
