import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../server/src/dev/postgres.ts'
import { Server } from '../chaos/server.ts'
import { openPostmaster, type Postmaster } from '../support/postmaster.ts'
import { environment, runCommand } from '../support/process.ts'
import { checkDeadline } from '../support/timeLimit.ts'
import { openRouter, type Router } from './router.ts'

/** As every deployment has it, so that a realm can leave. */
export const settings = {
  wal_level: 'logical',
  max_connections: '150',
  max_wal_senders: '20',
  max_replication_slots: '20',
  max_worker_processes: '24',
  // A move copies some forty tables: most are small, and take the time to begin.
  max_logical_replication_workers: '12',
  max_sync_workers_per_subscription: '6',
  shared_buffers: '128MB',
  max_wal_size: '4GB',
  // A subscription is served by the next worker that starts, not five seconds later.
  wal_retrieve_retry_interval: '200ms',
}

const perCell = 2
const readyMs = 60_000

/** A database with its processes. Cell 0 is the directory, and has no realms. */
export type Cell = {
  readonly number: number
  readonly postmaster: Postmaster
  readonly servers: readonly Server[]
  readonly env: Record<string, string>
}

export type CellStage = {
  readonly folder: string
  readonly directory: Cell
  readonly one: Cell
  readonly two: Cell
  readonly router: Router
  /** The URL for clients. */
  readonly url: string
  cell(number: number): Cell
  /** Runs a command of the server with the settings of a cell, and those of an operator. */
  command(args: readonly string[], at?: Cell): ReturnType<typeof runCommand>
  /** What an operator has who moves realms. */
  readonly operatorEnv: Record<string, string>
  close(): Promise<void>
}

/** The folder of PostgreSQL's programs of each cell that does not have the usual one. */
export type CellBinaries = Readonly<Record<number, string>>

const startPostmaster = (folder: string, number: number, binaries: CellBinaries): Promise<Postmaster> =>
  openPostmaster({
    folder: join(folder, `cell${number}`),
    database: 'cell',
    settings,
    binaries: binaries[number],
  })

type Database = { readonly number: number; readonly postmaster: Postmaster; readonly directoryUrl: string }

async function makeCell(folder: string, { number, postmaster, directoryUrl }: Database): Promise<Cell> {
  const env = environment(postmaster, {
    DIRECTORY_URL: directoryUrl,
    TRUSTED_PROXIES: '127.0.0.1',
    // All clients here have one address, and some checks keep many requests open.
    MAX_CONNECTIONS_PER_ADDRESS: '5000',
    POOL_SIZE: '16',
    CHAINS: 'eip155:1=http://127.0.0.1:9',
    WEBHOOK_ALLOW: '127.0.0.1',
    // Many short processes load the same sources here.
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(tmpdir(), 'exchequer-compiled'),
  })
  const servers: Server[] = []
  for (let place = 0; place < perCell; place++) {
    const log = join(folder, `cell${number}-server${place}.log`)
    servers.push(new Server({ port: await freePort(), env, log }))
  }
  return { number, postmaster, servers, env }
}

/** Until its servers are ready to serve. */
export async function untilReady({ servers }: Cell): Promise<void> {
  const deadlineMs = performance.now() + readyMs
  for (const server of servers) {
    while (!(await server.isReady().catch(() => false))) {
      checkDeadline(deadlineMs, `readiness of ${server.url}`)
      await sleep(50)
    }
  }
}

/** Resolves when its servers are ready. */
export async function startServers(cell: Cell): Promise<void> {
  await Promise.all(cell.servers.map((server) => server.startPatiently()))
  await untilReady(cell)
}

async function mustRun(stage: Pick<CellStage, 'command'>, args: readonly string[], at: Cell): Promise<void> {
  const { code, out, err } = await stage.command(args, at)
  if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}: ${out}${err}`)
}

/** What was started, in the order in which it is stopped. */
class Started {
  readonly #closers: (() => Promise<void>)[] = []

  add(close: () => Promise<void>): void {
    this.#closers.unshift(close)
  }

  async close(): Promise<void> {
    for (const close of this.#closers.splice(0)) await close()
  }
}

/** At once; when one fails, the others have ended too, so that all that was started can be stopped. */
async function together(works: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(works)
  await Promise.all(works)
}

/** The databases of all cells, as the directory knows them. */
async function makeCells(
  folder: string,
  started: Started,
  binaries: CellBinaries,
): Promise<readonly [Cell, Cell, Cell]> {
  const start = async (number: number) => {
    const postmaster = await startPostmaster(folder, number, binaries)
    started.add(() => postmaster.stop('immediate'))
    return postmaster
  }
  const starting = [start(0), start(1), start(2)] as const
  await Promise.allSettled(starting)
  const { serverUrl: directoryUrl } = await starting[0]
  const make = async (number: 0 | 1 | 2) => {
    const cell = await makeCell(folder, { number, postmaster: await starting[number], directoryUrl })
    started.add(async () => {
      await Promise.all(cell.servers.map((server) => server.kill()))
    })
    return cell
  }
  return [await make(0), await make(1), await make(2)]
}

async function openAll(folder: string, started: Started, binaries: CellBinaries): Promise<CellStage> {
  const cells = await makeCells(folder, started, binaries)
  const [directory, one, two] = cells
  const cellUrls = cells.map((cell) => `${cell.number}=${cell.postmaster.superuserUrl}`).join(',')
  const operatorEnv = { ...directory.env, CELL_URLS: cellUrls }
  const command: CellStage['command'] = (args, at = directory) =>
    runCommand(args, { ...operatorEnv, ...at.env })
  const add = ({ number }: Cell) => mustRun({ command }, ['cell', 'add', String(number)], directory)
  // An added cell waits for 8 s until every server knows of it: meanwhile those of the directory start.
  await together([add(one), add(two), startServers(directory)])
  await mustRun({ command }, ['cell', 'set', '0', 'full'], directory)
  const opening = openRouter({ folder, cells, env: directory.env })
  const routing = opening.then((opened) => started.add(() => opened.close()))
  await together([routing, startServers(one), startServers(two)])
  const router = await opening
  return {
    folder,
    directory,
    one,
    two,
    router,
    url: router.url,
    cell: (number) => cells[number] ?? directory,
    command,
    operatorEnv,
    close: () => started.close(),
  }
}

/** A directory, two cells with two servers each, and HAProxy in front. The folder is its creator's. */
export async function openCells(folder: string, binaries: CellBinaries = {}): Promise<CellStage> {
  const started = new Started()
  try {
    return await openAll(folder, started, binaries)
  } catch (error) {
    await started.close()
    throw error
  }
}
