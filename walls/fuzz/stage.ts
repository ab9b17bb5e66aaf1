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
  startPostgres,
} from '../../server/src/dev/postgres.ts'
import { makeRoles, ownerRole, prepareDatabase, serverRole } from '../../server/src/dev/prepare.ts'
import { scopes } from '../../server/src/keys/keys.ts'
import { environment, operatorToken, runCommand } from '../../server/test/support/process.ts'
import type { Document } from './document.ts'
import type { Secrets } from './draft.ts'
import { memberIds, openingPoints, passersBy, type RealmName, realms, yard } from './world.ts'

const main = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url))
const startTimeoutMs = 20_000

/** A real server on a real PostgreSQL, with two realms and a yard in it. */
export type Stage = {
  readonly port: number
  readonly document: Document
  readonly secrets: Secrets
  readonly superuserUrl: string
  /** All that the server has said, so far. */
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

/** `env` is for the server, beside what it needs. */
export async function openStage(env: Readonly<Record<string, string>>): Promise<Stage> {
  const undo: Undo[] = []
  const close = async () => {
    for (const step of undo.reverse()) await step()
    undo.length = 0
  }
  try {
    return { ...(await setUp(env, undo)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function setUp(env: Readonly<Record<string, string>>, undo: Undo[]): Promise<Omit<Stage, 'close'>> {
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-fuzz-'))
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
  await prepareDatabase(postgres, 'fuzz')
  const urls = { serverUrl: postgres.url('fuzz', serverRole), ownerUrl: postgres.url('fuzz', ownerRole) }
  const port = await freePort()
  const log = join(folder, 'server.log')
  const given = { PORT: String(port), LOG_LEVEL: 'trace', TRUSTED_PROXIES: '127.0.0.1', ...env }
  const child = startServer(environment(urls, given), log)
  undo.push(() => end(child))
  await untilListening(child, log)
  const url = `http://127.0.0.1:${port}`
  const secrets = await furnish(url)
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document
  return {
    port,
    document,
    secrets,
    superuserUrl: postgres.url('fuzz'),
    log: () => readFileSync(log, 'utf8'),
    isAlive: () => isAlive(child),
    memoryMb: () => memoryMbOf(child),
    async verify() {
      const { code, out, err } = await runCommand(['verify', '--hurry'], environment(urls))
      return { ok: code === 0, said: out + err }
    },
  }
}

type Ask = (line: string, body?: object) => Promise<Record<string, string>>

function asker(url: string, key: string): Ask {
  return async (line, body) => {
    const [method = '', path = ''] = line.split(' ')
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const got = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    const text = await got.text()
    if (got.status !== 200) throw new Error(`${line} was answered ${got.status}: ${text}`)
    return JSON.parse(text)
  }
}

/** Makes the realms as an operator would; returns what must never be told. */
async function furnish(url: string): Promise<Secrets> {
  const ask = asker(`${url}/operator/v1/realms`, operatorToken)
  await ask('POST ', { id: yard, point: { id: 'yardgold' } })
  const own = await furnishRealm(url, 'amber')
  const other = await furnishRealm(url, 'beryl')
  const { key: canary = '' } = await ask(`POST /${realms.amber.id}/keys`, { name: 'canary' })
  const { key: revoked = '', id } = await ask(`POST /${realms.amber.id}/keys`, { name: 'revoked' })
  await ask(`DELETE /${realms.amber.id}/keys/${id}`)
  return { own, other, canary, revoked, operator: operatorToken }
}

async function furnishRealm(url: string, name: RealmName): Promise<string> {
  const { id, point, names, wallet, vault, unknownMembers } = realms[name]
  const [username = '', displayName = ''] = names
  const ask = asker(`${url}/operator/v1/realms`, operatorToken)
  await ask('POST ', { id, name: `${displayName}s`, unknownMembers, point: { id: point } })
  await ask(`POST /${id}/points`, { id: 'silver' })
  const members = [...memberIds, ...passersBy, vault.id].map((member) => ({
    id: member,
    username,
    displayName,
  }))
  await ask(`POST /${id}/members`, { members })
  await ask(`POST /${id}/members/${memberIds[0]}/wallets`, { address: wallet })
  const { key = '' } = await ask(`POST /${id}/keys`, { name: 'own', scopes })
  const pay = asker(`${url}/api/v4/realms/${id}/members`, key)
  for (const member of memberIds) await pay(`PATCH /${member}/tokenBalance`, { tokens: openingPoints })
  await pay(`PATCH /${vault.id}/tokenBalance`, { tokens: vault.points })
  return key
}
