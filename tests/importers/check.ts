import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { exits } from '../../cli/src/exits.ts'
import type { ImporterName } from '../../cli/src/importers/sources.ts'
import type { Stage } from '../chaos/stage.ts'
import type { Checks } from '../security/checks.ts'
import { makeRealm, managerKey } from '../support/fixture.ts'
import { operatorToken } from '../support/process.ts'
import { checkDeadline } from '../support/timeLimit.ts'
import { type Crowd, crowdOf, tableOf } from './crowd.ts'
import { type JudgedRealm, judge, readLedger } from './judge.ts'
import { Killer } from './killer.ts'
import { places, StandIn, token } from './standIn.ts'

const main = fileURLToPath(new URL('../../cli/dist/main.js', import.meta.url))
export type Checking = {
  readonly name: ImporterName
  readonly count: number
  /** Where the command runs, which stores there what it has read. */
  readonly folder: string
  /** The part of the import that is on its way when the command is killed. */
  readonly killedPart: number
  readonly stage: Stage
  readonly checks: Checks
}

type Run = {
  readonly child: ChildProcess
  readonly ended: Promise<{ code: number | null; out: string; err: string }>
}

function start(args: readonly string[], env: Record<string, string>, cwd: string): Run {
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = { out: '', err: '' }
  child.stdout?.on('data', (chunk: Buffer) => {
    texts.out += String(chunk)
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    texts.err += String(chunk)
  })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...texts }))
  return { child, ended }
}

/** One importer, from a killed run to a third one that has nothing to do. */
export async function checkImporter(checking: Checking): Promise<string> {
  const { name, count, stage } = checking
  const baseUrl = stage.urls[0] ?? ''
  const access = { baseUrl, token: operatorToken }
  const { id } = await makeRealm(access, { id: `from-${name}`, point: { id: 'gold' } })
  const realm: JudgedRealm = { baseUrl, id, key: await managerKey(access, id) }
  const killer = new Killer(baseUrl)
  await killer.start()
  const env = {
    EXCHEQUER_URL: killer.url,
    EXCHEQUER_REALM: id,
    EXCHEQUER_KEY: realm.key,
    EXCHEQUER_FROM_TOKEN: token,
  }
  const part: Part = { ...checking, realm, killer, env, crowd: crowdOf(name, count) }
  try {
    return await (name === 'csv' ? checkTable(part) : checkService(part, name))
  } finally {
    killer.close()
  }
}

type Part = Checking & {
  readonly realm: JudgedRealm
  readonly killer: Killer
  readonly env: Record<string, string>
  readonly crowd: Crowd
}

async function checkTable(part: Part): Promise<string> {
  const { folder, crowd, env } = part
  const file = join(folder, 'levels.csv')
  writeFileSync(file, tableOf(crowd))
  const run = (...more: string[]) => start(['import', '--from', 'csv', file, '--yes', ...more], env, folder)
  const killed = await killWhileImporting(part, run)
  await finish({ ...part, run })
  return killed
}

async function checkService(part: Part, name: Exclude<ImporterName, 'csv'>): Promise<string> {
  const { folder, checks, crowd, env } = part
  const standIn = new StandIn(name, crowd.members)
  await standIn.start()
  const place = name === 'streamelements' ? places.channel : places.server
  const args = ['import', '--from', name, place, '--base-url', standIn.url, '--yes']
  const run = (...more: string[]) => start([...args, ...more], env, folder)
  try {
    await killWhileReading(part, { standIn, run })
    const killed = await killWhileImporting(part, run)
    checks.check(unfinishedIn(folder).length === 1, `${name}: the killed run has stored what it read`)
    // Everyone earns a point: the second run must continue with what the killed one has read.
    standIn.members = crowd.members.map((one) =>
      /^\d{1,15}$/.test(one.points) ? { ...one, points: String(BigInt(one.points) + 1n) } : one,
    )
    const again = () => {
      standIn.members = crowd.members
    }
    await finish({ ...part, run, again })
    const { pages, limits, failures } = standIn.answered
    checks.check(limits > 0 && failures > 0, `${name}: the stand-in limited rates and failed`)
    return `${killed}; the stand-in sent ${pages} pages, ${limits} limits, ${failures} failures`
  } finally {
    standIn.close()
  }
}

const unfinishedIn = (folder: string): string[] =>
  readdirSync(folder).filter((file) => file.startsWith('exchequer-import-'))

type Starter = (...more: string[]) => Run

async function killWhileReading(
  { name, folder, checks, realm }: Part,
  { standIn, run }: { readonly standIn: StandIn; readonly run: Starter },
): Promise<void> {
  const { child, ended } = run()
  standIn.onRequest = (count) => {
    if (count === 4) child.kill('SIGKILL')
  }
  await ended
  standIn.onRequest = () => {}
  checks.check(child.signalCode === 'SIGKILL', `${name}: killed while it read`)
  const { entries, sums } = await readLedger(realm)
  checks.check(entries === 0 && sums.size === 0, `${name}: nothing was written while it read`)
  checks.check(unfinishedIn(folder).length === 0, `${name}: nothing was stored while it read`)
}

async function killWhileImporting(
  { name, count, killer, killedPart, checks, realm }: Part,
  run: Starter,
): Promise<string> {
  let entries = 0
  // Killed so early that nothing was written, as on a busy machine, it is killed once more.
  for (let kills = 0; entries === 0 && kills < 5; kills += 1) {
    const { child, ended } = run()
    killer.killAt(killedPart, () => child.kill('SIGKILL'))
    await ended
    if (child.signalCode !== 'SIGKILL') continue
    // The server may still write the part that it has received.
    const deadlineMs = performance.now() + 60_000
    while (killer.isBusy) {
      checkDeadline(deadlineMs, 'the end of the killed request')
      await sleep(20)
    }
    entries = (await readLedger(realm)).entries
  }
  checks.check(
    entries > 0 && entries < count * 0.95,
    `${name}: killed half way: ${entries} entries of ${count}`,
  )
  return `killed after ${entries} entries`
}

/** Runs it to its end: again when the server could not be reached, as on a busy machine. */
async function toItsEnd(run: Starter): Run['ended'] {
  for (let runs = 1; ; runs += 1) {
    const result = await run('--json').ended
    if (result.code !== exits.unreachable.code || runs === 10) return result
  }
}

type Finishing = Part & {
  readonly run: Starter
  /** Gives the service back what it had. */
  readonly again?: () => void
}

/** The run after the killed one, and one that has nothing to do. */
async function finish({ name, folder, checks, realm, crowd, run, again }: Finishing): Promise<void> {
  const { expected, problems, roundedDown } = crowd
  const second = await toItsEnd(run)
  checks.check(second.code === 0, `${name}: the second run: ${second.err}`)
  await judge(checks, realm, { expected, what: `${name}, after the second run` })
  checks.check(unfinishedIn(folder).length === 0, `${name}: the second run removed what was stored`)
  if (again) {
    const changed = await toItsEnd(run)
    checks.check(changed.code === 1, `${name}: changed points are refused: ${changed.code} ${changed.err}`)
    await judge(checks, realm, { expected, what: `${name}, after the refused run` })
    again()
  }
  const third = await toItsEnd(run)
  checks.check(third.code === 0, `${name}: the third run: ${third.err}`)
  const answer = JSON.parse(third.out || '{}')
  checks.check(answer.openings?.made === 0, `${name}: the third run adds nothing`)
  checks.check(answer.members?.created === 0, `${name}: the third run creates no member`)
  checks.check(answer.problemCount === problems, `${name}: ${answer.problemCount} problems of ${problems}`)
  checks.check(
    answer.roundedDown === roundedDown,
    `${name}: ${answer.roundedDown} of ${roundedDown} rounded down`,
  )
  checks.check(answer.read?.members === expected.size, `${name}: ${answer.read?.members} members were read`)
  const sum = [...expected.values()].reduce((all, points) => all + points, 0n)
  checks.check(answer.read?.points === String(sum), `${name}: ${answer.read?.points} points of ${sum}`)
  const said = [second, third].map(({ out, err }) => out + err).join('')
  checks.check(!said.includes(token), `${name}: the token is in no output`)
  await judge(checks, realm, { expected, what: `${name}, after the third run` })
}
