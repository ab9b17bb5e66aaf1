import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { debianBinaries, freePort, type Postgres, startPostgres } from '../../../server/src/dev/postgres.ts'
import { makeRoles, ownerRole, prepareDatabase, serverRole } from '../../../server/src/dev/prepare.ts'
import { rowsOf } from '../../support/books.ts'
import { environment, type ServerProcess, startServerProcess } from '../../support/process.ts'
import { type Environment, Handbook, type HandbookOptions, runScript } from './blocks.ts'

export const database = 'exchequer'

/** A database, as the server, the schema's owner and the superuser see it. */
export type Urls = { readonly serverUrl: string; readonly ownerUrl: string; readonly superuserUrl: string }

export type Checkpoint = { readonly seq: number; readonly hash: string }

export const shown = ({ seq, hash }: Checkpoint): string => `${seq}:${hash}`

/** Entry `seq` of the only realm, or of one of several, or its last. */
export async function entryAt(urls: Urls, seq?: number, realm?: string): Promise<Checkpoint> {
  const [row] = await rowsOf(
    urls.superuserUrl,
    `select seq::int as seq, encode(hash, 'hex') as hash from journal
      where ($1::bigint is null or seq = $1)
        and ($2::text is null or realm = (select realm from realms where id = $2))
      order by seq desc limit 1`,
    [seq ?? null, realm ?? null],
  )
  return row
}

type Making = {
  readonly binaries: string
  readonly folder: string
  readonly live: Postgres
  readonly password: string
  readonly newPort: number
  readonly handbook: Handbook
}

/** A PostgreSQL, servers and backups in their own folder, all removed when the stage is closed. */
export class Stage {
  readonly folder: string
  readonly handbook: Handbook
  readonly password: string
  readonly newPgdata: string
  readonly newPort: number
  readonly #live: Postgres
  readonly #binaries: string
  readonly #others: Postgres[] = []
  readonly #servers: ServerProcess[] = []

  private constructor({ binaries, folder, live, password, newPort, handbook }: Making) {
    this.folder = folder
    this.password = password
    this.newPort = newPort
    this.newPgdata = join(folder, 'restored')
    this.handbook = handbook
    this.#binaries = binaries
    this.#live = live
  }

  static async open(signal: AbortSignal, options: HandbookOptions = {}): Promise<Stage> {
    const binaries = debianBinaries()
    if (!binaries || !existsSync('/usr/bin/pgbackrest'))
      throw new Error('Debian’s PostgreSQL and pgBackRest required: apt-get install postgresql pgbackrest')
    const folder = mkdtempSync(join(tmpdir(), 'exchequer-backup-'))
    // PostgreSQL's user creates its socket here; once the user is known, it becomes the folder's owner.
    chmodSync(folder, 0o1777)
    const handbook = new Handbook(folder, signal, options)
    const password = randomBytes(12).toString('hex')
    const live = await startPostgres({ binaries, password, ...liveIn(folder) }).catch((error: unknown) => {
      rmSync(folder, { recursive: true, force: true })
      throw error
    })
    const { uid, gid } = statSync(liveIn(folder).folder)
    if (process.getuid?.() === 0) chownSync(folder, uid, gid)
    chmodSync(folder, 0o755)
    return new Stage({ binaries, folder, live, password, newPort: await freePort(), handbook })
  }

  async prepare(): Promise<void> {
    await makeRoles(this.#live, this.password)
    await prepareDatabase(this.#live, database)
  }

  /** Like an operator: on the same port, and with archive_command in the operator's environment. */
  async restart(): Promise<void> {
    await this.#control('pg_ctl -D "$PGDATA" -l "$PGDATA.log" -m fast restart')
  }

  async stopLive(): Promise<void> {
    if (existsSync(join(liveIn(this.folder).folder, 'postmaster.pid')))
      await this.#control('pg_ctl -D "$PGDATA" -m fast stop')
  }

  async #control(text: string): Promise<void> {
    const { code, said } = await runScript(text, this.variables(this.restored), { ownerOf: this.folder })
    if (code !== 0) throw new Error(`${text} exited with ${code}:\n${said}`)
  }

  /** An empty PostgreSQL. */
  async startEmpty(): Promise<Postgres> {
    const { password } = this
    const empty = await startPostgres({
      binaries: this.#binaries,
      folder: join(this.folder, 'empty'),
      password,
    })
    this.#others.push(empty)
    return empty
  }

  get live(): Urls {
    return urlsOn(this.#live)
  }

  get restored(): Urls {
    const url = (role: string) => `postgres://${role}:${this.password}@127.0.0.1:${this.newPort}/${database}`
    return { serverUrl: url(serverRole), ownerUrl: url(ownerRole), superuserUrl: url('postgres') }
  }

  /** The variables that docs/operate/backup.md explains, and no others: a block that needs more fails. */
  variables(at: Urls, extra: Environment = {}): Environment {
    const { folder } = this
    return {
      ...environment(this.live),
      PATH: [this.#binaries, dirname(process.execPath), process.env['PATH']].join(delimiter),
      // Separate from the locks, logs and queues of other runs and of the machine's own pgBackRest.
      PGBACKREST_LOCK_PATH: join(folder, 'lock'),
      PGBACKREST_LOG_PATH: folder,
      PGBACKREST_SPOOL_PATH: join(folder, 'spool'),
      PGDATA: liveIn(folder).folder,
      PGHOST: folder,
      PGPORT: String(this.#live.port),
      // Debian lets its user postgres in by name; this PostgreSQL asks for a password.
      PGUSER: 'postgres',
      PGPASSWORD: this.password,
      PGBACKREST_CONFIG: join(folder, 'pgbackrest.conf'),
      PGBACKREST_STANZA: 'exchequer',
      BACKUP_DIR: join(folder, 'backups'),
      NEW_PGDATA: this.newPgdata,
      NEW_PGPORT: String(this.newPort),
      NEW_DATABASE_URL: at.serverUrl,
      NEW_DATABASE_OWNER_URL: at.ownerUrl,
      DUMP: join(folder, 'exchequer.dump'),
      ...extra,
    }
  }

  async serve(urls: Urls, extra: Record<string, string> = {}): Promise<ServerProcess> {
    const server = await startServerProcess(environment(urls, extra))
    this.#servers.push(server)
    return server
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#servers.map((server) => server.stop()))
    await Promise.allSettled([this.stopLive(), ...this.#others.map((postgres) => postgres.stop())])
    if (existsSync(join(this.newPgdata, 'postmaster.pid')))
      await this.#control('pg_ctl -D "$NEW_PGDATA" -m fast stop').catch(console.error)
    rmSync(this.folder, { recursive: true, force: true })
  }
}

const liveIn = (folder: string) => ({
  folder: join(folder, 'live'),
  settings: { unix_socket_directories: folder },
})

export const urlsOn = (postgres: Postgres): Urls => ({
  serverUrl: postgres.url(database, serverRole),
  ownerUrl: postgres.url(database, ownerRole),
  superuserUrl: postgres.url(database),
})
