import type { Answer, Queryable } from '../db/session.ts'
import type { Refusal } from '../errors.ts'
import { encoding, kindNumbers, type Sealed } from './chain.ts'
import type { Command } from './command.ts'
import type { Decision, NewBalance } from './decide.ts'
import { columns, type HeadRow, statements } from './store.ts'

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

const bytes = (hex: string | undefined): string | null => (hex === undefined ? null : `\\x${hex}`)

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
  const values = columns(moved, [
    (one) => one.head.place,
    (one) => one.realm,
    (one) => one.head.seq,
    (one) => one.sealed.at(-1)?.entry.seq,
    (one) => bytes(one.sealed.at(-1)?.hash),
    (one) => one.decision.atUs,
    (one) => one.decision.nextAccount,
  ])
  return [db.query(statements.moveHeads, values)]
}

function writeMembers(
  db: Queryable,
  rows: Rows<{ account: number; id: string }>,
): Promise<Answer<unknown>>[] {
  if (rows.length === 0) return []
  const values = columns(rows, [(one) => one.realm, (one) => one.row.account, (one) => one.row.id])
  return [db.query(statements.insertMembers, values)]
}

type BalanceRows = Rows<NewBalance & { atUs: bigint }>

function writeBalances(db: Queryable, rows: BalanceRows): Promise<Answer<unknown>>[] {
  const valuesOf = (some: BalanceRows) =>
    columns(some, [
      (one) => one.realm,
      (one) => one.row.account,
      (one) => one.row.point,
      (one) => one.row.balance,
      (one) => one.row.seq,
      (one) => one.row.atUs,
    ])
  const fresh = rows.filter(({ row }) => row.place === undefined)
  const known = rows.filter(({ row }) => row.place !== undefined)
  const places = known.map(({ row }) => row.place)
  return [
    ...(fresh.length > 0 ? [db.query(statements.insertBalances, valuesOf(fresh))] : []),
    ...(known.length > 0 ? [db.query(statements.updateBalances, [places, ...valuesOf(known)])] : []),
  ]
}

function writeEntries(db: Queryable, rows: Rows<Decided['sealed'][number]>): Promise<Answer<unknown>>[] {
  if (rows.length === 0) return []
  const values = columns(rows, [
    (one) => one.realm,
    (one) => one.row.entry.key,
    (one) => one.row.entry.seq,
    (one) => one.row.entry.atUs,
    (one) => one.row.entry.amount,
    (one) => one.row.entry.fromBalance,
    (one) => one.row.entry.toBalance,
    (one) => one.row.entry.from,
    (one) => one.row.entry.to,
    (one) => one.row.entry.point.number,
    (one) => kindNumbers[one.row.entry.kind],
    () => encoding,
    (one) => bytes(one.row.hash),
    (one) => one.row.entry.retry?.request ?? null,
    (one) => one.row.entry.retry?.fingerprint ?? null,
    (one) => bytes(one.row.entry.details?.hash),
  ])
  return [db.query(statements.insertEntries, values), ...writeDetails(db, rows)]
}

function writeDetails(db: Queryable, rows: Rows<Decided['sealed'][number]>): Promise<Answer<unknown>>[] {
  const some = rows.flatMap(({ realm, row: { entry } }) => {
    const { seq, details } = entry
    return details ? [{ realm, seq, details }] : []
  })
  if (some.length === 0) return []
  const values = columns(some, [
    (one) => one.realm,
    (one) => one.seq,
    (one) => one.details.salt,
    (one) => one.details.reason ?? null,
    (one) => one.details.reference ?? null,
    (one) => one.details.metadata ?? null,
    (one) => one.details.actorId ?? null,
  ])
  return [db.query(statements.insertDetails, values)]
}

type Refusals = Rows<Decided['decision']['refusals'][number]>

function writeRefusals(db: Queryable, rows: Refusals, render: Render): Promise<Answer<unknown>>[] {
  if (rows.length === 0) return []
  const rendered = rows.map(({ realm, row }) => ({ realm, ...row, ...render(row.refusal, row.requestId) }))
  const values = columns(rendered, [
    (one) => one.realm,
    (one) => one.retry.request,
    (one) => one.retry.fingerprint,
    (one) => one.point,
    (one) => one.status,
    (one) => one.body,
  ])
  const realms = [...new Set(rows.map(({ realm }) => realm))]
  return [db.query(statements.sweepRefusals, [realms]), db.query(statements.insertRefusals, values)]
}
