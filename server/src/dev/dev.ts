import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { announce } from './announce.ts'
import { consoleLink } from './consoleLink.ts'
import { openDemo } from './demo.ts'
import { DevError } from './devError.ts'
import { dataFolder, embeddedBinaries, freePort, type Postgres, startPostgres } from './postgres.ts'
import { makeRoles, ownerRole, prepareDatabase, serverRole } from './prepare.ts'
import { readState, type State, saveState, takeFolder } from './state.ts'

const usualPort = 8080
const startTimeoutMs = 30_000

const usage = `exchequer dev [--port <port>] [--database <url>] [--seed <text>]

PostgreSQL, a server and a demo realm, for trying things out; their data is in .data.

  --port      default: ${usualPort}, or a free port if it is in use
  --database  your own PostgreSQL: the schema exchequer is created in it
  --seed      for another demo realm; the same seed creates the same one`

export type DevOptions = {
  /** The `import.meta.url` of the package that PostgreSQL's package was installed with. */
  readonly home: string
  readonly folder?: string
  /** Restarts the server when a source file changes. */
  readonly watch?: boolean
}

type Asked = { readonly port?: string; readonly database?: string; readonly seed?: string }

/** Runs PostgreSQL, the server and a demo realm, until it is stopped. */
export async function dev(args: readonly string[], options: DevOptions): Promise<number> {
  const running: Running = {}
  const stopping = untilStopped()
  try {
    const asked = readArgs(args)
    if (asked === undefined) return 0
    await run(asked, { folder: resolve('.data'), watch: false, ...options }, { running, stopping })
    return 0
  } catch (error) {
    // Ctrl-C reaches every process in the terminal, and one of them may fail before this one handles it.
    if (stopping.aborted) return 0
    const isExpected =
      error instanceof DevError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')
    console.error(isExpected ? (error as Error).message : error)
    return 1
  } finally {
    await stop(running)
  }
}

function readArgs(args: readonly string[]): Asked | undefined {
  const text = { type: 'string' } as const
  const options = { port: text, database: text, seed: text, help: { type: 'boolean', short: 'h' } } as const
  const { values } = parseArgs({ args: [...args], options })
  if (values.help) console.log(usage)
  return values.help ? undefined : values
}

/** The listeners stay: a Ctrl-C arrives from the terminal, and again from npx. */
function untilStopped(): AbortSignal {
  const stopped = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopped.abort())
  return stopped.signal
}

type Running = { server?: ChildProcess; postgres?: Postgres | undefined; leave?: () => void }
type Run = { readonly running: Running; readonly stopping: AbortSignal }

async function run(asked: Asked, options: Required<DevOptions>, { running, stopping }: Run): Promise<void> {
  const { folder } = options
  running.leave = takeFolder(folder)
  const port = await choosePort(asked.port ?? process.env['PORT'])
  const state = readState(folder, asked.seed ?? 'exchequer')
  running.postgres = asked.database === undefined ? await startOwn(state, options) : undefined
  if (stopping.aborted) return
  const url = `http://127.0.0.1:${port}`
  const urls = await urlsOf(running.postgres, state, asked)
  const server = startServer(
    {
      ...urls,
      OPERATOR_TOKEN: state.operatorToken,
      KEY_SECRETS: state.keySecrets,
      HOST: '127.0.0.1',
      PORT: port,
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
    },
    options,
  )
  running.server = server
  const ended = Promise.race([once(server, 'exit'), aborted(stopping)])
  await Promise.race([waitForServer(url, stopping), ended])
  failed(server)
  if (stopping.aborted) return
  const key = await openDemo({ url, token: state.operatorToken, databaseUrl: urls.DATABASE_URL, ...state })
  saveState(folder, { ...state, key })
  const console = await consoleLink(url, state.operatorToken)
  announce({ url, key, token: state.operatorToken, console, folder })
  await ended
  failed(server)
}

function failed(server: ChildProcess): void {
  if (server.exitCode !== null) throw new DevError('The server stopped. See its output above.')
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}

async function isFree(port: number): Promise<boolean> {
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new DevError('A port is a whole number from 1 to 65535.')
  const server = createServer()
  const free = await new Promise<boolean>((answer) => {
    server.once('error', () => answer(false))
    server.listen(port, '127.0.0.1', () => answer(true))
  })
  if (free) {
    server.close()
    await once(server, 'close')
  }
  return free
}

async function choosePort(asked: string | undefined): Promise<string> {
  if (asked === undefined) return String((await isFree(usualPort)) ? usualPort : await freePort())
  if (await isFree(Number(asked))) return asked
  throw new DevError(`Port ${asked} is taken. Choose another with --port, or omit it.`)
}

/** The PostgreSQL that npm installed. */
async function startOwn({ password }: State, { folder, home }: Required<DevOptions>): Promise<Postgres> {
  const binaries = embeddedBinaries(home)
  return startPostgres({ binaries, folder: dataFolder(join(folder, 'postgres')), password })
}

type Urls = { readonly DATABASE_URL: string; readonly DATABASE_OWNER_URL: string }

async function urlsOf(postgres: Postgres | undefined, { password }: State, asked: Asked): Promise<Urls> {
  if (!postgres) return { DATABASE_URL: asked.database ?? '', DATABASE_OWNER_URL: '' }
  await makeRoles(postgres, password)
  await prepareDatabase(postgres, 'exchequer')
  return {
    DATABASE_URL: postgres.url('exchequer', serverRole),
    DATABASE_OWNER_URL: postgres.url('exchequer', ownerRole),
  }
}

function startServer(env: Readonly<Record<string, string>>, { watch }: Required<DevOptions>): ChildProcess {
  // In the form it has here: from source, or built.
  const main = new URL(import.meta.url.endsWith('.ts') ? '../main.ts' : '../main.js', import.meta.url)
  const flags = watch ? ['--watch', '--watch-preserve-output'] : []
  return spawn(process.execPath, [...flags, fileURLToPath(main), 'serve'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    // In its own process group: we handle Ctrl-C, and stop the server before its database.
    detached: true,
  })
}

async function waitForServer(url: string, stopping: AbortSignal): Promise<void> {
  const deadlineMs = Date.now() + startTimeoutMs
  while (Date.now() < deadlineMs && !stopping.aborted) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.status === 200) return
    await sleep(50)
  }
  if (!stopping.aborted)
    throw new DevError(`The server is not ready after ${startTimeoutMs / 1_000} seconds.`)
}

async function stop({ server, postgres, leave }: Running): Promise<void> {
  if (server?.pid && server.exitCode === null && server.signalCode === null) {
    const exited = once(server, 'exit')
    // The group: the server, and the watcher if there is one.
    process.kill(process.platform === 'win32' ? server.pid : -server.pid, 'SIGTERM')
    await exited
  }
  await postgres?.stop()
  leave?.()
}
