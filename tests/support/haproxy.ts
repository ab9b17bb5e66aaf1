import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../server/src/dev/postgres.ts'

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url))
const read = (name: string): string => readFileSync(`${deploy}haproxy/${name}`, 'utf8')
const startWithinMs = 10_000

export type HaproxyOptions = {
  /** The addresses (host:port) of each cell's server processes. */
  readonly cells: readonly (readonly string[])[]
  /** The file of realms and cells; without one there is only cell 0. */
  readonly map?: string
  readonly basePath?: string
  /** Changes the configuration further. */
  readonly edit?: (config: string) => string
}

export type Haproxy = {
  readonly url: string
  /** Its runtime API. */
  readonly socket: string
  /** The process that answers now. */
  worker(): Promise<string>
  /** Returns when the process of a new configuration answers. */
  reload(): Promise<void>
  stop(): Promise<void>
}

/** Asks the runtime API. */
export async function askHaproxy(path: string, request: string): Promise<string> {
  const socket = connect(path)
  socket.setEncoding('utf8')
  socket.setTimeout(5_000, () => socket.destroy(new Error(`HAProxy did not answer ${request}`)))
  // The end of what is sent is also the end of the session.
  socket.end(`${request}\n`)
  let said = ''
  for await (const chunk of socket as AsyncIterable<string>) said += chunk
  return said
}

const serversOf = (cell: readonly string[]): string =>
  cell.map((address, index) => `  server exchequer${index + 1} ${address}\n`).join('')

/** deploy/haproxy as it is, with other addresses and paths. */
function configOf(folder: string, ports: readonly number[], options: HaproxyOptions): string {
  const [port, statusPort] = ports
  const [first = [], ...others] = options.cells
  const servers = /( {2}server .*\n)+/
  const base = read('haproxy.cfg')
    .replace(/^ {2}(user|group) haproxy\n/gm, '')
    .replace('group haproxy mode 660', 'mode 600')
    // Two open files for each, which not every machine permits.
    .replace('maxconn 10000', 'maxconn 2000')
    .replace('/run/haproxy/admin.sock', `${folder}/admin.sock`)
    .replaceAll('/etc/haproxy/errors', `${deploy}ha`)
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace('127.0.0.1:8404', `127.0.0.1:${statusPort}`)
    .replace(servers, serversOf(first))
  const cell = read('cells.cfg')
  const backends = others.map((one, index) =>
    cell.replace('cell_1', `cell_${index + 1}`).replace(servers, serversOf(one)),
  )
  return [base, ...backends].join('\n')
}

async function until(isDone: () => Promise<boolean>, child: ChildProcess): Promise<void> {
  for (const untilMs = Date.now() + startWithinMs; !(await isDone().catch(() => false)); await sleep(20))
    if (Date.now() > untilMs || child.exitCode !== null) throw new Error('HAProxy did not start')
}

/** A real HAProxy on loopback, with the configuration of deploy/haproxy: apt-get install haproxy */
export async function startHaproxy(options: HaproxyOptions): Promise<Haproxy> {
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-haproxy-'))
  chmodSync(folder, 0o755)
  const ports = [await freePort(), await freePort()]
  const file = join(folder, 'haproxy.cfg')
  const { edit = (config) => config, map, basePath } = options
  writeFileSync(file, edit(configOf(folder, ports, options)))
  const env = {
    PATH: `${process.env['PATH']}:/usr/sbin`,
    ...(map === undefined ? {} : { CELLS_MAP: map }),
    ...(basePath === undefined ? {} : { BASE_PATH: basePath }),
  }
  const socket = join(folder, 'admin.sock')
  const master = join(folder, 'master.sock')
  const args = ['-W', '-q', '-S', master, '-f', file]
  const child = spawn('haproxy', args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const exited = once(child, 'exit')
  const worker = async () => /^Pid: (\d+)$/m.exec(await askHaproxy(socket, 'show info'))?.[1] ?? ''
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await until(async () => (await worker()) !== '' && (await askHaproxy(master, 'show proc')) !== '', child)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: `http://127.0.0.1:${ports[0]}`,
    socket,
    worker,
    async reload() {
      const before = await worker()
      // The connection ends with the old process.
      await askHaproxy(master, 'reload').catch(() => {})
      await until(async () => (await worker()) !== before, child)
    },
    stop,
  }
}
