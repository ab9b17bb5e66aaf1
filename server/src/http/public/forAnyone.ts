import { RefusalError } from '../../errors.ts'
import { freshForMs } from '../../leaderboards/index.ts'

/** Any origin may read it: the data is public. */
export const forAnyone = {
  'cache-control': `public, max-age=${freshForMs / 1_000}`,
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

/** Other origins may read errors too. */
export function readable(error: unknown): never {
  if (!(error instanceof RefusalError)) throw error
  const { refusal } = error
  throw new RefusalError({ ...refusal, headers: { ...refusal.headers, 'access-control-allow-origin': '*' } })
}
