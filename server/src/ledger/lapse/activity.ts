import type { RealmScoped } from '../../db/rowSecurity.ts'
import { isIdle, isIdleRule, type LapseStep } from '../../realms/index.ts'
import type { Active } from '../rules/command.ts'
import { readIdleBalances } from './idleStore.ts'

/** Balances whose last activity is looked up at once. */
const pageSize = 500

type Wanted = {
  readonly point: number
  readonly steps: readonly LapseStep[] | undefined
  readonly accounts: readonly number[]
}

const none: ReadonlyMap<number, Active> = new Map()

/** When members were active last, by the rule of a point type. */
export class Activity {
  readonly #db: RealmScoped

  constructor(db: RealmScoped) {
    this.#db = db
  }

  /** By account, of those that have points; nothing is read for a point type without such a rule. */
  async of(realm: number, { point, steps, accounts }: Wanted): Promise<ReadonlyMap<number, Active>> {
    const rule = steps?.at(-1)?.rule
    if (!isIdle(steps) || !isIdleRule(rule)) return none
    const found = new Map<number, Active>()
    for (let from = 0; from < accounts.length; from += pageSize) {
      const some = accounts.slice(from, from + pageSize)
      const asked = { realm, point, by: rule.idle.by }
      for (const row of await readIdleBalances(this.#db.within([realm]), asked, some))
        found.set(row.account, { seq: row.last_seq, atUs: row.last_us })
    }
    return found
  }
}
