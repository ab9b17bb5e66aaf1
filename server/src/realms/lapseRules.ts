import { type Actor, record } from '../audit/index.ts'
import type { Database } from '../db/database.ts'
import type { Queryable } from '../db/session.ts'
import { invalid, RefusalError, refuse, wrongCell } from '../errors.ts'
import { Days, dateOf } from './days.ts'
import { dayOfLapse, floorOf, isIdle, isIdleRule, type LapseRule, type LapseStep } from './lapse/index.ts'
import {
  countUndated,
  insertStep,
  type LapsingQuery,
  type LapsingRow,
  readLapsing,
  readPlace,
  scheduleSweep,
} from './lapseStore.ts'
import { underHeadLock } from './lock.ts'
import { configNow, pointNotFound } from './points.ts'
import type { Point, RealmConfig } from './realm.ts'

/** Changes of a point type's rule, which are all kept. */
const stepsCap = 100
export const leastNotice = 30
export const usualNotice = 90

export type RuleChange = {
  /** Null removes it; undefined keeps it. */
  readonly rule: LapseRule | null | undefined
  /** For existing points, to the first listed date of `on`. */
  readonly noticeDays?: number | undefined
  /** `YYYY-MM-DD` as a day: nothing lapses before it. */
  readonly notBefore?: number | undefined
}

/** A rule as it would be, and what it means for the points that have no day yet. */
export type RulePreview = {
  readonly step: LapseStep
  /** Whether there is none now. */
  readonly isNew: boolean
  /** When a point issued now would lapse. */
  readonly issuedNow: number | null
  readonly existing: { readonly members: number; readonly tokens: string; readonly lapseOn: number | null }
}

type Target = { readonly realm: number; readonly id: string }

/** The rules by which a realm's points lapse. */
export class LapseRules {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async set({ realm, id }: Target, change: RuleChange, by: Actor): Promise<void> {
    await underHeadLock(this.#db, realm, async (tx) => {
      const { point, step } = await next(tx, { realm, id }, change)
      const { number, fromSeq, baseDay, notBefore, days } = step
      const rule = step.rule && JSON.stringify(step.rule)
      const row = { realm, point: point.number, number, fromSeq, baseDay, notBefore, rule }
      await insertStep(tx, { ...row, timeZone: days.timeZone })
      await scheduleSweep(tx, realm, { point: point.number, isDue: step.rule !== null })
      const parts = [`point ${id}`, `lapse ${rule ?? 'none'}`]
      if (notBefore !== null) parts.push(`not before ${dateOf(notBefore)}`)
      await record(tx, by, { realm, action: 'point.lapse', subject: parts.join(', ') })
    })
  }

  /** Members' balances of a point type, by account. */
  lapsing(realm: number, query: LapsingQuery): Promise<LapsingRow[]> {
    return readLapsing(this.#db.within([realm]), realm, query)
  }

  /** What `set` would do. Nothing is changed. */
  async preview({ realm, id }: Target, change: RuleChange): Promise<RulePreview> {
    const db = this.#db.within([realm])
    const { point, step, today } = await next(db, { realm, id }, change)
    // Balances of before the last rule have a day by it, but for those that lapse without activity.
    const isWhole = isIdleRule(step.rule)
    const since = isWhole ? 0n : (point.lapse?.findLast(({ rule }) => rule !== null)?.fromSeq ?? 0n)
    const { members, tokens } = await countUndated(db, realm, { point: point.number, since })
    const { rule, notBefore, baseDay } = step
    const dayFrom = (day: number) => rule && Math.max(dayOfLapse(day, rule), notBefore ?? 0)
    return {
      step,
      isNew: !point.lapse?.at(-1)?.rule,
      issuedNow: dayFrom(today),
      existing: {
        members: Number(members),
        tokens,
        lapseOn: members > 0n ? (isWhole ? Math.max(notBefore ?? 0, today) : dayFrom(baseDay)) : null,
      },
    }
  }

  /** The rules of a point type after this change, to see what would lapse. Nothing is changed. */
  async stepsWith({ realm, id }: Target, change: RuleChange): Promise<readonly LapseStep[]> {
    const { point, step } = await next(this.#db.within([realm]), { realm, id }, change)
    return [...(point.lapse ?? []), step]
  }
}

export const lapseRuleNotFound = (id: string): RefusalError =>
  refuse('lapse_rule_not_found', `Point type ${id} has no rule by which points lapse.`)

async function next(db: Queryable, { realm, id }: Target, change: RuleChange) {
  const config = await configNow(db, realm)
  const point = config.points.get(id)
  if (!point) throw pointNotFound(id)
  const place = await readPlace(db, realm)
  if (!place) throw new RefusalError(wrongCell)
  const days = new Days(config.timeZone)
  const today = days.of(Number(place.now_us))
  const step = stepAfter({ config, point, change, today, days, fromSeq: place.seq + 1n })
  return { point, step, today }
}

/** One rule can't treat both points that have a day of their own and points that have none. */
const mixed = (id: string, rule: LapseRule): RefusalError =>
  isIdleRule(rule)
    ? invalid(
        '',
        `Points of type ${id} have days of their own by an earlier rule, so \`idle\` is not possible for ` +
          'them. Create another point type for it.',
      )
    : invalid(
        '',
        `Points of type ${id} have or had a rule with \`idle\`, so only another \`idle\` is possible for ` +
          'them. Create another point type for `after` or `on`.',
      )

type Change = {
  readonly config: RealmConfig
  readonly point: Point
  readonly change: RuleChange
  readonly today: number
  readonly days: Days
  readonly fromSeq: bigint
}

/** The step after a change. No point that exists gets an earlier day by it. */
function stepAfter({ point, change, today, days, fromSeq }: Change): LapseStep {
  const steps = point.lapse ?? []
  const last = steps.at(-1)
  const rule = change.rule === undefined ? (last?.rule ?? null) : change.rule
  if (steps.length >= stepsCap)
    throw invalid(
      '',
      `The rule of point type ${point.id} was changed ${stepsCap} times, which is the maximum.`,
    )
  if (rule === null && !last?.rule) throw lapseRuleNotFound(point.id)
  const notice = change.noticeDays ?? usualNotice
  if (last && rule && isIdleRule(rule) !== isIdle(steps)) throw mixed(point.id, rule)
  const floors = [last?.notBefore ?? 0, change.notBefore ?? 0, floorOf(steps, rule, today)]
  const notBefore = Math.max(...floors)
  const baseDay = rule && 'on' in rule ? today + notice : today
  return { number: steps.length + 1, fromSeq, baseDay, notBefore: notBefore || null, rule, days }
}
