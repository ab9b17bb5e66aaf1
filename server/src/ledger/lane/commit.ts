import { bytesArray as bytes, plainArray as plain, textArray as texts } from '../../db/arrays.ts'
import type { Answer, Queryable, Session, Writable } from '../../db/session.ts'
import type { Refusal } from '../../errors.ts'
import { insertIdentities } from '../../members/identities/index.ts'
import { encodingOf, type SealedEntry, seal } from '../rules/chain.ts'
import type { Outcome, PostedCommand, RehearsalOutcome } from '../rules/command.ts'
import { decide } from '../rules/decide.ts'
import { entryTypes } from '../rules/entryTypes.ts'
import type { Decision, NewMember, RealmState } from '../rules/state.ts'
import { deferAwards, endAwards, insertAwards } from './awardStore.ts'
import { deferHolds, endHolds, insertHolds } from './contextStore.ts'
import { statements as headStatements } from './headStore.ts'
import { writeKeyDays } from './keyDayStore.ts'
import { type Proof, statements } from './store.ts'

export type Outcomes = ReadonlyMap<PostedCommand, Outcome | RehearsalOutcome>

/**
 * The COMMIT was sent and its outcome is unknown. Never retried before `proof` was looked for under the head
 * lock.
 */
export class CommitUnknown extends Error {
  /** Undefined when the batch has no entry. The transaction is all or nothing, so one entry proves all. */
  readonly proof: Proof | undefined
  readonly outcomes: Outcomes

  constructor(decided: readonly RealmDecision[], cause: unknown) {
    super('the outcome of COMMIT is not known', { cause })
    this.proof = proofOf(decided)
    this.outcomes = outcomesOf(decided)
  }
}

/** Decides a realm's commands and chains their entries to its head. */
export function decideRealm(
  head: { readonly realm: number; readonly hash: string },
  state: RealmState,
  commands: readonly PostedCommand[],
): RealmDecision {
  const decision = decide(state, commands)
  const { realm, hash } = head
  return { realm, hash, state, commands, decision, sealed: seal(hash, decision.entries) }
}

/** Sends the rest of a batch, without its COMMIT. */
export type Send = () => Promise<Answer<unknown>>[]

/**
 * Sends a batch and its COMMIT, and finds out how it ended. Any error but CommitUnknown means that nothing
 * was changed.
 */
export async function commitBatch(
  session: Session,
  decided: readonly RealmDecision[],
  send: Send,
): Promise<Outcomes> {
  const answers = await Promise.allSettled(sendWhole(session, send))
  const last = answers.at(-1)
  const failed = answers.find((answer) => answer.status === 'rejected')
  if (last?.status === 'fulfilled' && last.value.command === 'COMMIT') {
    // Should not happen: a statement failed and its transaction went on. Perhaps BEGIN itself failed.
    if (failed) throw new CommitUnknown(decided, failed.reason)
    // A cancelled wait for the standby commits with only a warning: the change may still be lost.
    if (session.doubtful) throw new CommitUnknown(decided, new Error('no standby confirmed it'))
    return outcomesOf(decided)
  }
  // The transaction had failed before COMMIT, so PostgreSQL rolled it back and reports ROLLBACK.
  if (last?.status === 'fulfilled')
    throw failed?.reason ?? new Error(`COMMIT was answered ${last.value.command}`)
  throw new CommitUnknown(decided, last?.reason)
}

/** A batch that was sent in part must not be committed by the next one. */
function sendWhole(session: Session, send: Send): Promise<Answer<unknown>>[] {
  try {
    return session.together(() => [...send(), session.commit()])
  } catch (error) {
    session.destroy()
    throw error
  }
}

function outcomesOf(decided: readonly RealmDecision[]): Outcomes {
  const outcomes = new Map<PostedCommand, Outcome | RehearsalOutcome>()
  for (const { commands, decision } of decided) {
    commands.forEach((command, index) => {
      const outcome = decision.outcomes[index]
      if (outcome) outcomes.set(command, outcome)
    })
  }
  return outcomes
}

function proofOf(decided: readonly RealmDecision[]): Proof | undefined {
  for (const { realm, sealed } of decided) {
    const last = sealed.at(-1)
    if (last) return { realm, seq: last.entry.seq, hash: last.hash }
  }
  return undefined
}

/** Turns a refusal into the answer that is remembered under its Idempotency-Key. */
export type Render = (
  refusal: Refusal,
  requestId: string,
) => { readonly status: number; readonly body: string }

/** What was decided for one realm of the batch, and on which state. */
export type RealmDecision = {
  readonly realm: number
  /** The hash of the head that its entries continue from. */
  readonly hash: string
  readonly state: RealmState
  readonly commands: readonly PostedCommand[]
  readonly decision: Decision
  readonly sealed: readonly SealedEntry[]
}

type Sent = Promise<Answer<unknown>>

/**
 * Moves the heads on. Before all other rows: for an optimistic batch this takes the lock. With `feed` it also
 * writes the operator feed.
 */
export function writeHeads(
  db: Writable,
  moved: readonly RealmDecision[],
  feed: boolean,
): Promise<Answer<{ now_us: bigint }>> {
  return db.query(feed ? headStatements.moveHeadsNoted : headStatements.moveHeads, [
    plain(moved, (one) => one.realm),
    bytes(moved, (one) => one.hash),
    plain(moved, (one) => one.state.config.version),
    plain(moved, (one) => one.sealed.at(-1)?.entry.seq ?? one.state.seq),
    bytes(moved, (one) => one.sealed.at(-1)?.hash ?? one.hash),
    plain(moved, (one) => one.decision.atUs),
    plain(moved, (one) => one.decision.members.length),
  ])
}

/** Sends a batch's other rows, one statement for each table that has any. */
export function writeRows(session: Session, decided: readonly RealmDecision[], render: Render): Sent[] {
  const all = <T>(rows: (one: RealmDecision) => readonly T[]): Rows<T> =>
    decided.flatMap((one) => rows(one).map((row) => ({ realm: one.realm, row })))
  return [
    ...writeMembers(
      session,
      all(({ decision }) => decision.members),
    ),
    ...writeBalances(session, decided),
    ...writeEntries(
      session,
      all(({ sealed }) => sealed),
    ),
    ...writeHolds(session, decided),
    ...writeAwards(session, decided),
    ...writeKeyDays(
      session,
      all(({ decision }) => decision.keyDays),
    ),
    ...writeRefusals(
      session,
      all(({ decision }) => decision.refusals),
      render,
    ),
  ]
}

type Rows<T> = readonly { readonly realm: number; readonly row: T }[]

function writeMembers(db: Writable, rows: Rows<NewMember>): Sent[] {
  if (rows.length === 0) return []
  const values = [
    plain(rows, (one) => one.realm),
    plain(rows, (one) => one.row.account),
    plain(rows, (one) => one.row.id),
  ]
  const identities = rows.flatMap(({ realm, row: { account, identity: name } }) =>
    name === undefined ? [] : [{ realm, name, account }],
  )
  return [
    db.query(statements.insertMembers, values),
    ...(identities.length > 0 ? [insertIdentities(db, identities)] : []),
  ]
}

function writeBalances(db: Queryable, decided: readonly RealmDecision[]): Sent[] {
  const rows = decided.flatMap(({ realm, decision: { balances, atUs } }) =>
    balances.map((row) => ({ realm, atUs, row })),
  )
  const valuesOf = (some: typeof rows) => [
    plain(some, (one) => one.realm),
    plain(some, (one) => one.row.account),
    plain(some, (one) => one.row.point),
    plain(some, (one) => one.row.balance),
    plain(some, (one) => one.row.seq),
    plain(some, (one) => one.atUs),
  ]
  // Without a column for lots where none has any, as most batches do.
  const isDated = rows.some(({ row }) => row.lots !== undefined)
  const lotsOf = (some: typeof rows) => (isDated ? [texts(some, (one) => one.row.lots)] : [])
  const { insertBalances, insertDatedBalances, updateBalances, updateDatedBalances } = statements
  const fresh = rows.filter(({ row }) => row.replaces === null)
  const known = rows.filter(({ row }) => row.replaces !== null)
  const replaced = plain(known, ({ row }) => row.replaces)
  const insert = isDated ? insertDatedBalances : insertBalances
  const update = isDated ? updateDatedBalances : updateBalances
  return [
    ...(fresh.length > 0 ? [db.query(insert, [...valuesOf(fresh), ...lotsOf(fresh)])] : []),
    ...(known.length > 0 ? [db.query(update, [...valuesOf(known), replaced, ...lotsOf(known)])] : []),
  ]
}

function writeEntries(session: Session, rows: Rows<SealedEntry>): Sent[] {
  if (rows.length === 0) return []
  const isDated = rows.some(({ row }) => row.entry.lots !== undefined)
  let text = ''
  for (const { realm, row } of rows)
    text += `${entryRow(realm, row)}${isDated ? `\t${row.entry.lots ?? none}` : ''}\n`
  const { copyEntries, copyDatedEntries } = statements
  return [session.copy(isDated ? copyDatedEntries : copyEntries, text), ...writeDetails(session, rows)]
}

/** A row of COPY in the order of its columns, without lots. Nothing in it needs escaping. */
function entryRow(realm: number, { entry, hash }: SealedEntry): string {
  const { key, seq, atUs, amount, fromBalance, toBalance, from, to, point, kind } = entry
  const { retry, details, link } = entry
  return (
    `${realm}\t${key}\t${seq}\t${atUs}\t${amount}\t${fromBalance ?? none}\t${toBalance ?? none}\t` +
    `${from}\t${to}\t${point.number}\t${entryTypes[kind].number}\t${encodingOf(entry)}\t\\\\x${hash}\t` +
    `${retry?.request ?? none}\t${retry?.fingerprint ?? none}\t${details ? `\\\\x${details.hash}` : none}\t` +
    `${link ?? none}`
  )
}

/** NULL, as COPY reads it. */
const none = '\\N'

function writeDetails(db: Queryable, rows: Rows<SealedEntry>): Sent[] {
  const some = rows.flatMap(({ realm, row: { entry } }) => {
    const { seq, details } = entry
    return details ? [{ realm, seq, details }] : []
  })
  if (some.length === 0) return []
  const values = [
    plain(some, (one) => one.realm),
    plain(some, (one) => one.seq),
    bytes(some, (one) => one.details.salt.toString('hex')),
    texts(some, (one) => one.details.reason),
    texts(some, (one) => one.details.reference),
    texts(some, (one) => one.details.metadata),
    plain(some, (one) => one.details.actorId),
  ]
  return [db.query(statements.insertDetails, values)]
}

/** New holds first: a hold may end in the batch that created it. */
function writeHolds(db: Queryable, decided: readonly RealmDecision[]): Sent[] {
  const made = decided.flatMap(({ realm, decision }) => decision.holds.map((row) => ({ realm, row })))
  const ended = decided.flatMap(({ realm, decision }) => decision.endedHolds.map((row) => ({ realm, row })))
  const late = decided.flatMap(({ realm, decision }) => decision.deferredHolds.map((row) => ({ realm, row })))
  return [
    ...(made.length > 0 ? [insertHolds(db, made)] : []),
    ...(ended.length > 0 ? [endHolds(db, ended)] : []),
    ...(late.length > 0 ? [deferHolds(db, late)] : []),
  ]
}

/** As holds. */
function writeAwards(db: Queryable, decided: readonly RealmDecision[]): Sent[] {
  const made = decided.flatMap(({ realm, decision }) => decision.awards.map((row) => ({ realm, row })))
  const ended = decided.flatMap(({ realm, decision }) => decision.endedAwards.map((row) => ({ realm, row })))
  const late = decided.flatMap(({ realm, decision }) =>
    decision.deferredAwards.map((row) => ({ realm, row })),
  )
  return [
    ...(made.length > 0 ? [insertAwards(db, made)] : []),
    ...(ended.length > 0 ? [endAwards(db, ended)] : []),
    ...(late.length > 0 ? [deferAwards(db, late)] : []),
  ]
}

type Refusals = Rows<Decision['refusals'][number]>

function writeRefusals(db: Queryable, rows: Refusals, render: Render): Sent[] {
  if (rows.length === 0) return []
  const rendered = rows.map(({ realm, row }) => ({ realm, ...row, ...render(row.refusal, row.requestId) }))
  const values = [
    plain(rendered, (one) => one.realm),
    plain(rendered, (one) => one.retry.request),
    plain(rendered, (one) => one.retry.fingerprint),
    texts(rendered, (one) => one.point),
    plain(rendered, (one) => one.status),
    texts(rendered, (one) => one.body),
    plain(rendered, (one) => one.untilUs),
  ]
  const realms = [...new Set(rows.map(({ realm }) => realm))]
  return [db.query(statements.sweepRefusals, [realms]), db.query(statements.insertRefusals, values)]
}
