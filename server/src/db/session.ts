import pg from 'pg'
import {
  asWrongCell,
  type Binding,
  bindings,
  prepareBinding,
  queryBound,
  type RealmScoped,
  type RealmWriter,
} from './rowSecurity.ts'
import type { Answer, Queryable, ReadStatement, Statement, Writable } from './statement.ts'

export type { Answer, Queryable, ReadStatement, Statement, Writable } from './statement.ts'

export type SessionSettings = Readonly<Record<string, string>>

// bigint in SQL is bigint in code: Number would round above 2^53.
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(oid, format as 'text'),
}

const everywhere: SessionSettings = {
  search_path: 'exchequer',
  timezone: 'UTC',
  // Set explicitly, not inherited: an answer is sent only after its change is durable.
  synchronous_commit: 'on',
  // PostgreSQL reports a cancelled wait for a standby only as a warning.
  client_min_messages: 'warning',
  // A process that froze or lost its network must lose its locks.
  idle_in_transaction_session_timeout: '2s',
  tcp_user_timeout: '5s',
  // Our statements are look-ups by key over unnest(); their row estimates are meaningless, so the cost model
  // must not use them. A generic plan made on an empty table would otherwise stay a sequential scan when the
  // table has grown.
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_bitmapscan: 'off',
  enable_material: 'off',
  enable_memoize: 'off',
  jit: 'off',
}

/**
 * A statement ends within half a second when its client is gone, and releases its locks. PostgreSQL on
 * Windows can't detect that and rejects any value but 0: there such a statement runs to its end.
 */
const endWithClient = `do $$ begin
  set client_connection_check_interval = '500ms';
exception when invalid_parameter_value then
end $$;`

export const writerSettings: SessionSettings = {
  /** A writer waits at most this long for a head; a lock held longer is answered 503. */
  lock_timeout: '2s',
  /**
   * Only a transaction that declares it may write. Statements are sent behind their BEGIN without waiting for
   * it: if BEGIN alone fails, none of them may run on its own.
   */
  default_transaction_read_only: 'on',
}

/** How long a request waits for a connection and its setup: a server may stop answering after connecting. */
export const connectTimeoutMs = 900
/** How long a command waits for one: no request waits for it, and a busy machine is slow. */
export const commandConnectMs = 10_000
const closeTimeoutMs = 1_000

export function clientConfig(url: string, connectWithinMs = connectTimeoutMs): pg.ClientConfig {
  return { connectionString: url, types, keepAlive: true, connectionTimeoutMillis: connectWithinMs }
}

/**
 * The timeline of the WAL, which changes with every failover, and the system, which is another one where a
 * database was restored elsewhere. Unknown on a standby, and where a managed
 * service does not allow the query. (pg_control_checkpoint() shows the new one minutes later, after a
 * checkpoint.)
 */
const readTimeline = `do $$ declare system text := ''; begin
  begin
    system := (select system_identifier from pg_control_system());
  exception when others then
  end;
  perform set_config('exchequer.timeline',
    left(pg_walfile_name(pg_current_wal_lsn()), 8) || system, false);
exception when others then
end $$;`

/** Sets up a new connection; returns its server's timeline. Rejects a standby: its data may be stale. */
export async function setUp(
  client: pg.ClientBase,
  settings: SessionSettings = {},
): Promise<string | undefined> {
  const text = Object.entries({ ...everywhere, ...settings })
    .map(([name, value]) => `set ${name} = ${pg.escapeLiteral(value)};`)
    .join('')
  const results: unknown = await client.query(
    `${text} ${endWithClient} ${prepareBinding} ${readTimeline}
    select pg_is_in_recovery() as standby, current_setting('exchequer.timeline', true) as timeline`,
  )
  type Row = { standby: boolean; timeline: string | null }
  const row = (results as pg.QueryResult<Row>[]).at(-1)?.rows[0]
  if (row?.standby) throw new Error('this PostgreSQL is a standby')
  return row?.timeline ?? undefined
}

const commit: ReadStatement = { name: 'commit', text: 'commit' }
const standbys: ReadStatement = {
  name: 'standbys',
  text: `select current_setting('synchronous_standby_names') as names`,
}

/**
 * Commits a transaction; calls `doubtful` when no standby had to confirm it, though one must (`strict`). The
 * setting is read behind the COMMIT, when a change of it that the COMMIT saw has reached this session too.
 */
export async function commitOn(
  db: Queryable,
  { strict, doubtful }: { readonly strict: boolean; readonly doubtful: () => void },
): Promise<Answer<never>> {
  const committed = db.query<never>(commit)
  if (!strict) return committed
  const [answer, { rows }] = await Promise.all([committed, db.query<{ names: string }>(standbys)])
  if (!rows[0]?.names) doubtful()
  return answer
}

export function answerOf<Row>(result: pg.QueryResult): Answer<Row> {
  return { rows: result.rows, command: result.command, count: result.rowCount ?? 0 }
}

/**
 * Whether PostgreSQL warns that it did not wait for the standby. Recognized by code: the text is translated.
 */
export function isDoubt(notice: { readonly code?: string | undefined }): boolean {
  return notice.code === '01000' || notice.code === '57P01'
}

/**
 * Statement and rows are sent together: PostgreSQL reads the rows when it gets to them, and discards them if
 * the statement failed.
 */
class Copy extends pg.Query {
  constructor(text: string, rows: string, done: (error: Error | undefined, result: pg.QueryResult) => void) {
    super({ text }, done)
    this.submit = (connection) => {
      const wire = connection as CopyWire
      wire.query(text)
      wire.sendCopyFromChunk(Buffer.from(rows))
      wire.endCopyFrom()
      return null
    }
  }

  /** The rows are on their way already. */
  handleCopyInResponse(): void {}
}

type CopyWire = pg.Connection & { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void }

export type SessionOptions = {
  readonly settings?: SessionSettings
  /** Whether a standby must confirm every commit. */
  readonly strict?: boolean
  /** How long opening it may take. */
  readonly connectWithinMs?: number
  /** Called whenever the database answers. */
  readonly heard?: () => void
  /** Called before the session is used, with the timeline of its server. */
  readonly opened?: (timeline: string | undefined) => void
}

/** A dedicated database session, pipelined: statements are sent at once and answered in order. */
export class Session implements Queryable, RealmScoped, RealmWriter {
  readonly #client: pg.Client
  readonly #options: SessionOptions
  #lost = false
  /** Whether a commit of this session may not have reached the standby. */
  doubtful = false

  private constructor(client: pg.Client, options: SessionOptions) {
    this.#client = client
    this.#options = options
    client.on('error', () => {
      this.#lost = true
    })
    client.on('end', () => {
      this.#lost = true
    })
    client.on('notice', (notice) => {
      if (isDoubt(notice)) this.doubtful = true
    })
  }

  static async open(url: string, options: SessionOptions): Promise<Session> {
    const { connectWithinMs = connectTimeoutMs } = options
    const client = new pg.Client({ ...clientConfig(url, connectWithinMs), pipeline: true })
    const session = new Session(client, options)
    const timer = setTimeout(() => session.destroy(), connectWithinMs)
    try {
      await client.connect()
      const timeline = await setUp(client, options.settings)
      options.opened?.(timeline)
    } catch (error) {
      session.destroy()
      throw error
    } finally {
      clearTimeout(timer)
    }
    options.heard?.()
    return session
  }

  get lost(): boolean {
    return this.#lost
  }

  async query<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Answer<Row>> {
    const result = await this.#client.query({ ...statement, values: values as unknown[] })
    this.#options.heard?.()
    return answerOf<Row>(result)
  }

  /** Only outside of a transaction: inside one it would bind all that follows. */
  within(realms: readonly number[]): Queryable {
    return this.#bound({ by: bindings.within, realms })
  }

  /** As `within`, for a statement that writes. */
  writing(realms: readonly number[]): Writable {
    return this.#bound({ by: bindings.writing, realms })
  }

  #bound(binding: Binding): Writable {
    const run = queryBound(this.#client, binding)
    return {
      query: async <Row>(statement: Statement, values: readonly unknown[] = []) => {
        const result = await run(statement, values).catch((error: unknown) => {
          throw asWrongCell(error)
        })
        this.#options.heard?.()
        return answerOf<Row>(result)
      },
    }
  }

  commit(): Promise<Answer<never>> {
    const doubtful = () => {
      this.doubtful = true
    }
    return commitOn(this, { strict: this.#options.strict ?? false, doubtful })
  }

  /** Runs a COPY … FROM STDIN with these rows, in PostgreSQL's text format. */
  copy(statement: Statement, rows: string): Promise<Answer<never>> {
    return new Promise((resolve, reject) => {
      const copy = new Copy(statement.text, rows, (error, result) => {
        if (error) reject(error)
        else resolve(answerOf(result))
      })
      this.#client.query(copy)
    })
  }

  /** Sends all statements of `work` as one write to the socket. */
  together<T>(work: () => T): T {
    const { stream } = this.#client.connection
    stream.cork()
    try {
      return work()
    } finally {
      stream.uncork()
    }
  }

  async close(): Promise<void> {
    if (this.#lost) return
    const timer = setTimeout(() => this.destroy(), closeTimeoutMs)
    await this.#client.end()
    clearTimeout(timer)
  }

  /** Cuts the connection: every statement under way fails now, and its outcome may be unknown. */
  destroy(): void {
    this.#lost = true
    this.#client.connection.stream.destroy()
  }
}
