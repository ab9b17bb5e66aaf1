import pg from 'pg'
import { RefusalError, wrongCell } from '../errors.ts'
import { plainArray } from './arrays.ts'
import { sqlState } from './failures.ts'
import type { Answer, Queryable, ReadStatement, Statement, Writable } from './statement.ts'

/**
 * Row-level security: PostgreSQL shows a transaction only the rows of the realms that it has bound, and
 * rejects writes to any others. A statement that forgets its `where` sees no other realm's rows, an unbound
 * one none.
 *
 * A write binds its realms with `bind_for_write`, which rejects a realm that has no head in this cell, and
 * keeps the head here until the transaction ends. The ledger needs no more than `bind`: each of its
 * transactions locks or moves the head itself. docs/decisions/0040-the-fence.md
 */

/** Returns a Queryable that sees only these realms. Each of its statements is its own transaction. */
export type RealmScoped = { within(realms: readonly number[]): Queryable }

/** The same, for statements that change rows of these realms. */
export type RealmWriter = { writing(realms: readonly number[]): Writable }

const binding: ReadStatement = { name: 'wall_bind', text: `select set_config('exchequer.realms', $1, true)` }

/**
 * The tables whose policies do not apply to this role, because it owns them or bypasses row-level security.
 */
const open: ReadStatement = {
  name: 'wall_open',
  text: `select c.relname as table from pg_policy p join pg_class c on c.oid = p.polrelid
    where c.relnamespace = 'exchequer'::regnamespace and not row_security_active(c.oid) order by 1`,
}

const listOf = (realms: readonly number[]): string => plainArray(realms, (realm) => realm)

/** Binds the current transaction to these realms, until it ends or binds others. */
export function bind(tx: Queryable, realms: readonly number[]): Promise<Answer<unknown>> {
  return tx.query(binding, [listOf(realms)])
}

const bindingForWrite: ReadStatement = { name: 'wall_bind_for_write', text: 'select bind_for_write($1)' }

/**
 * Binds the current transaction to these realms for a write, until it ends or binds others; returns it as
 * one that may write. A realm that is not in this cell is refused with `wrong_cell`.
 */
export async function bindForWrite(tx: Queryable, realms: readonly number[]): Promise<Writable> {
  try {
    await tx.query(bindingForWrite, [listOf(realms)])
  } catch (error) {
    throw asWrongCell(error)
  }
  return tx as Writable
}

/** What runs transactions: the database. */
export type Transactions = { transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> }

/** A transaction that changes rows of these realms. */
export function writeTransaction<T>(
  db: Transactions,
  realms: readonly number[],
  work: (tx: Writable) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => work(await bindForWrite(tx, realms)))
}

const bindingPresent: ReadStatement = {
  name: 'wall_bind_present',
  text: 'select bind_present($1) as realms',
}

/** A transaction that may write, and the realms that it is bound to. */
export type Present = { readonly tx: Writable; readonly realms: readonly number[] }

/** As `bindForWrite`, but leaves out realms that are not in this cell: for work on many realms at once. */
export async function bindPresent(tx: Queryable, realms: readonly number[]): Promise<Present> {
  const { rows } = await tx.query<{ realms: number[] }>(bindingPresent, [listOf(realms)])
  return { tx: tx as Writable, realms: rows[0]?.realms ?? [] }
}

/** PostgreSQL's error code of a realm that has no head in this cell. */
const elsewhere = 'EX002'

/** A realm that is not in this cell is a refusal; any other error is returned as it is. */
export function asWrongCell(error: unknown): unknown {
  return sqlState(error) === elsewhere ? new RefusalError(wrongCell, error) : error
}

/** The prepared statements that bind before another statement. */
export const bindings = { within: 'wall_bind_prepared', writing: 'wall_bind_for_write_prepared' } as const

/**
 * Prepared in every session when it is set up. They return no row that could be confused with the
 * statement's. A database that is not migrated yet has no function to bind for writes.
 */
export const prepareBinding = `prepare ${bindings.within} (text) as
    select where set_config('exchequer.realms', $1, true) is null;
  do $$ begin
    execute 'prepare ${bindings.writing} (text) as select where bind_for_write($1) is null';
  exception when undefined_function then
  end $$;`

export type Binding = {
  readonly by: (typeof bindings)[keyof typeof bindings]
  readonly realms: readonly number[]
}

type Wire = pg.Connection & {
  bind(message: { statement: string; values: readonly string[] }): void
  execute(message: object): void
}

/**
 * A statement and, before it, its binding. Both are sent under one Sync, which makes them one transaction in
 * one round trip.
 */
class Bound extends pg.Query {
  #isBound = false

  constructor({ by, realms }: Binding, statement: Statement, values: readonly unknown[]) {
    super({ ...statement, values: values as unknown[] })
    const { submit } = this
    this.submit = (connection) => {
      const wire = connection as Wire
      wire.stream.cork()
      try {
        wire.bind({ statement: by, values: [listOf(realms)] })
        wire.execute({})
        const refused: unknown = submit.call(this, connection)
        // Not even sent: the binding would wait for its Sync, and apply to another statement.
        if (refused) wire.stream.destroy()
        return refused
      } finally {
        wire.stream.uncork()
      }
    }
  }

  /** The first CommandComplete is the binding's. */
  handleCommandComplete(message: unknown, connection: pg.Connection): void {
    if (this.#isBound) answered.call(this, message, connection)
    this.#isBound = true
  }
}

type Handler = (this: pg.Query, message: unknown, connection: pg.Connection) => void
const { handleCommandComplete: answered } = pg.Query.prototype as unknown as {
  handleCommandComplete: Handler
}

/** Runs one statement behind this binding, on a session outside of a transaction. */
export function queryBound(
  client: pg.Pool | pg.ClientBase,
  binding: Binding,
): (statement: Statement, values: readonly unknown[]) => Promise<pg.QueryResult> {
  return (statement, values) =>
    new Promise((resolve, reject) => {
      const done = (error: Error | undefined, result: pg.QueryResult) =>
        error ? reject(error) : resolve(result)
      const query = client.query as unknown as (bound: Bound, callback: typeof done) => void
      query.call(client, new Bound(binding, statement, values), done)
    })
}

/** Why row-level security is not in force, and what to do; undefined when it is. */
export async function findRowSecurityGap(db: Queryable): Promise<string | undefined> {
  const { rows } = await db.query<{ table: string }>(open)
  if (rows.length === 0) return undefined
  return (
    'The role in DATABASE_URL owns the tables or bypasses row-level security, so PostgreSQL does not ' +
    'isolate realms, and journal rows can be changed. Give the server a role of its own: ' +
    `docs/operate/install.md. Unprotected: ${rows.map(({ table }) => table).join(', ')}.`
  )
}
