import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, statSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../server/src/dev/postgres.ts'
import { ownerRole, serverRole } from '../../server/src/dev/prepare.ts'
import { type Environment, Handbook, runScript } from '../chaos/backup/blocks.ts'
import { query } from '../chaos/books.ts'
import { Server } from '../chaos/server.ts'
import { Link } from '../support/link.ts'
import { openPostmaster, type Postmaster } from '../support/postmaster.ts'
import { environment } from '../support/process.ts'
import { checkDeadline } from '../support/timeLimit.ts'

const database = 'exchequer'
const page = 'docs/operate/second-region.md'
const followsMs = 30_000
const longestMs = 15 * 60_000

export type RegionsOptions = {
  /** A new one is created here. */
  readonly folder: string
  /** Whether a commit waits for the second region. */
  readonly isSynchronous: boolean
}

type Urls = { readonly serverUrl: string; readonly ownerUrl: string; readonly superuserUrl: string }

/** A PostgreSQL and its server, a streaming standby, and a server that is started after the promotion. */
export class Regions {
  readonly handbook: Handbook
  /** The network between the two. */
  readonly link: Link
  readonly variables: Environment
  /** The database of the second region. */
  readonly standby: Urls
  readonly servers: readonly [first: Server, second: Server]
  readonly #postmaster: Postmaster
  readonly #folder: string

  private constructor(postmaster: Postmaster, link: Link, options: RegionsOptions & Ports) {
    const { folder, isSynchronous, standbyPort, serverPorts } = options
    const { password } = postmaster
    const url = (role: string) => `postgres://${role}:${password}@127.0.0.1:${standbyPort}/${database}`
    this.#postmaster = postmaster
    this.#folder = folder
    this.link = link
    this.handbook = new Handbook(folder, AbortSignal.timeout(longestMs), { page })
    this.standby = { serverUrl: url(serverRole), ownerUrl: url(ownerRole), superuserUrl: url('postgres') }
    this.variables = variablesOf(postmaster, { folder, link, standbyPort, standby: this.standby })
    const durability = { DURABILITY: isSynchronous ? 'strict' : 'database' }
    this.servers = [
      new Server({
        port: serverPorts[0],
        env: environment(postmaster, durability),
        log: join(folder, 'first-server.log'),
      }),
      // A promoted standby has no standby of its own yet.
      new Server({
        port: serverPorts[1],
        env: environment(this.standby),
        log: join(folder, 'second-server.log'),
      }),
    ]
  }

  static async open(options: RegionsOptions): Promise<Regions> {
    const { folder } = options
    mkdirSync(folder)
    // PostgreSQL's user creates its socket here; once the user is known, it becomes the folder's owner.
    chmodSync(folder, 0o1777)
    const settings = { unix_socket_directories: folder }
    const postmaster = await openPostmaster({ folder: join(folder, 'first'), database, settings })
    const { uid, gid } = statSync(postmaster.folder)
    if (process.getuid?.() === 0) chownSync(folder, uid, gid)
    chmodSync(folder, 0o755)
    const link = await Link.to(postmaster.superuserUrl)
    const serverPorts = [await freePort(), await freePort()] as const
    const regions = new Regions(postmaster, link, { ...options, standbyPort: await freePort(), serverPorts })
    try {
      await regions.#start(options.isSynchronous)
    } catch (error) {
      await regions.close()
      throw error
    }
    return regions
  }

  async #start(isSynchronous: boolean): Promise<void> {
    await this.run('in the first region, a role for the standby')
    await this.run('in the second region, a standby that follows')
    if (isSynchronous) await this.run('in the first region, each commit waits for the standby')
    await this.#untilFollowed(isSynchronous ? 'sync' : 'async')
    await this.servers[0].startPatiently()
  }

  async #untilFollowed(state: 'sync' | 'async'): Promise<void> {
    const text = `select from pg_stat_replication where application_name = 'region2'
      and state = 'streaming' and sync_state = $1`
    const deadlineMs = performance.now() + followsMs
    while ((await query(this.#postmaster.superuserUrl, text, [state])).length === 0) {
      checkDeadline(deadlineMs, `${state} replication`)
      await sleep(50)
    }
  }

  /** Runs a block of the page, and returns what it printed. */
  async run(title: string): Promise<string> {
    return (await this.handbook.run(title, this.variables)).said
  }

  /** kill -9 of everything in the first region. What is under way to the second one is lost. */
  async loseFirst(): Promise<void> {
    this.#postmaster.kill('all')
    this.link.cut()
    await this.servers[0].kill()
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.kill()))
    const stop =
      'if [ -e "$STANDBY_PGDATA/postmaster.pid" ]; then pg_ctl -D "$STANDBY_PGDATA" -m immediate stop; fi'
    const { code, said } = await runScript(stop, this.variables, { ownerOf: this.#folder })
    if (code !== 0) console.error(said)
    await this.#postmaster.stop('immediate')
    await this.link.close()
  }
}

type Ports = { readonly standbyPort: number; readonly serverPorts: readonly [number, number] }

type Places = {
  readonly folder: string
  readonly link: Link
  readonly standbyPort: number
  readonly standby: Urls
}

/** Those that the page explains, and no others: a block that needs more fails. */
function variablesOf(postmaster: Postmaster, { folder, link, standbyPort, standby }: Places): Environment {
  return {
    ...environment(postmaster),
    PATH: [postmaster.binaries, dirname(process.execPath), process.env['PATH']].join(delimiter),
    PGHOST: folder,
    PGPORT: new URL(postmaster.superuserUrl).port,
    // Debian lets its user postgres in by name; this PostgreSQL asks for a password.
    PGUSER: 'postgres',
    PGPASSWORD: postmaster.password,
    PRIMARY_HOST: '127.0.0.1',
    PRIMARY_PORT: new URL(link.url).port,
    STANDBY_PASSWORD: randomBytes(12).toString('hex'),
    STANDBY_PGDATA: join(folder, 'second'),
    STANDBY_PGPORT: String(standbyPort),
    STANDBY_DATABASE_URL: standby.serverUrl,
  }
}
