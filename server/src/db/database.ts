import pg from 'pg'
import { outcomeUnknown, Refused, unavailable } from '../errors.ts'
import { isPassing } from './failures.ts'
import {
  type Answer,
  answerOf,
  clientConfig,
  commitOn,
  isDoubt,
  type Queryable,
  Session,
  type SessionSettings,
  type Statement,
  setUp,
} from './session.ts'
import { queryWithin, type Walled } from './wall.ts'

const poolSize = 6
const statementTimeout = '4s'
/** For a server that does not even say that a statement took too long. */
const answerTimeoutMs = 5_000

export type DatabaseOptions = {
  /** Of the pool's sessions, beside those that hold everywhere. */
  readonly settings?: SessionSettings
  /** Whether a standby must confirm every commit. */
  readonly strict?: boolean
}

/**
 * One PostgreSQL: short statements and transactions from a pool, and sessions of one's own. What is asked
 * neither within realms nor in a transaction that binds them sees the directory alone.
 */
export type Database = Queryable &
  Walled & {
    readonly url: string
    transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>
    open(settings: SessionSettings): Promise<Session>
    /** How long ago it last answered anything. */
    silentMs(): number
    close(): Promise<void>
  }

type Run = (statement: Statement, values: readonly unknown[]) => Promise<pg.QueryResult>

const runOn =
  (client: pg.Pool | pg.PoolClient): Run =>
  (statement, values) =>
    client.query({ ...statement, values: values as unknown[] })

function queryOn(run: Run, heard: () => void) {
  return async <Row>(statement: Statement, values: readonly unknown[] = []): Promise<Answer<Row>> => {
    try {
      const result = await run(statement, values)
      heard()
      return answerOf<Row>(result)
    } catch (error) {
      throw asRefusal(error)
    }
  }
}

/** A database that is away or busy is a refusal to try again later, not a fault of ours. */
function asRefusal(error: unknown): unknown {
  if (!isPassing(error)) return error
  return new Refused({ ...unavailable, detail: 'The database did not answer in time; try again.' }, error)
}

function asUnknown(error: unknown): unknown {
  if (!(error instanceof Refused)) return error
  const detail =
    'The database did not answer. The change may or may not have happened; look before you repeat it.'
  return new Refused({ ...outcomeUnknown, detail }, error)
}

const ignore = (): void => {}

const begin: Statement = { name: 'begin', text: 'begin isolation level read committed' }

type Transaction<T> = {
  readonly client: pg.PoolClient
  readonly query: Queryable['query']
  readonly strict: boolean
  readonly work: (tx: Queryable) => Promise<T>
}

async function runTransaction<T>({ client, query, strict, work }: Transaction<T>): Promise<T> {
  let doubtful = false
  const doubt = () => {
    doubtful = true
  }
  const listen = (notice: { code?: string | undefined }) => {
    if (isDoubt(notice)) doubt()
  }
  await query(begin)
  const result = await work({ query })
  client.on('notice', listen)
  const { command } = await commitOn({ query }, { strict, doubtful: doubt })
    .catch((error: unknown) => {
      throw asUnknown(error)
    })
    .finally(() => client.removeListener('notice', listen))
  if (doubtful) throw asUnknown(new Refused(unavailable))
  if (command !== 'COMMIT') throw new Error(`COMMIT was answered ${command}`)
  return result
}

export function openDatabase(url: string, { settings, strict = false }: DatabaseOptions = {}): Database {
  const setUpSession = (client: pg.ClientBase) =>
    setUp(client, { statement_timeout: statementTimeout, lock_timeout: '3s', ...settings })
  let heardAtMs = Number.NEGATIVE_INFINITY
  const heard = () => {
    heardAtMs = performance.now()
  }
  const pool = new pg.Pool({
    ...clientConfig(url),
    max: poolSize,
    query_timeout: answerTimeoutMs,
    // The pool waits for what this returns, though its types don't say so.
    onConnect: setUpSession as (client: pg.ClientBase) => void,
  })
  // An idle connection that dies is replaced at the next use; without a listener it would end the process.
  pool.on('error', ignore)
  return {
    url,
    query: queryOn(runOn(pool), heard),
    within: (realms) => ({ query: queryOn(queryWithin(pool, realms), heard) }),
    async transaction(work) {
      const client = await pool.connect().catch((error: unknown) => {
        throw asRefusal(error)
      })
      // A connection that breaks fails the query under way; the pool does not listen while a client is out,
      // and an event that nobody hears would end the process.
      client.on('error', ignore)
      let failed = true
      try {
        const result = await runTransaction({ client, query: queryOn(runOn(client), heard), strict, work })
        failed = false
        return result
      } finally {
        // Dropped, not rolled back by hand: the server ends the transaction of a closed session. A dropped
        // client keeps its listener, as it may still break; one that goes back leaves as it came.
        if (!failed) client.removeListener('error', ignore)
        client.release(failed)
      }
    },
    open: (own) => Session.open(url, { settings: own, strict, heard }),
    silentMs: () => performance.now() - heardAtMs,
    close: () => pool.end(),
  }
}
