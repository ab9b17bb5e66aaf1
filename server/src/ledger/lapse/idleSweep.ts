import type { Database } from '../../db/database.ts'
import type { Queryable } from '../../db/session.ts'
import type { Notice } from '../../notices/index.ts'
import { dateOf, dayOfLapse, type IdleRule, isIdleRule, type LapseStep } from '../../realms/index.ts'
import type { IdleBalance, Outcome } from '../rules/command.ts'
import { idleDay } from '../rules/dating.ts'
import { type IdlePoint, readIdleBalances, readIdlePage, readIdleSoon, type ZoneDay } from './idleStore.ts'
import { type DuePoint, type PagePlace, pageSize } from './sweepStore.ts'

/** How often a page is read again when the realm's configuration or balances have changed meanwhile. */
const triesCap = 5

export type IdleTarget = DuePoint & { readonly id: string; readonly last: LapseStep }

/** A member to lapse, and the balance as it was found. */
export type IdleMember = { readonly member: string; readonly idle: IdleBalance }

type PageOptions = {
  readonly db: Database
  readonly after: PagePlace
  readonly today: number
  /** How many members lapse at once. */
  readonly batchSize: number
  readonly isStopped: () => Promise<boolean>
  readonly lapse: (members: readonly IdleMember[], config: number) => Promise<readonly Outcome[]>
}

const pointOf = ({ realm, point, last: { rule } }: IdleTarget): IdlePoint => ({
  realm,
  point,
  by: isIdleRule(rule) ? rule.idle.by : [],
})

/** Members who were active on this day or later have points on `today`. */
function activeSince(today: number, { rule, days }: LapseStep): ZoneDay {
  let day = today
  while (dayOfLapse(day, rule as IdleRule) > today) day -= 1
  return { day: day + 1, timeZone: days.timeZone }
}

/**
 * Lapses the balances of a page whose members were not active for long enough. Each is found with the entries
 * that last changed it, so that the decision under the lock only compares these. Returns the last balance of
 * the page, and undefined at the end of all.
 */
export async function lapseIdlePage(
  target: IdleTarget,
  { db, after, today, batchSize, isStopped, lapse }: PageOptions,
): Promise<PagePlace | 'later' | 'lost' | undefined> {
  const own = db.within([target.realm])
  const since = activeSince(today, target.last)
  let tried: number | undefined
  let place: PagePlace | undefined
  for (let tries = 0; tries < triesCap; tries++) {
    const limit = pageSize
    const rows = await readIdlePage(own, pointOf(target), { after, limit, since })
    const end = rows.at(-1)
    if (!end) return undefined
    place = [end.account, end.point]
    const isSame = tried === end.config_version
    tried = end.config_version
    const accounts = rows.flatMap(({ account, is_idle: isIdle }) => (isIdle ? [account] : []))
    let isMoved = false
    for (let from = 0; from < accounts.length; from += batchSize) {
      if (await isStopped()) return 'lost'
      const due = await dueOf(own, target, { today, accounts: accounts.slice(from, from + batchSize) })
      const outcomes = due.length > 0 ? await lapse(due, end.config_version) : []
      if (outcomes.some(isRefused('realm_suspended'))) return 'later'
      isMoved ||= outcomes.some(isRefused('precondition_failed'))
    }
    if (!isMoved) return place
    // Balances that always change are looked at again the next day.
    if (isSame && tries === triesCap - 1) return place
  }
  return 'later'
}

const isRefused = (code: string) => (outcome: Outcome) =>
  outcome.kind === 'refused' && outcome.refusal.code === code

type Found = { readonly accounts: readonly number[]; readonly today: number }

async function dueOf(own: Queryable, target: IdleTarget, { accounts, today }: Found): Promise<IdleMember[]> {
  const rows = await readIdleBalances(own, pointOf(target), accounts)
  const { number: step } = target.last
  return rows.flatMap(({ id, seq, held_seq: heldSeq, last_seq: lastSeq, last_us: atUs }) => {
    if ((idleDay(target.last, atUs) ?? today + 1) > today) return []
    return [{ member: id, idle: { step, seq, heldSeq, last: { seq: lastSeq, atUs } } }]
  })
}

export type IdleWarning = {
  readonly after: PagePlace
  readonly last: PagePlace
  /** Of lapses from this day on, to that one. */
  readonly from: number
  readonly to: number
}

/** A notice for each member of a page whose balance lapses on one of these days. */
export async function idleWarnings(
  db: Queryable,
  target: IdleTarget,
  { after, last, from, to }: IdleWarning,
): Promise<Notice[]> {
  const since = activeSince(to, target.last)
  const accounts = await readIdleSoon(db, pointOf(target), { after, last, since })
  const rows = await readIdleBalances(db, pointOf(target), accounts)
  return rows.flatMap(({ account, balance, last_us: atUs }): Notice[] => {
    const day = idleDay(target.last, atUs) ?? 0
    if (day < from || day > to) return []
    const data = { realmPointId: target.id, tokens: String(balance), lapsesOn: dateOf(day) }
    return [{ type: 'points.lapsing', account, data }]
  })
}
