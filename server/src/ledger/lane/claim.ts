import { setImmediate as pause } from 'node:timers/promises'
import { refuseIfApart } from '../../db/clock.ts'
import type { Database } from '../../db/database.ts'
import { isPassing } from '../../db/failures.ts'
import { bindForWrite } from '../../db/rowSecurity.ts'
import { type Session, writerSettings } from '../../db/session.ts'
import { outcomeUnknown, RefusalError, unavailable, wrongCell } from '../../errors.ts'
import { type Configs, configIn, type RealmConfig } from '../../realms/index.ts'
import { seal } from '../rules/chain.ts'
import type { Claim, Details } from '../rules/command.ts'
import { decideClaim } from '../rules/decide.ts'
import { balanceKey, type Entry, emptyContext, type RealmState } from '../rules/state.ts'
import { type RealmDecision, type Render, writeHeads, writeRows } from './commit.ts'
import { begin, type HeadRow, lockHeads } from './store.ts'

/** A member and its balance of the point type in question, as read under the head lock. */
export type Holder = {
  readonly account: number
  readonly id: string
  readonly balance: bigint
  /** The entry that last changed the balance. */
  readonly seq: bigint
  readonly frozen: boolean
  readonly lots?: string | null
}

export type Claiming = {
  readonly realm: number
  readonly key: number
  readonly requestId: string
  /** A point type by its public id. */
  readonly point: string
  readonly details: Details | undefined
  /** The members whose points are claimed: read in the transaction, under the head lock. */
  readonly holders: (tx: Session, head: HeadRow) => Promise<readonly Holder[]>
  /** Writes whatever else is to be stored in the same transaction. */
  readonly keep: (tx: Session, claimed: ClaimResult) => Promise<unknown>
}

/** What was claimed, the first and the last entry, and the hash of the last. */
export type ClaimResult = {
  readonly firstSeq: bigint
  readonly seq: bigint
  readonly hash: string
  readonly amounts: ReadonlyMap<number, bigint>
}

export type ClaimTools = {
  readonly db: Database
  readonly configs: Configs
  /** Whether the operator feed is written. */
  readonly feed: boolean
}

/**
 * Members whose entries are decided and sent at once: a few milliseconds, as other requests wait meanwhile.
 */
const pieceSize = 1_000

/**
 * Claims the whole balance of some members, in one transaction under the head lock, however many there are: a
 * spend at the same time comes before it or finds nothing left. What a process remembers of the realm is then
 * wrong by the head's hash, and is read again. Undefined when no member had any points.
 */
export async function claim(claiming: Claiming, tools: ClaimTools): Promise<ClaimResult | undefined> {
  return alone(tools.db, async (session) => {
    const claimed = await taken(session, claiming, tools)
    if (claimed) await commit(session)
    return claimed
  })
}

/** Work that is a transaction of its own, on a session of its own. Without a COMMIT nothing happens. */
export async function alone<T>(db: Database, work: (session: Session) => Promise<T>): Promise<T> {
  const session = await db.open(writerSettings).catch((error: unknown) => {
    throw new RefusalError(unavailable, error)
  })
  try {
    return await work(session)
  } catch (error) {
    if (error instanceof RefusalError || !isPassing(error)) throw error
    throw new RefusalError(unavailable, error)
  } finally {
    session.destroy()
  }
}

export async function commit(session: Session): Promise<void> {
  const { command } = await session.commit().catch((error: unknown) => {
    throw new RefusalError(outcomeUnknown, error)
  })
  if (session.doubtful) throw new RefusalError(outcomeUnknown)
  if (command !== 'COMMIT') throw new Error(`COMMIT was answered ${command}`)
}

async function taken(
  session: Session,
  claiming: Claiming,
  tools: ClaimTools,
): Promise<ClaimResult | undefined> {
  const { realm, holders, keep } = claiming
  const { head, config } = await lockAlone(session, realm, tools.configs)
  const all = await holders(session, head)
  const { first, last, amounts } = await writePieces(session, { claiming, head, config, all })
  const end = last?.sealed.at(-1)
  if (!first || !last || !end) return undefined
  const claimed = { firstSeq: first.seq, seq: end.entry.seq, hash: end.hash, amounts }
  const moved = [{ ...last, hash: head.hash }]
  await Promise.all([writeHeads(session, moved, tools.feed), keep(session, claimed)])
  return claimed
}

/** Begins, takes the realm's head and reads its configuration, for what is stored with the entries too. */
export async function lockAlone(session: Session, realm: number, configs: Configs) {
  // Before the head is locked: a move takes these locks in this order.
  const [, tx] = await Promise.all([begin(session), bindForWrite(session, [realm])])
  const sentAtMs = Date.now()
  const [head] = (await lockHeads(session, [realm], 'wait')).rows
  if (!head) throw new RefusalError(wrongCell)
  refuseIfApart(head.now_us, sentAtMs)
  const resolved = await configs.resolve(session, [[realm, head.config_version]])
  return { head, tx, config: configIn(resolved, realm) }
}

/** Only refusals of requests with an Idempotency-Key are remembered. A claim has none: docs/claim.md. */
export const neverAsked: Render = () => {
  throw new Error('a claim remembers no refusal')
}

type Pieces = {
  readonly claiming: Claiming
  readonly head: HeadRow
  readonly config: RealmConfig
  readonly all: readonly Holder[]
}

type Written = {
  first: Entry | undefined
  last: RealmDecision | undefined
  readonly amounts: Map<number, bigint>
}

/** Decides, chains and sends piece by piece; PostgreSQL writes one while the next is computed. */
async function writePieces(session: Session, given: Pieces): Promise<Written> {
  const { claiming, head, config, all } = given
  const written: Written = { first: undefined, last: undefined, amounts: new Map() }
  let sent: Promise<unknown> = Promise.resolve()
  for (let from = 0; from < all.length; from += pieceSize) {
    const some = all.slice(from, from + pieceSize)
    const state = stateOf(head, { config, point: claiming.point, some, last: written.last })
    const decision = decideClaim(state, commandOf(claiming, some, written.first?.seq))
    const hash = written.last?.sealed.at(-1)?.hash ?? head.hash
    const sealed = seal(hash, decision.entries)
    if (sealed.length > 0) {
      const piece: RealmDecision = { realm: claiming.realm, hash, state, commands: [], decision, sealed }
      for (const { entry } of sealed) written.amounts.set(entry.from, entry.amount)
      written.first ??= decision.entries[0]
      written.last = piece
      await sent
      sent = Promise.all(session.together(() => writeRows(session, [piece], neverAsked)))
      // Awaited after the next piece was decided; until then a failure must not be an unhandled rejection.
      sent.catch(() => {})
    }
    await pause()
  }
  await sent
  return written
}

type Seen = {
  readonly config: RealmConfig
  readonly point: string
  readonly some: readonly Holder[]
  readonly last: RealmDecision | undefined
}

function stateOf(head: HeadRow, { config, point, some, last }: Seen): RealmState {
  const number = config.points.get(point)?.number ?? 0
  const stored = ({ account, balance, seq, lots }: Holder) =>
    [balanceKey(account, number), { balance, seq, lots }] as const
  return {
    config,
    seq: last?.decision.entries.at(-1)?.seq ?? head.seq,
    atUs: last?.decision.atUs ?? head.at_us,
    nextAccount: head.next_account,
    nowUs: head.now_us,
    accounts: new Map(some.map(({ id, account }) => [id, account])),
    frozen: new Set(some.filter(({ frozen }) => frozen).map(({ account }) => account)),
    balances: new Map(some.map(stored)),
    remembered: new Map(),
    context: emptyContext,
  }
}

function commandOf(claiming: Claiming, some: readonly Holder[], first: bigint | undefined): Claim {
  const { realm, key, requestId, point, details } = claiming
  const members = some.map(({ id }) => id)
  return { kind: 'claim', realm, key, requestId, retry: undefined, details, members, point, first }
}
