import type { Database } from '../../src/db/database.ts'
import { problem } from '../../src/http/problem.ts'
import { Ledger } from '../../src/ledger/index.ts'
import { Members } from '../../src/members/index.ts'
import { Configs, Realms } from '../../src/realms/index.ts'
import { type Trip, type WatchedLedger, watchedDatabase } from './watched.ts'

export const tester = { name: 'a test', address: null, requestId: null }

/** The default point type first. */
export type NewRealm = {
  readonly open: boolean
  readonly points: readonly string[]
  readonly members: readonly string[]
}

/** A ledger on a real PostgreSQL with everything it needs, without HTTP. */
export type Books = {
  readonly db: Database
  readonly ledger: Ledger
  /** Internal errors: a correct run leaves it empty. */
  readonly faults: unknown[]
  /** What the lanes sent. */
  readonly trips: Trip[]
  readonly failNext: WatchedLedger['failNext']
  readonly failOver: WatchedLedger['failOver']
  /** Creates a realm with these point types and members; returns its number. */
  make(realm: NewRealm): Promise<number>
  changeDefault(realm: number, point: string): Promise<void>
  close(): Promise<void>
}

export function openBooks(serverUrl: string, laneCount = 1, feed = false): Books {
  const { db, trips, failNext, failOver } = watchedDatabase(serverUrl)
  const configs = new Configs()
  const realms = new Realms(db)
  const members = new Members(db, configs)
  const ids = new Map<number, string>()
  const faults: unknown[] = []
  const onFault = (error: unknown) => void faults.push(error)
  const ledger = new Ledger({ db, configs, render: problem, laneCount, deadlineMs: 10_000, onFault, feed })
  return {
    db,
    ledger,
    faults,
    trips,
    failNext,
    failOver,
    async make({ open, points, members: people }) {
      const [id, ...others] = points
      const settings = { unknownMembers: open ? 'create' : 'refuse', point: { id } } as const
      const { number, id: realmId } = await realms.create(settings, tester)
      for (const other of others) await realms.addPoint(realmId, { id: other }, tester)
      await members.put(
        number,
        people.map((member) => ({ id: member })),
        tester,
      )
      ids.set(number, realmId)
      return number
    },
    async changeDefault(realm, point) {
      await realms.change(ids.get(realm) ?? '', { defaultPoint: point }, tester)
    },
    async close() {
      await ledger.close()
      await db.close()
    },
  }
}
