import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  dataFolder,
  debianBinaries,
  embeddedBinaries,
  freePort,
  type Postgres,
  startPostgres,
} from '../../../server/src/dev/postgres.ts'
import {
  asSuperuser,
  makeRoles,
  ownerRole,
  prepareDatabase,
  serverRole,
} from '../../../server/src/dev/prepare.ts'
import { createCheckpointKey } from '../../../server/src/events/checkpoints/index.ts'
import { FakeChain } from '../../support/fakeChain.ts'
import { environment, runCommand } from '../../support/process.ts'
import { type Document, resolved } from './document.ts'
import type { Values } from './draft.ts'
import { furnish, invitedEmail } from './furnish.ts'
import { coin } from './world.ts'

const main = fileURLToPath(new URL('../../../server/src/main.ts', import.meta.url))
const startTimeoutMs = 20_000

/** A real server on a real PostgreSQL, with two realms and a yard in it. */
export type Stage = {
  readonly port: number
  readonly document: Document
  readonly values: Values
  /** `realm seq` of the entries that were written before the first request, except opening balances. */
  readonly entries: readonly string[]
  readonly superuserUrl: string
  /** The server's log so far. */
  log(): string
  isAlive(): boolean
  memoryMb(): number
  verify(): Promise<{ readonly ok: boolean; readonly said: string }>
  close(): Promise<void>
}

function startServer(env: Readonly<Record<string, string>>, log: string): ChildProcess {
  const file = openSync(log, 'a')
  return spawn(process.execPath, [main, 'serve'], { env, stdio: ['ignore', file, file] })
}

const isAlive = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null

async function untilListening(child: ChildProcess, log: string): Promise<void> {
  for (const deadlineMs = Date.now() + startTimeoutMs; ; await sleep(25)) {
    const said = readFileSync(log, 'utf8')
    if (said.includes('"listening"')) return
    if (!isAlive(child) || Date.now() > deadlineMs)
      throw new Error(`the server did not start: ${said.slice(-2_000)}`)
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (!isAlive(child)) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

function memoryMbOf(child: ChildProcess): number {
  if (!isAlive(child)) return 0
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024
}

type Undo = () => Promise<unknown>

/** Runs the clean-up steps in reverse order, when closed or when set-up fails. */
async function undoable<T>(make: (undo: Undo[]) => Promise<T>): Promise<T & { close(): Promise<void> }> {
  const undo: Undo[] = []
  const close = async () => {
    for (const step of undo.reverse()) await step()
    undo.length = 0
  }
  try {
    return { ...(await make(undo)), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** A PostgreSQL for one stage after another. */
export type Cluster = { readonly postgres: Postgres; close(): Promise<void> }

export const openCluster = (): Promise<Cluster> =>
  undoable(async (undo) => ({ postgres: await startCluster(undo) }))

async function startCluster(undo: Undo[]): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-fuzz-postgres-'))
  undo.push(() => rm(folder, { recursive: true, force: true }))
  const data = dataFolder(join(folder, 'data'))
  undo.push(() => rm(data, { recursive: true, force: true }))
  const password = randomBytes(12).toString('hex')
  const postgres = await startPostgres({
    binaries: debianBinaries() ?? embeddedBinaries(),
    folder: data,
    password,
    settings: { max_connections: '50' },
  })
  undo.push(() => postgres.stop('immediate'))
  await makeRoles(postgres, password)
  return postgres
}

export type StageOptions = {
  /** Additional environment of the server. */
  readonly env: Readonly<Record<string, string>>
  /** Creates its own when omitted. */
  readonly cluster?: Cluster | undefined
}

export const openStage = (options: StageOptions): Promise<Stage> => undoable((undo) => setUp(options, undo))

async function setUp({ env, cluster }: StageOptions, undo: Undo[]): Promise<Omit<Stage, 'close'>> {
  const postgres = cluster?.postgres ?? (await startCluster(undo))
  const database = `fuzz_${randomBytes(4).toString('hex')}`
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-fuzz-'))
  undo.push(() => rm(folder, { recursive: true, force: true }))
  await prepareDatabase(postgres, database)
  const urls = { serverUrl: postgres.url(database, serverRole), ownerUrl: postgres.url(database, ownerRole) }
  const port = await freePort()
  const log = join(folder, 'server.log')
  // A fake chain: every wallet holds the same amount of one token.
  const chain = await FakeChain.start()
  chain.amounts.set(coin, 5n)
  undo.push(async () => chain.close())
  const given = {
    PORT: String(port),
    LOG_LEVEL: 'trace',
    TRUSTED_PROXIES: '127.0.0.1',
    CHAINS: `${chain.id}=${chain.url}`,
    WEBHOOK_ALLOW: '127.0.0.0/8',
    OPERATOR_FEED: 'on',
    CHECKPOINT_KEY: createCheckpointKey('points.example.com')?.signer ?? '',
    ...env,
  }
  const child = startServer(environment(urls, given), log)
  undo.push(() => end(child))
  await untilListening(child, log)
  const url = `http://127.0.0.1:${port}`
  const { values, entries } = await furnish(url)
  // As if they had signed in at an OpenID provider, which is not available here.
  await asSuperuser(postgres.url(database), [
    `update exchequer.people set issuer = 'https://provider.example', subject = person::text
      where email = '${invitedEmail}'`,
  ])
  const document = resolved((await (await fetch(`${url}/openapi.json`)).json()) as Document)
  return {
    port,
    document,
    values,
    entries,
    superuserUrl: postgres.url(database),
    log: () => readFileSync(log, 'utf8'),
    isAlive: () => isAlive(child),
    memoryMb: () => memoryMbOf(child),
    async verify() {
      const { code, out, err } = await runCommand(['verify', '--full', '--hurry'], environment(urls))
      return { ok: code === 0, said: out + err }
    },
  }
}
