import type { Database } from '../../src/db/database.ts'
import { problem } from '../../src/http/problem.ts'
import { type Command, fingerprintOf, Ledger, makeDetails, requestOf } from '../../src/ledger/index.ts'
import { Members } from '../../src/members/index.ts'
import { Configs, Realms } from '../../src/realms/index.ts'
import type { ModelRealm, Request } from './model.ts'
import { type Trip, type WatchedLedger, watchedDatabase } from './watched.ts'

export const tester = { name: 'a test', address: null, requestId: null }

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
  make(realm: ModelRealm): Promise<number>
  changeDefault(realm: number, point: string): Promise<void>
  close(): Promise<void>
}

export function openBooks(serverUrl: string, laneCount = 1): Books {
  const { db, trips, failNext, failOver } = watchedDatabase(serverUrl)
  const configs = new Configs()
  const realms = new Realms(db)
  const members = new Members(db, configs)
  const ids = new Map<number, string>()
  const faults: unknown[] = []
  const onFault = (error: unknown) => void faults.push(error)
  const ledger = new Ledger({ db, configs, render: problem, laneCount, deadlineMs: 10_000, onFault })
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

/** A request as the HTTP handler passes it on. */
export function commandOf(realm: number, request: Request): Command {
  const { id: requestId, kind, member, recipient, tokens, point, reason, idempotencyKey } = request
  const said = { reason, reference: undefined, metadata: undefined, actorId: undefined }
  const fingerprint = fingerprintOf({
    kind,
    said: [member, recipient, String(tokens)],
    point,
    details: said,
  })
  const retry = idempotencyKey === undefined ? undefined : { request: requestOf(idempotencyKey), fingerprint }
  const common = { realm, key: 1, requestId, member, tokens, point, retry, details: makeDetails(said) }
  if (recipient !== undefined) return { kind: 'transfer', ...common, recipient }
  return { kind: 'adjust', ...common }
}
