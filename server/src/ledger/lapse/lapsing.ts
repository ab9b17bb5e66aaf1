import { isIdle, type LapseStep } from '../../realms/index.ts'
import type { Active } from '../rules/command.ts'
import { idleDay, lotsBy, type StoredLots } from '../rules/dating.ts'
import { type Lots, raise, undated } from '../rules/lots.ts'

/**
 * What of a balance lapses on which days, if its rule does not change; with a rule for members without
 * activity everything at once, if its member was active last then and stays away.
 */
export function lapsingOf(steps: readonly LapseStep[], stored: StoredLots, last?: Active): Lots {
  const step = steps.at(-1)
  if (!step?.rule) return []
  if (isIdle(steps)) {
    const day = last && idleDay(step, last.atUs)
    return day === undefined || stored.amount === 0n ? [] : [{ day, amount: stored.amount }]
  }
  return raise(lotsBy(steps, stored), step.notBefore ?? 0).filter(({ day }) => day < undated)
}
