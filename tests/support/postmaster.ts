import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { debianBinaries, embeddedBinaries, freePort, startPostgres } from '../../server/src/dev/postgres.ts'
import { makeRoles, ownerRole, prepareDatabase, serverRole } from '../../server/src/dev/prepare.ts'

export type PostmasterOptions = {
  /** Its data directory; created when absent. */
  readonly folder: string
  readonly database: string
  readonly settings?: Readonly<Record<string, string>>
  /** The folder of PostgreSQL's programs; Debian's newest, or the embedded ones, when absent. */
  readonly binaries?: string | undefined
}

/** A real PostgreSQL with a migrated database, which can be killed and started again on the same port. */
export type Postmaster = {
  readonly folder: string
  readonly binaries: string
  readonly password: string
  readonly serverUrl: string
  readonly ownerUrl: string
  readonly superuserUrl: string
  /** kill -9 of the postmaster alone, whose children finish their work; or of all, like a power failure. */
  kill(which: 'postmaster' | 'all'): void
  stop(how?: 'fast' | 'immediate'): Promise<void>
  /** Starts it again; resolves when it accepts connections. */
  start(): Promise<void>
}

export async function openPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const { folder, database, settings = {} } = options
  const password = randomBytes(12).toString('hex')
  const given = {
    binaries: options.binaries ?? debianBinaries() ?? embeddedBinaries(),
    folder,
    password,
    port: await freePort(),
    settings: { shared_buffers: '256MB', max_connections: '100', ...settings },
  }
  let postgres = await startPostgres(given)
  await makeRoles(postgres, password)
  await prepareDatabase(postgres, database)
  return {
    folder,
    binaries: given.binaries,
    password,
    serverUrl: postgres.url(database, serverRole),
    ownerUrl: postgres.url(database, ownerRole),
    superuserUrl: postgres.url(database),
    kill(which) {
      const children = which === 'all' ? childrenOf(postgres.pid) : []
      for (const pid of [postgres.pid, ...children]) killNow(pid)
    },
    stop: (how) => postgres.stop(how),
    async start() {
      postgres = await untilStarted(() => startPostgres(given))
    },
  }
}

function childrenOf(pid: number): number[] {
  const said = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' }).stdout
  return said.split('\n').filter(Boolean).map(Number)
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/** The children of a killed postmaster keep its shared memory for a moment. */
async function untilStarted<T>(start: () => Promise<T>): Promise<T> {
  for (const deadlineMs = Date.now() + 30_000; ; ) {
    try {
      return await start()
    } catch (error) {
      if (Date.now() > deadlineMs) throw error
    }
  }
}
