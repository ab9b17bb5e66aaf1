import pg from 'pg'
import { plainArray } from './arrays.ts'
import type { Answer, Queryable, Statement } from './statement.ts'

/**
 * Row-level security: PostgreSQL shows a transaction only the rows of the realms that it has bound, and
 * rejects writes to any others. A statement that forgets its `where` sees no other realm's rows, an unbound
 * one none.
 */

/** Returns a Queryable that sees only these realms. Each of its statements is its own transaction. */
export type RealmScoped = { within(realms: readonly number[]): Queryable }

const binding: Statement = { name: 'wall_bind', text: `select set_config('exchequer.realms', $1, true)` }

/**
 * The tables whose policies do not apply to this role, because it owns them or bypasses row-level security.
 */
const open: Statement = {
  name: 'wall_open',
  text: `select c.relname as table from pg_policy p join pg_class c on c.oid = p.polrelid
    where c.relnamespace = 'exchequer'::regnamespace and not row_security_active(c.oid) order by 1`,
}

const listOf = (realms: readonly number[]): string => plainArray(realms, (realm) => realm)

/** Binds the current transaction to these realms, until it ends or binds others. */
export function bind(tx: Queryable, realms: readonly number[]): Promise<Answer<unknown>> {
  return tx.query(binding, [listOf(realms)])
}

const prepared = 'wall_bind_prepared'

/**
 * Prepared in every session when it is set up. It returns no row that could be confused with the statement's.
 */
export const prepareBinding = `prepare ${prepared} (text) as
  select where set_config('exchequer.realms', $1, true) is null;`

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

  constructor(realms: readonly number[], statement: Statement, values: readonly unknown[]) {
    super({ ...statement, values: values as unknown[] })
    const { submit } = this
    this.submit = (connection) => {
      const wire = connection as Wire
      wire.stream.cork()
      try {
        wire.bind({ statement: prepared, values: [listOf(realms)] })
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

/** Runs one statement within these realms, on a session outside of a transaction. */
export function queryWithin(
  client: pg.Pool | pg.ClientBase,
  realms: readonly number[],
): (statement: Statement, values: readonly unknown[]) => Promise<pg.QueryResult> {
  return (statement, values) =>
    new Promise((resolve, reject) => {
      const done = (error: Error | undefined, result: pg.QueryResult) =>
        error ? reject(error) : resolve(result)
      const query = client.query as unknown as (bound: Bound, callback: typeof done) => void
      query.call(client, new Bound(realms, statement, values), done)
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
