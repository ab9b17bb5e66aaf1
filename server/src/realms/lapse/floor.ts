import { dayOfLapse } from './dayOfLapse.ts'
import { isIdleRule, type LapseRule, type LapseStep } from './rule.ts'

/** The first day on which a rule may lapse anything, so that none lapses sooner than by the rules before. */
export function floorOf(steps: readonly LapseStep[], rule: LapseRule | null, today: number): number {
  if (rule === null) return 0
  const isSetAgain = steps.length > 0 && steps.at(-1)?.rule === null
  if (!isIdleRule(rule)) return isSetAgain ? dayOfLapse(today, rule) : 0
  const before = steps.findLast((step) => step.rule !== null)?.rule
  const own = before === undefined || isSetAgain ? dayOfLapse(today, rule) : 0
  if (!isIdleRule(before)) return own
  const isStricter =
    rule.idle.months < before.idle.months || before.idle.by.some((type) => !rule.idle.by.includes(type))
  return isStricter ? Math.max(own, dayOfLapse(today, before)) : own
}
