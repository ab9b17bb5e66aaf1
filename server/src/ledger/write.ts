import type { Answer, Queryable } from '../db/session.ts'
import type { Refusal } from '../errors.ts'
import { encoding, kindNumbers, type Sealed } from './chain.ts'
import type { Command } from './command.ts'
import type { Decision, NewBalance } from './decide.ts'
import { arrays, type HeadRow, statements } from './store.ts'

/** Turns a refusal into the answer that is remembered under its Idempotency-Key. */
export type Render = (
  refusal: Refusal,
  requestId: string,
) => { readonly status: number; readonly body: string }

/** What was decided for one realm of the batch. */
export type Decided = {
  readonly realm: number
  readonly head: HeadRow
  readonly commands: readonly Command[]
  readonly decision: Decision
  readonly sealed: readonly Sealed[]
}

const { plain, bytes, texts } = arrays

/**
 * Sends a batch's rows, one statement for each table that has any. The COMMIT behind them is the caller's.
 */
export function write(
  db: Queryable,
  decided: readonly Decided[],
  render: Render,
): Promise<Answer<unknown>>[] {
  const all = <T>(rows: (one: Decided) => readonly T[]): { realm: number; row: T }[] =>
    decided.flatMap((one) => rows(one).map((row) => ({ realm: one.realm, row })))
  const moved = decided.filter(({ sealed }) => sealed.length > 0)
  return [
    ...writeHeads(db, moved),
    ...writeMembers(
      db,
      all(({ decision }) => decision.members),
    ),
    ...writeBalances(
      db,
      all(({ decision }) => decision.balances.map((row) => ({ ...row, atUs: decision.atUs }))),
    ),
    ...writeEntries(
      db,
      all(({ sealed }) => sealed),
    ),
    ...writeRefusals(
      db,
      all(({ decision }) => decision.refusals),
      render,
    ),
  ]
}

type Rows<T> = readonly { readonly realm: number; readonly row: T }[]

function writeHeads(db: Queryable, moved: readonly Decided[]): Promise<Answer<unknown>>[] {
  if (moved.length === 0) return []
  const values = [
    texts(moved, (one) => one.head.place),
    plain(moved, (one) => one.realm),
    plain(moved, (one) => one.head.seq),
    plain(moved, (one) => one.sealed.at(-1)?.entry.seq),
    bytes(moved, (one) => one.sealed.at(-1)?.hash),
    plain(moved, (one) => one.decision.atUs),
    plain(moved, (one) => one.decision.nextAccount),
  ]
  return [db.query(statements.moveHeads, values)]
}

function writeMembers(
  db: Queryable,
  rows: Rows<{ account: number; id: string }>,
): Promise<Answer<unknown>>[] {
  if (rows.length === 0) return []
  const values = [
    plain(rows, (one) => one.realm),
    plain(rows, (one) => one.row.account),
    plain(rows, (one) => one.row.id),
  ]
  return [db.query(statements.insertMembers, values)]
}

type BalanceRows = Rows<NewBalance & { atUs: bigint }>

function writeBalances(db: Queryable, rows: BalanceRows): Promise<Answer<unknown>>[] {
  const valuesOf = (some: BalanceRows) => [
    plain(some, (one) => one.realm),
    plain(some, (one) => one.row.account),
    plain(some, (one) => one.row.point),
    plain(some, (one) => one.row.balance),
    plain(some, (one) => one.row.seq),
    plain(some, (one) => one.row.atUs),
  ]
  const fresh = rows.filter(({ row }) => row.place === undefined)
  const known = rows.filter(({ row }) => row.place !== undefined)
  const places = texts(known, ({ row }) => row.place)
  return [
    ...(fresh.length > 0 ? [db.query(statements.insertBalances, valuesOf(fresh))] : []),
    ...(known.length > 0 ? [db.query(statements.updateBalances, [places, ...valuesOf(known)])] : []),
  ]
}

function writeEntries(db: Queryable, rows: Rows<Sealed>): Promise<Answer<unknown>>[] {
  if (rows.length === 0) return []
  const values = [
    plain(rows, (one) => one.realm),
    plain(rows, (one) => one.row.entry.key),
    plain(rows, (one) => one.row.entry.seq),
    plain(rows, (one) => one.row.entry.atUs),
    plain(rows, (one) => one.row.entry.amount),
    plain(rows, (one) => one.row.entry.fromBalance),
    plain(rows, (one) => one.row.entry.toBalance),
    plain(rows, (one) => one.row.entry.from),
    plain(rows, (one) => one.row.entry.to),
    plain(rows, (one) => one.row.entry.point.number),
    plain(rows, (one) => kindNumbers[one.row.entry.kind]),
    plain(rows, () => encoding),
    bytes(rows, (one) => one.row.hash),
    plain(rows, (one) => one.row.entry.retry?.request),
    plain(rows, (one) => one.row.entry.retry?.fingerprint),
    bytes(rows, (one) => one.row.entry.details?.hash),
  ]
  return [db.query(statements.insertEntries, values), ...writeDetails(db, rows)]
}

function writeDetails(db: Queryable, rows: Rows<Sealed>): Promise<Answer<unknown>>[] {
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

type Refusals = Rows<Decision['refusals'][number]>

function writeRefusals(db: Queryable, rows: Refusals, render: Render): Promise<Answer<unknown>>[] {
  if (rows.length === 0) return []
  const rendered = rows.map(({ realm, row }) => ({ realm, ...row, ...render(row.refusal, row.requestId) }))
  const values = [
    plain(rendered, (one) => one.realm),
    plain(rendered, (one) => one.retry.request),
    plain(rendered, (one) => one.retry.fingerprint),
    texts(rendered, (one) => one.point),
    plain(rendered, (one) => one.status),
    texts(rendered, (one) => one.body),
  ]
  const realms = [...new Set(rows.map(({ realm }) => realm))]
  return [db.query(statements.sweepRefusals, [realms]), db.query(statements.insertRefusals, values)]
}
