import type { LapseRule } from '@exchequer/sdk/lapse'

export const roundings = ['day', 'month', 'quarter', 'year'] as const
export type Rounding = (typeof roundings)[number]
export const lapseKinds = ['never', 'days', 'months', 'on', 'idle'] as const
export const activities = ['both', 'earned', 'spent'] as const
export type ActivityChoice = (typeof activities)[number]
export type LapseKind = (typeof lapseKinds)[number]

/** A lapse rule as entered in the form. */
export type LapseDraft = {
  readonly kind: LapseKind
  readonly days: string
  readonly months: string
  readonly roundTo: Rounding
  /** Days of the year, as `06-30, 12-31`. */
  readonly on: string
  /** Months without activity, and what is activity. */
  readonly idle: string
  readonly by: ActivityChoice
}

type Known = Pick<LapseRule, 'after' | 'on' | 'idle'> | null

function kindOf(rule: Known): LapseKind {
  const { after, on, idle } = rule ?? {}
  if (idle) return 'idle'
  if (on) return 'on'
  if (after?.days !== undefined) return 'days'
  return after?.months === undefined ? 'never' : 'months'
}

export function lapseDraftOf(rule: Known): LapseDraft {
  const { after, on, idle } = rule ?? {}
  const kind = kindOf(rule)
  return {
    kind,
    days: String(after?.days ?? 365),
    months: String(after?.months ?? 12),
    roundTo: after?.roundTo ?? (kind === 'never' ? 'month' : 'day'),
    on: (on ?? ['12-31']).join(', '),
    idle: String(idle?.months ?? 12),
    by: idle?.by?.length === 1 ? (idle.by[0] ?? 'both') : 'both',
  }
}

const most = { days: 400, months: 120, monthsByDay: 12 }

const upTo = (text: string, limit: number): number | undefined =>
  /^[1-9][0-9]{0,2}$/.test(text) && Number(text) <= limit ? Number(text) : undefined

/** The rule to set, null for none, and undefined while the draft is not valid. */
export function ruleOf(draft: LapseDraft): LapseRule | null | undefined {
  if (draft.kind === 'never') return null
  if (draft.kind === 'on') {
    const on = [...new Set(draft.on.split(/[\s,;]+/).filter((one) => one !== ''))].sort()
    return on.length > 0 && on.length <= 24 && on.every(isDayOfYear) ? { on } : undefined
  }
  if (draft.kind === 'days') {
    const days = upTo(draft.days, most.days)
    return days === undefined ? undefined : { after: { days } }
  }
  if (draft.kind === 'idle') {
    const months = upTo(draft.idle, most.months)
    return months === undefined ? undefined : { idle: { months, by: byOf(draft.by) } }
  }
  const months = upTo(draft.months, draft.roundTo === 'day' ? most.monthsByDay : most.months)
  return months === undefined ? undefined : { after: { months, roundTo: draft.roundTo } }
}

const byOf = (by: ActivityChoice): ('earned' | 'spent')[] => (by === 'both' ? ['earned', 'spent'] : [by])

/** In a leap year, so that 29 February is one. */
function isDayOfYear(text: string): boolean {
  const at = new Date(`2024-${text}T00:00:00Z`)
  return /^\d\d-\d\d$/.test(text) && !Number.isNaN(at.getTime()) && at.toISOString().slice(5, 10) === text
}
