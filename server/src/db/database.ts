import pg from 'pg'
import { outcomeUnknown, RefusalError, unavailable } from '../errors.ts'
import { noteCommit } from './committed.ts'
import { isPassing } from './failures.ts'
import { OwnTime } from './ownTime.ts'
import {
  asWrongCell,
  type Binding,
  bindings,
  queryBound,
  type RealmScoped,
  type RealmWriter,
} from './rowSecurity.ts'
import {
  type Answer,
  answerOf,
  clientConfig,
  commitOn,
  connectTimeoutMs,
  isDoubt,
  type Queryable,
  type ReadStatement,
  Session,
  type SessionSettings,
  type Statement,
  setUp,
  type Writable,
} from './session.ts'

const statementTimeout = '4s'
/** For a database that does not even report a statement timeout. */
const answerTimeoutMs = 5_000

/** The pool's sessions, where POOL_SIZE does not say otherwise. */
export const usualPoolSize = 6

export type DatabaseOptions = {
  /** The most sessions of the pool. */
  readonly poolSize?: number
  /** For the pool's sessions, in addition to those that every session has. */
  readonly settings?: SessionSettings
  /** Whether a standby must confirm every commit. */
  readonly strict?: boolean
  /** How long a new connection may take. The default is less than a second, as requests wait for it. */
  readonly connectWithinMs?: number
}

/** The pool's sessions, the callers waiting for one now, and how many had to wait so far. */
export type PoolState = {
  readonly open: number
  readonly idle: number
  readonly waiting: number
  readonly waits: number
}

/**
 * One PostgreSQL: short statements and transactions from a pool, and dedicated sessions. A statement that
 * runs neither within realms nor in a transaction that binds them sees only the directory (realms, keys,
 * people).
 */
export type Database = Queryable &
  RealmScoped &
  RealmWriter & {
    readonly url: string
    transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>
    open(settings: SessionSettings): Promise<Session>
    /**
     * Called when a new session leads to a different primary than the one before, before it is used: what a
     * process remembers may have been lost with the old primary.
     */
    onFailover(listener: () => void): void
    /** Called before a new session is used, after `onFailover`. If it throws, the session is closed. */
    onSession(check: () => void): void
    /** How long ago the database last answered anything, in the time this process was running. */
    silentMs(): number
    pool(): PoolState
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

/** Counts callers that find no free session. */
class PoolWatch {
  readonly #pool: pg.Pool
  readonly #most: number
  #waits = 0

  constructor(pool: pg.Pool, most: number) {
    this.#pool = pool
    this.#most = most
  }

  /** Called before each request for a session. */
  count(): pg.Pool {
    const pool = this.#pool
    if (pool.idleCount === 0 && pool.totalCount >= this.#most) this.#waits += 1
    return pool
  }

  state(): PoolState {
    const { totalCount: open, idleCount: idle, waitingCount: waiting } = this.#pool
    return { open, idle, waiting, waits: this.#waits }
  }
}

/** Notices that another primary has taken over: its WAL is on a different timeline. */
class Timelines {
  readonly listeners: (() => void)[] = []
  #latest: string | undefined

  see(timeline: string | undefined): void {
    if (timeline === undefined || timeline === this.#latest) return
    const isFirst = this.#latest === undefined
    this.#latest = timeline
    if (!isFirst) for (const listener of this.listeners) listener()
  }
}

/** An unreachable or busy database is a refusal to retry later, not an internal error. */
function asRefusal(error: unknown): unknown {
  if (!isPassing(error)) return asWrongCell(error)
  return new RefusalError(
    { ...unavailable, detail: 'The database did not answer in time; try again.' },
    error,
  )
}

function asUnknown(error: unknown): unknown {
  if (!(error instanceof RefusalError)) return error
  const detail =
    'The database did not answer. The change may or may not have happened; check before you repeat it.'
  return new RefusalError({ ...outcomeUnknown, detail }, error)
}

const ignore = (): void => {}

const begin: ReadStatement = { name: 'begin', text: 'begin isolation level read committed' }

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
  let hasWritten = false
  const noted: Queryable['query'] = (statement, values) => {
    hasWritten ||= (statement as Statement).writes === true
    return query(statement, values)
  }
  await query(begin)
  const result = await work({ query: noted })
  client.on('notice', listen)
  const { command } = await commitOn({ query }, { strict, doubtful: doubt })
    .catch((error: unknown) => {
      throw asUnknown(error)
    })
    .finally(() => client.removeListener('notice', listen))
  if (doubtful) throw asUnknown(new RefusalError(unavailable))
  if (command !== 'COMMIT') throw new Error(`COMMIT was answered ${command}`)
  if (hasWritten) noteCommit()
  return result
}

/** Each statement is its own transaction. */
const noted = ({ query }: Writable): Writable => ({
  async query<Row>(statement: Statement, values?: readonly unknown[]) {
    const answer = await query<Row>(statement, values)
    noteCommit()
    return answer
  },
})

export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const { settings, strict = false, connectWithinMs = connectTimeoutMs } = options
  const { poolSize = usualPoolSize } = options
  const timelines = new Timelines()
  const checks: (() => void)[] = []
  const opened = (timeline: string | undefined) => {
    timelines.see(timeline)
    for (const check of checks) check()
  }
  const time = new OwnTime()
  let heardAtMs = Number.NEGATIVE_INFINITY
  const heard = () => {
    heardAtMs = time.ms
  }
  const setUpSession = async (client: pg.ClientBase) => {
    opened(await setUp(client, { statement_timeout: statementTimeout, lock_timeout: '3s', ...settings }))
    heard()
  }
  const pool = new pg.Pool({
    ...clientConfig(url, connectWithinMs),
    max: poolSize,
    query_timeout: answerTimeoutMs,
    // The pool waits for what this returns, though its types don't say so.
    onConnect: setUpSession as (client: pg.ClientBase) => void,
  })
  // An idle connection that dies is replaced at the next use; without a listener it would end the process.
  pool.on('error', ignore)
  const watch = new PoolWatch(pool, poolSize)
  const run: Run = (statement, values) => runOn(watch.count())(statement, values)
  const bound = (binding: Binding): Writable => ({
    query: queryOn((statement, values) => queryBound(watch.count(), binding)(statement, values), heard),
  })
  return {
    url,
    query: queryOn(run, heard),
    within: (realms) => bound({ by: bindings.within, realms }),
    writing: (realms) => noted(bound({ by: bindings.writing, realms })),
    async transaction(work) {
      const client = await watch
        .count()
        .connect()
        .catch((error: unknown) => {
          throw asRefusal(error)
        })
      // A connection that breaks fails the running query. The pool does not listen while a client is checked
      // out, and an unhandled error event would end the process.
      client.on('error', ignore)
      let failed = true
      try {
        const result = await runTransaction({ client, query: queryOn(runOn(client), heard), strict, work })
        failed = false
        return result
      } finally {
        // Dropped, not rolled back: PostgreSQL ends the transaction of a closed session. A dropped client
        // keeps its listener, as it may still break; a client that goes back to the pool loses it.
        if (!failed) client.removeListener('error', ignore)
        client.release(failed)
      }
    },
    open: (own) => Session.open(url, { settings: own, strict, connectWithinMs, heard, opened }),
    onFailover: (listener) => void timelines.listeners.push(listener),
    onSession: (check) => void checks.push(check),
    silentMs: () => time.ms - heardAtMs,
    pool: () => watch.state(),
    close() {
      time.close()
      return pool.end()
    },
  }
}
