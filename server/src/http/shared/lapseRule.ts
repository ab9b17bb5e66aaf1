import { invalid, RefusalError } from '../../errors.ts'
import {
  type ActivityType,
  activityTypes,
  dateOf,
  dayIn,
  type LapseRule,
  type LapseStep,
  type RuleChange,
} from '../../realms/index.ts'
import { compileCheck } from '../route/check.ts'
import { balance, nullable, Type } from '../route/schemas.ts'
import { JsonError, parseJson } from '../wire/json.ts'

export const dayField = (description: string) =>
  Type.Unsafe<string>({ type: 'string', format: 'date', description })

const months = Type.Integer({ minimum: 1, maximum: 120 })
const roundTo = Type.Union(
  [Type.Literal('day'), Type.Literal('month'), Type.Literal('quarter'), Type.Literal('year')],
  { description: 'Points lapse after the end of the day, month, quarter or year that their life ends in.' },
)

export const ruleFields = {
  after: Type.Optional(
    Type.Object(
      {
        days: Type.Optional(Type.Integer({ minimum: 1, maximum: 400, description: 'Their life in days.' })),
        months: Type.Optional({
          ...months,
          description: 'Their life in months; up to 12 with `roundTo: day`.',
        }),
        roundTo: Type.Optional(roundTo),
      },
      { title: 'LapseAfter', description: 'So long after they were issued; `days` or `months`.' },
    ),
  ),
  on: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'At the end of these days of each year, as `MM-DD`. `02-29` is 28 February in other years.',
    }),
  ),
  idle: Type.Optional(
    Type.Object(
      {
        months: Type.Optional({ ...months, description: 'So many months without activity.' }),
        by: Type.Optional(
          Type.Array(Type.Union([Type.Literal('earned'), Type.Literal('spent')]), {
            description:
              'What is activity: that the member earned points, that it spent some; both by default. ' +
              'Transfers, holds, releases and reversals are none.',
          }),
        ),
      },
      { title: 'LapseIdle', description: 'The whole balance of a member without activity.' },
    ),
  ),
}

export const changeBody = Type.Object(
  {
    ...ruleFields,
    noticeDays: Type.Optional(
      Type.Integer({
        minimum: 30,
        maximum: 400,
        description: 'With `on`, the least number of days until existing points lapse; 90 by default.',
      }),
    ),
    notBefore: Type.Optional(dayField('Nothing lapses before this day.')),
  },
  { description: 'A JSON object with a rule, or with `notBefore`.' },
)

export const lapseAnswer = Type.Object(
  {
    ...ruleFields,
    timeZone: Type.String({ description: 'The time zone of its days, the realm’s when it was set.' }),
    notBefore: nullable(dayField('Nothing lapses before this day.')),
  },
  { title: 'LapseRule', description: 'When these points lapse.' },
)

/** Null without a rule. */
export function lapseBody(step: LapseStep | undefined) {
  if (!step?.rule) return null
  const { rule, notBefore, days } = step
  return { ...rule, timeZone: days.timeZone, notBefore: notBefore === null ? null : dateOf(notBefore) }
}

export const lapsingLot = Type.Object(
  { lapsesOn: dayField('The first day on which they can lapse.'), tokens: balance },
  { title: 'LapsingPoints' },
)

export const lotBody = ({ day, amount }: { readonly day: number; readonly amount: bigint }) => ({
  lapsesOn: dateOf(day),
  tokens: Number(amount),
})

type GivenRule = {
  readonly after?: {
    readonly days?: number
    readonly months?: number
    readonly roundTo?: 'day' | 'month' | 'quarter' | 'year'
  }
  readonly on?: readonly string[]
  readonly idle?: { readonly months?: number; readonly by?: readonly ActivityType[] }
}

type Fault = { readonly pointer: string; readonly detail: string }

export type GivenChange = GivenRule & { readonly noticeDays?: number; readonly notBefore?: string }

export function changeOf(given: GivenChange): RuleChange {
  const rule = ruleOf(given)
  if (rule && 'detail' in rule) throw invalid(rule.pointer, rule.detail)
  const { noticeDays, notBefore } = given
  if (rule === undefined && notBefore === undefined)
    throw invalid('', 'Send `after`, `on`, `idle` or `notBefore`.')
  if (noticeDays !== undefined && !(rule && 'on' in rule))
    throw invalid('/noticeDays', '`noticeDays` is for `on`.')
  return { rule, noticeDays, notBefore: notBefore === undefined ? undefined : dayOf('/notBefore', notBefore) }
}

export function dayOf(pointer: string, text: string): number {
  const day = dayIn(text)
  if (day === undefined) throw invalid(pointer, 'Expected a date as YYYY-MM-DD.')
  return day
}

const checkChange = compileCheck(changeBody, { isStrict: true })

/** The same in a query, as JSON. */
export function changeInQuery(text: string): RuleChange {
  try {
    return changeOf(checkChange(parseJson(text)) as GivenChange)
  } catch (error) {
    if (error instanceof RefusalError) throw invalid('query:rule', error.refusal.detail)
    if (error instanceof JsonError) throw invalid('query:rule', 'Expected JSON: {"after":{"days":365}}.')
    throw error
  }
}

/** The rule of a request; undefined when it names none, which keeps the present one. */
function ruleOf({ after, on, idle }: GivenRule): LapseRule | undefined | Fault {
  if ([after, on, idle].filter(Boolean).length > 1)
    return { pointer: '', detail: 'Send only one of `after`, `on` and `idle`.' }
  if (on) return datesOf(on)
  if (idle) return idleOf(idle)
  if (!after) return undefined
  const { days, months: life, roundTo: unit } = after
  if ((days === undefined) === (life === undefined))
    return { pointer: '/after', detail: 'Send `days` or `months`.' }
  if (days !== undefined)
    return unit === undefined
      ? { after: { days } }
      : { pointer: '/after/roundTo', detail: '`roundTo` is for `months`.' }
  if ((unit ?? 'day') === 'day' && (life ?? 0) > 12)
    return { pointer: '/after/months', detail: 'With `roundTo: day` up to 12 months.' }
  return { after: { months: life ?? 0, roundTo: unit ?? 'day' } }
}

function idleOf({ months: life, by = activityTypes }: NonNullable<GivenRule['idle']>): LapseRule | Fault {
  if (life === undefined) return { pointer: '/idle/months', detail: 'Send `months`, from 1 to 120.' }
  if (by.length === 0) return { pointer: '/idle/by', detail: 'Send `earned`, `spent` or both.' }
  return { idle: { months: life, by: activityTypes.filter((type) => by.includes(type)) } }
}

const datesCap = 24
/** A leap year, so that 02-29 is a date. */
const anyYear = 2028

function datesOf(dates: readonly string[]): LapseRule | Fault {
  if (dates.length === 0 || dates.length > datesCap)
    return { pointer: '/on', detail: `Expected 1 to ${datesCap} dates.` }
  const wrong = dates.findIndex(
    (date) =>
      !/^\d\d-\d\d$/.test(date) ||
      !isDate(`${anyYear}-${date}`) ||
      dates.indexOf(date) !== dates.lastIndexOf(date),
  )
  if (wrong >= 0) return { pointer: `/on/${wrong}`, detail: 'Expected a date as MM-DD, each once.' }
  return { on: dates.toSorted() }
}

function isDate(text: string): boolean {
  const ms = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}
