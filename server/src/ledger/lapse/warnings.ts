import type { Queryable } from '../../db/session.ts'
import type { Notice } from '../../notices/index.ts'
import { dateOf, isIdle, type LapseStep } from '../../realms/index.ts'
import { idleWarnings } from './idleSweep.ts'
import { lapsingOf } from './lapsing.ts'
import { type PagePlace, readLapsing } from './sweepStore.ts'

/** How long before points lapse their member is named. */
export const warnDays = 7

export type WarnedPage = {
  readonly realm: number
  readonly point: number
  readonly id: string
  readonly steps: readonly LapseStep[]
  /** The balances of a page: those after the first place, up to the last. */
  readonly after: PagePlace
  readonly last: PagePlace
  readonly today: number
  /** The day on which the last sweep ended; 0 before the first. */
  readonly lastDay: number
  /** Entries before this one left undated points that lapse within these days. */
  readonly undatedBefore: (day: number) => bigint
}

/** A notice for each member and day of the page on which points lapse that were further away before. */
export async function warningsOf(db: Queryable, page: WarnedPage): Promise<Notice[]> {
  const { today, lastDay, id, steps } = page
  const from = Math.max(today, lastDay + warnDays) + 1
  const to = today + warnDays
  if (from > to) return []
  const step = steps.at(-1)
  if (step && isIdle(steps)) return idleWarnings(db, { ...page, last: step }, { ...page, from, to })
  const rows = await readLapsing(db, { ...page, today: to, undatedBefore: page.undatedBefore(to) })
  return rows.flatMap(({ account, ...stored }) =>
    lapsingOf(steps, stored)
      .filter(({ day }) => day >= from && day <= to)
      .map(({ day, amount }): Notice => {
        const data = { realmPointId: id, tokens: String(amount), lapsesOn: dateOf(day) }
        return { type: 'points.lapsing', account, data }
      }),
  )
}
