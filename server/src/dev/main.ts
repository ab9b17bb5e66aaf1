import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { demoMembers, demoRealm, makeDemo } from './demo.ts'
import { dataFolder, embeddedBinaries, freePort, type Postgres, startPostgres } from './postgres.ts'
import { makeRoles, ownerRole, prepareDatabase, serverRole } from './prepare.ts'

/** npm run dev: PostgreSQL, the server, a demo realm, and a restart whenever a source file changes. */

const project = fileURLToPath(new URL('../../../', import.meta.url))
const folder = join(project, '.data')
const main = fileURLToPath(new URL('../main.ts', import.meta.url))
const usualPort = 8080
const startTimeoutMs = 30_000

type State = { password: string; operatorToken: string; keySecrets: string; key?: string }

/** What a second run needs of the first one: its data is of no use without its secrets. */
function readState(): State {
  const file = join(folder, 'dev.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  // Data without its secrets is of no use, and may lie outside of the folder that was deleted.
  rmSync(dataFolder(join(folder, 'postgres')), { recursive: true, force: true })
  const random = () => randomBytes(24).toString('hex')
  const state = { password: random(), operatorToken: random(), keySecrets: `dev:${random()}` }
  saveState(state)
  return state
}

function saveState(state: State): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'dev.json'), JSON.stringify(state, null, 2), { mode: 0o600 })
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const free = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  if (free) {
    server.close()
    await once(server, 'close')
  }
  return free
}

async function choosePort(): Promise<number> {
  const asked = process.env['PORT']
  if (asked) return Number(asked)
  return (await isFree(usualPort)) ? usualPort : freePort()
}

/** The PostgreSQL that npm brings, unless DATABASE_URL names another. */
async function startDatabase(password: string): Promise<Postgres | undefined> {
  if (process.env['DATABASE_URL']) return undefined
  const data = dataFolder(join(folder, 'postgres'))
  return startPostgres({ binaries: embeddedBinaries(), folder: data, password })
}

async function urlsOf(postgres: Postgres | undefined, password: string): Promise<Record<string, string>> {
  if (!postgres) return {}
  await makeRoles(postgres, password)
  await prepareDatabase(postgres, 'exchequer')
  return {
    DATABASE_URL: postgres.url('exchequer', serverRole),
    DATABASE_OWNER_URL: postgres.url('exchequer', ownerRole),
  }
}

function startServer(env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ['--watch', '--watch-preserve-output', main, 'serve'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  })
}

async function waitForServer(url: string): Promise<void> {
  const deadlineMs = Date.now() + startTimeoutMs
  while (Date.now() < deadlineMs) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.status === 200) return
    await sleep(50)
  }
  throw new Error('the server did not become ready')
}

/** The key of an earlier run when it still opens the demo, else a new one. */
async function demoKey(state: State, url: string): Promise<string> {
  const authorization = `Bearer ${state.key}`
  const at = `${url}/api/v4/realms/${demoRealm}/members/${demoMembers[0].id}`
  if (state.key && (await fetch(at, { headers: { authorization } })).status === 200) return state.key
  const key = await makeDemo({ url, token: state.operatorToken })
  saveState({ ...state, key })
  return key
}

function announce(url: string, key: string, token: string): void {
  const variables = { URL: url, REALM: demoRealm, KEY: key, TOKEN: token }
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(join(folder, 'demo.env'), lines.join(''), { mode: 0o600 })
  console.log(`
Exchequer is running.

  server    ${url}
  reference ${url}/docs
  realm     ${demoRealm}
  key       ${key}

Try it:

  curl ${url}/api/v4/realms/${demoRealm}/members/${demoMembers[0].id} -H "Authorization: Bearer ${key}"

In another terminal, ". .data/demo.env" gives you URL, REALM, KEY and TOKEN (the operator's) as variables.
Ctrl-C stops the server and its database. Delete .data to begin anew.
`)
}

async function stop(server: ChildProcess | undefined, postgres: Postgres | undefined): Promise<void> {
  if (server?.pid && server.exitCode === null) {
    const exited = once(server, 'exit')
    // The group: the watcher and the server it watches.
    process.kill(-server.pid, 'SIGTERM')
    await exited
  }
  await postgres?.stop()
}

async function run(
  state: State,
  running: { server?: ChildProcess; postgres?: Postgres | undefined },
): Promise<void> {
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]).then(
    () => 'stopped' as const,
  )
  running.postgres = await startDatabase(state.password)
  const port = await choosePort()
  const url = `http://127.0.0.1:${port}`
  running.server = startServer({
    ...(await urlsOf(running.postgres, state.password)),
    OPERATOR_TOKEN: state.operatorToken,
    KEY_SECRETS: state.keySecrets,
    PORT: String(port),
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
  })
  const ready = waitForServer(url).then(() => 'ready' as const)
  if ((await Promise.race([ready, stopped])) === 'stopped') return
  announce(url, await demoKey(state, url), state.operatorToken)
  await stopped
}

const running: { server?: ChildProcess; postgres?: Postgres | undefined } = {}
try {
  await run(readState(), running)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await stop(running.server, running.postgres)
}
