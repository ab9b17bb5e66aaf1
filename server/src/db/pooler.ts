import pg from 'pg'
import { clientConfig } from './session.ts'

/** A busy pooler may give a connection the same session twice by chance. */
const rounds = 10
const answerTimeoutMs = 2_000

/** Some poolers (RDS Proxy) give a connection its own session once it has set anything, as ours do. */
const setAnything = `set exchequer.probe = 'on'`

/** The session that runs this statement: a process number alone can be that of another server. */
const readBackend = `select concat_ws(' ', pg_backend_pid(), pg_postmaster_start_time(), inet_server_addr(),
  inet_server_port()) as backend`

async function backendOf(client: pg.Client): Promise<string> {
  return (await client.query<{ backend: string }>(readBackend)).rows[0]?.backend ?? ''
}

/** PgBouncer in statement mode rejects transactions. */
const isRefused = (begin: Promise<unknown>): Promise<boolean> =>
  begin.then(
    () => false,
    (error: Error) => /pooling mode/.test(error.message),
  )

/**
 * Whether two open connections use the same session, or one of them uses two: PostgreSQL itself and a
 * pooler in session mode never do that. While the second holds a session by a transaction, the first gets
 * another one.
 */
async function isShared(first: pg.Client, second: pg.Client): Promise<boolean> {
  const before = await backendOf(first)
  if ((await backendOf(second)) === before) return true
  if (await isRefused(second.query('begin'))) return true
  if ((await backendOf(second)) === before) return true
  const after = await backendOf(first)
  await second.query('commit')
  return after !== before
}

/**
 * Why the server can't work with this URL, and what to use instead; undefined when it leads to sessions of
 * its own, or when that is unknown: an unreachable database is reported by what comes next.
 */
export async function findTransactionPooler(url: string, setting: string): Promise<string | undefined> {
  const clients = [1, 2].map(() => new pg.Client({ ...clientConfig(url), query_timeout: answerTimeoutMs }))
  const [first, second] = clients as [pg.Client, pg.Client]
  for (const client of clients) client.on('error', () => {})
  try {
    for (const client of clients) {
      await client.connect()
      await client.query(setAnything)
    }
    for (let round = 0; round < rounds; round++) if (await isShared(first, second)) return wordsFor(setting)
    return undefined
  } catch {
    return undefined
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()))
  }
}

const wordsFor = (setting: string): string =>
  `${setting} leads to a pooler in transaction or statement mode, where a connection has no session of ` +
  'its own. ' +
  'Connect to PostgreSQL directly, or use a pooler in session mode (PgBouncer: pool_mode = session): ' +
  'docs/operate/settings.md#database-sessions'
