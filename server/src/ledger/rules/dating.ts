import { dayOfLapse, isIdleRule, type LapseStep } from '../../realms/lapse/index.ts'
import { type Lots, parseLots, raise, undated } from './lots.ts'

/** The lots of an amount as stored, which the entry `seq` left; null for those before the first rule. */
export type StoredLots = {
  readonly lots?: string | null | undefined
  readonly amount: bigint
  readonly seq: bigint | null
}

/** Its lots by now: undated points get the day of the first rule that was set since. */
export function lotsBy(steps: readonly LapseStep[], { lots, amount, seq }: StoredLots): Lots {
  const found = lots == null ? (amount > 0n ? [{ day: undated, amount }] : []) : parseLots(lots)
  if (found.at(-1)?.day !== undated) return found
  for (const { rule, fromSeq, baseDay } of steps) {
    if (fromSeq <= (seq ?? 0n) || rule === null) continue
    const day = dayOfLapse(baseDay, rule)
    return raise([...found.slice(0, -1), { day, amount: found.at(-1)?.amount ?? 0n }], 0)
  }
  return found
}

/** The step that an entry falls under. */
export const stepAt = (steps: readonly LapseStep[], seq: bigint): LapseStep | undefined =>
  steps.findLast(({ fromSeq }) => fromSeq <= seq)

const dayAt = ({ days }: LapseStep, atUs: bigint): number => days.of(Number(atUs))

/** The day of a point that is issued at a time. */
export const issueDay = (step: LapseStep, atUs: bigint): number =>
  step.rule === null ? undated : dayOfLapse(dayAt(step, atUs), step.rule)

/** What comes back has this day at least: so there are 24 hours or more to use it. */
export const returnDay = (step: LapseStep, atUs: bigint): number => dayAt(step, atUs) + 2

/** The lots that lapse at a time: all whose day has come. */
export function dueLots(step: LapseStep, lots: Lots, atUs: bigint): Lots {
  const today = dayAt(step, atUs)
  if (step.rule === null || today < (step.notBefore ?? 0)) return []
  return lots.filter(({ day }) => day <= today)
}

/**
 * The first day on which a balance lapses whose member was active last at a time; undefined without a rule
 * that says so.
 */
export const idleDay = (step: LapseStep, activeUs: bigint): number | undefined =>
  isIdleRule(step.rule)
    ? Math.max(dayOfLapse(dayAt(step, activeUs), step.rule), step.notBefore ?? 0)
    : undefined

/** Whether such a balance lapses at a time. */
export function isIdleDue(step: LapseStep, activeUs: bigint, atUs: bigint): boolean {
  const day = idleDay(step, activeUs)
  return day !== undefined && day <= dayAt(step, atUs)
}
