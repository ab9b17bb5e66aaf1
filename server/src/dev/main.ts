import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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

async function database(
  state: State,
): Promise<{ urls: Record<string, string>; postgres: Postgres | undefined }> {
  const given = process.env['DATABASE_URL']
  if (given) return { urls: { DATABASE_URL: given }, postgres: undefined }
  const { password } = state
  const data = dataFolder(join(folder, 'postgres'))
  const postgres = await startPostgres({ binaries: embeddedBinaries(), folder: data, password })
  await makeRoles(postgres, password)
  await prepareDatabase(postgres, 'exchequer')
  const urls = {
    DATABASE_URL: postgres.url('exchequer', serverRole),
    DATABASE_OWNER_URL: postgres.url('exchequer', ownerRole),
  }
  return { urls, postgres }
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

const state = readState()
const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]).then(
  () => 'interrupted' as const,
)
const { urls, postgres } = await database(state)
let server: ChildProcess | undefined
try {
  const port = await choosePort()
  const url = `http://127.0.0.1:${port}`
  const { operatorToken: OPERATOR_TOKEN, keySecrets: KEY_SECRETS } = state
  const logLevel = process.env['LOG_LEVEL'] ?? 'warn'
  server = startServer({ ...urls, OPERATOR_TOKEN, KEY_SECRETS, PORT: String(port), LOG_LEVEL: logLevel })
  const ready = waitForServer(url).then(() => 'ready' as const)
  if ((await Promise.race([ready, interrupted])) === 'ready') {
    announce(url, await demoKey(state, url), OPERATOR_TOKEN)
    await interrupted
  }
} finally {
  await stop(server, postgres)
}
