import type { LapseStep } from '../../realms/index.ts'
import { lotsBy, type StoredLots } from '../rules/dating.ts'
import { type Lots, raise, undated } from '../rules/lots.ts'

/** What of a balance lapses on which days, if its rule does not change. */
export function lapsingOf(steps: readonly LapseStep[], stored: StoredLots): Lots {
  const last = steps.at(-1)
  if (!last?.rule) return []
  return raise(lotsBy(steps, stored), last.notBefore ?? 0).filter(({ day }) => day < undated)
}
