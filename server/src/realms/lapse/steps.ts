import { Days } from '../days.ts'
import type { LapseRule, LapseStep } from './rule.ts'

type StepText = {
  readonly number: number
  readonly fromSeq: string
  readonly baseDay: number
  readonly notBefore: number | null
  readonly timeZone: string
  readonly rule: string | null
}

/** A calendar takes much memory, and there are a few hundred time zones: all rules of one share it. */
const calendars = new Map<string, Days>()

function calendarOf(timeZone: string): Days {
  const days = calendars.get(timeZone) ?? new Days(timeZone)
  calendars.set(timeZone, days)
  return days
}

/** A column with all steps of the point type `p`, as `stepsOf` reads them. */
export const stepsColumn = `(select json_agg(json_build_object('number', number, 'fromSeq', from_seq::text,
          'baseDay', base_day, 'notBefore', not_before, 'timeZone', time_zone, 'rule', rule)
          order by number)::text
        from lapse_rules where realm = p.realm and point = p.number)`

/** The steps of a point type; undefined where it never had a rule. */
export function stepsOf(text: string | null): readonly LapseStep[] | undefined {
  if (text === null) return undefined
  return (JSON.parse(text) as readonly StepText[]).map(({ fromSeq, timeZone, rule, ...step }) => ({
    ...step,
    fromSeq: BigInt(fromSeq),
    days: calendarOf(timeZone),
    rule: rule === null ? null : (JSON.parse(rule) as LapseRule),
  }))
}
