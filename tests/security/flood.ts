import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Server } from '../chaos/server.ts'
import { openSingle, type Single } from '../chaos/stage.ts'
import { makeRealm, operator } from '../support/fixture.ts'
import { asRealm } from '../support/operator.ts'
import { operatorToken } from '../support/process.ts'
import { scriptOptions } from '../support/scriptOptions.ts'
import { limitTime } from '../support/timeLimit.ts'
import { Checks } from './checks.ts'
import { type Mode, modes, type Orders, type Report } from './flood/attacker.ts'
import { type HonestFigures, type Realm, seenOf, work } from './slow/honest.ts'

/**
 * How far one key, or an anonymous client, degrades service for others: memory by unread responses, time by
 * long lists, the database by unknown keys. --untimed compares no times, for busy machines.
 * node tests/security/flood.ts [--seconds 15] [--only lists,unknown,readers] [--untimed]
 */
const given = scriptOptions({
  seconds: { type: 'string', default: '15' },
  only: { type: 'string' },
  untimed: { type: 'boolean', default: false },
})
const seconds = Number(given.seconds)
const restMs = 1_500
const memoryCapMb = 512
const entries = 1_000
const attackerFile = fileURLToPath(new URL('flood/attacker.ts', import.meta.url))
const checks = new Checks()

type Access = { readonly baseUrl: string; readonly token: string }

const figures = ({ p50Ms, p99Ms, writeP50Ms, count, failed }: HonestFigures) =>
  `p50 ${p50Ms.toFixed(1)} ms, of writes ${writeP50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms ` +
  `of ${count}, ${failed.length} failed`

/** Measures honest clients during an attack. */
async function under(
  mode: Mode,
  url: string,
  { honest, evil }: { honest: Realm; evil: Realm },
): Promise<HonestFigures> {
  const child = fork(attackerFile, { execArgv: [] })
  let report: Report = { sent: 0, statuses: {} }
  child.on('message', (message) => {
    report = message as Report
  })
  child.send({ port: Number(new URL(url).port), mode, realm: evil } satisfies Orders)
  await sleep(restMs)
  const seen = await work(url, honest, seconds)
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
  console.log(`  ${mode}: ${figures(seen)}; sent ${report.sent}, ${JSON.stringify(report.statuses)}`)
  checks.check(report.sent > 0, `${mode}: the attacker sent nothing`)
  checks.check(seen.failed.length === 0, `${mode}: honest requests failed: ${seen.failed[0]}`)
  return seen
}

async function quiet(url: string, honest: Realm): Promise<HonestFigures> {
  await sleep(restMs)
  const seen = await work(url, honest, seconds)
  console.log(`  quiet: ${figures(seen)}`)
  return seen
}

type Compared = { readonly calm: HonestFigures; readonly flooded: HonestFigures }

/** Honest clients before and after an attack, and during it: other load on the machine varies over time. */
async function compare(mode: Mode, url: string, of: { honest: Realm; evil: Realm }): Promise<Compared> {
  if (given.untimed) return { calm: seenOf([], []), flooded: await under(mode, url, of) }
  const before = await quiet(url, of.honest)
  const flooded = await under(mode, url, of)
  const after = await quiet(url, of.honest)
  const calm = seenOf([...before.samples, ...after.samples], [...before.failed, ...after.failed])
  checks.check(calm.failed.length === 0, `honest requests failed without a flood: ${calm.failed[0]}`)
  return { calm, flooded }
}

function mustBeWithin(figure: number, bound: number, words: string): void {
  if (!given.untimed) checks.atMost(figure, bound, words)
}

/** Entries with the longest text allowed. */
async function fill(url: string, realm: Realm): Promise<void> {
  const coins = (count: number) => '\u{1F4B0}'.repeat(count)
  const metadata = { x: 'y'.repeat(2_000) }
  const body = { tokens: 1, reason: coins(500), reference: coins(255), metadata }
  for (let done = 0; done < entries; done += 50) {
    const one = (place: number) => asRealm(url, realm, { line: `PATCH /members/${place}/tokenBalance`, body })
    await Promise.all(Array.from({ length: 50 }, (_, place) => one(place + 1)))
  }
}

async function keyOf(access: Access, realm: Realm, scopes: readonly string[]): Promise<Realm> {
  const issued = await operator(access, 'POST', { path: `/realms/${realm.id}/keys`, body: { scopes } })
  return { id: realm.id, key: (issued as { key: string }).key }
}

async function play(stage: Single): Promise<void> {
  const [server] = stage.servers
  if (!server) throw new Error('there is no server')
  const { url } = server
  const access = { baseUrl: url, token: operatorToken }
  const honest = await makeRealm(access, { unknownMembers: 'create' })
  const other = await makeRealm(access, { unknownMembers: 'create' })
  await fill(url, other)
  const reader = await keyOf(access, other, ['journal:read'])
  const writer = await keyOf(access, other, ['points:write'])
  // Warm up, so that one-off compiling and caching is not measured.
  await work(url, honest, 5)

  for (const name of given.only?.split(',') ?? Object.keys(floods)) {
    const flood = floods[name]
    if (!flood) throw new Error(`unknown flood ${name}; expected one of ${Object.keys(floods).join(', ')}`)
    await flood({ server, honest, reader, writer })
  }
}

type Scene = {
  readonly server: Server
  readonly honest: Realm
  /** Keys of one other realm. */
  readonly reader: Realm
  readonly writer: Realm
}

const floods: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  async lists({ server: { url }, honest, writer }) {
    console.log(modes.lists)
    const { calm, flooded } = await compare('lists', url, { honest, evil: writer })
    mustBeWithin(flooded.writeP50Ms, 1.5 * calm.writeP50Ms, 'p50 of writes in ms')
  },

  async unknown({ server: { url }, honest, reader }) {
    console.log(`${modes.unknown}; ${modes.malformed}`)
    const malformed = await under('malformed', url, { honest, evil: reader })
    await sleep(2_000)
    const unknown = await under('unknown', url, { honest, evil: reader })
    mustBeWithin(unknown.p50Ms, 1.5 * malformed.p50Ms, 'p50 in ms')
  },

  async readers({ server, honest, reader }) {
    console.log(modes.readers)
    const { calm, flooded } = await compare('readers', server.url, { honest, evil: reader })
    mustBeWithin(flooded.p99Ms, 2 * calm.p99Ms, 'p99 in ms')
    checks.atMost(server.mostMb, memoryCapMb, 'most memory in MiB')
  },
}

limitTime({ what: 'tests/security/flood.ts', minutes: 3 + Math.ceil(seconds / 5) })
const folder = mkdtempSync(join(tmpdir(), 'exchequer-flood-'))
// PostgreSQL runs as another user where this runs as root.
chmodSync(folder, 0o755)
const stage = await openSingle({ folder })
try {
  await play(stage)
} finally {
  await stage.close()
  rmSync(folder, { recursive: true, force: true })
}
console.log(`\n${checks.passed} passed, ${checks.failed} failed`)
process.exitCode = checks.failed === 0 ? 0 : 1
