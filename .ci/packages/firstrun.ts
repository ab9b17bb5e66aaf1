import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from './fresh.ts'
import { npm, packAll } from './pack.ts'
import { startRegistry } from './registry.ts'

/**
 * npm run firstrun: in an empty folder, with an empty home and nothing but Node, npm and a shell, from
 * `npx exchequer dev` to the first award by the line that it prints.
 */
const aimS = 30
const patienceMs = 120_000

const which = (name: string): string =>
  realpathSync(execFileSync('which', [name], { encoding: 'utf8' }).trim())

type Place = { readonly folder: string; readonly project: string; readonly env: NodeJS.ProcessEnv }

/** A minimal environment, like that of a container. */
function makePlace(registry: string): Place {
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-firstrun-'))
  // PostgreSQL runs as another user when this runs as root.
  chmodSync(folder, 0o755)
  const [bin, home, project] = ['bin', 'home', 'project'].map((name) => join(folder, name))
  if (!bin || !home || !project) throw new Error('no folder')
  for (const one of [bin, home, project]) mkdirSync(one)
  const programs = { node: process.execPath, npm: which('npm'), npx: which('npx'), sh: which('sh') }
  for (const [name, file] of Object.entries(programs)) symlinkSync(file, join(bin, name))
  return { folder, project, env: { PATH: bin, HOME: home, npm_config_registry: registry } }
}

type Npx = { readonly child: ChildProcess; readonly said: () => string }

function startNpx({ project: cwd, env }: Place): Npx {
  // Its own process group, like a command run in a terminal.
  const child = spawn(`${env['PATH']}/npx`, ['exchequer', 'dev'], { cwd, env, detached: true })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk
      process.stdout.write(chunk)
    })
  return { child, said: () => text }
}

async function linesToTry({ child, said }: Npx): Promise<string[]> {
  for (const deadlineMs = Date.now() + patienceMs; !said().includes('start over'); await sleep(20)) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('npx exchequer dev ended')
    if (Date.now() > deadlineMs) throw new Error('npx exchequer dev was not ready in time')
  }
  return [...said().matchAll(/^ +# .+\n +(.+)$/gm)].map(([, line = '']) => line)
}

function tryLine(line: string, { project: cwd, env }: Place): Record<string, unknown> {
  const answer = execFileSync('sh', ['-c', line], { cwd, env, encoding: 'utf8' })
  console.log(`$ ${line}\n${answer.slice(0, 300)}`)
  const result = JSON.parse(answer) as Record<string, unknown>
  if ('code' in result) throw new Error(`refused: ${answer}`)
  return result
}

/** Processes that still run from this folder or in it. */
function leftIn(folder: string): string[] {
  const describeProcess = (pid: string): string => {
    try {
      return `${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8')} ${readlinkSync(`/proc/${pid}/cwd`)}`
    } catch {
      return ''
    }
  }
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(describeProcess).filter((text) => text.includes(folder))
}

async function stop({ child }: Npx): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || !child.pid) return
  const exited = once(child, 'exit')
  process.kill(-child.pid, 'SIGINT')
  const [code, signal] = (await exited) as [number | null, string | null]
  // npm reports the interrupt in one of these ways.
  if (code !== 0 && code !== 130 && signal !== 'SIGINT') throw new Error(`npx exited with ${code ?? signal}`)
}

const globals = (): string => readdirSync(npm(['root', '--global'], root).trim()).join(' ')

async function firstAward(npx: Npx, place: Place): Promise<number> {
  const startedMs = performance.now()
  const [read = '', award = '', board = ''] = await linesToTry(npx)
  const { newBalance } = tryLine(award, place)
  const seconds = (performance.now() - startedMs) / 1_000
  if (typeof newBalance !== 'number') throw new Error('the response to the award has no newBalance')
  tryLine(read, place)
  const { members } = tryLine(board, place)
  if (!Array.isArray(members) || members.length === 0) throw new Error('this week’s leaderboard is empty')
  return seconds
}

async function awardThenStop(npx: Npx, place: Place): Promise<number> {
  try {
    return await firstAward(npx, place)
  } finally {
    await stop(npx)
  }
}

async function run(place: Place): Promise<number> {
  const before = globals()
  const npx = startNpx(place)
  const seconds = await awardThenStop(npx, place)
  const left = leftIn(place.folder)
  if (left.length > 0) throw new Error(`still running: ${left.join('\n')}`)
  if (globals() !== before) throw new Error('something was installed globally')
  const made = readdirSync(place.project).join(' ')
  if (made !== '.data') throw new Error(`the folder contains ${made} instead of only .data`)
  return seconds
}

const tarballs = mkdtempSync(join(tmpdir(), 'exchequer-packed-'))
const registry = await startRegistry(packAll(tarballs))
const place = makePlace(registry.url)
try {
  const seconds = await run(place)
  console.log(`first award after ${seconds.toFixed(1)} s`)
  if (seconds > aimS) throw new Error(`the first award took more than ${aimS} s`)
} finally {
  registry.stop()
  for (const folder of [tarballs, place.folder]) rmSync(folder, { recursive: true, force: true })
}
