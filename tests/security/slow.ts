import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openSingle, type Single } from '../chaos/stage.ts'
import { makeRealm } from '../support/fixture.ts'
import { operatorToken } from '../support/process.ts'
import { scriptOptions } from '../support/scriptOptions.ts'
import { limitTime } from '../support/timeLimit.ts'
import { type AttackFigures, type Mode, modes, type Orders } from './slow/attacker.ts'
import { type HonestFigures, type Realm, work } from './slow/honest.ts'

/**
 * Holds thousands of slow connections of every kind, while honest clients work:
 * node tests/security/slow.ts [--seconds 60] [--connections 2000] [--only MODE]
 */
const given = scriptOptions({
  seconds: { type: 'string', default: '60' },
  connections: { type: 'string', default: '2000' },
  only: { type: 'string' },
})
const seconds = Number(given.seconds)
const connections = Number(given.connections)
const restSeconds = Math.min(15, seconds)
const memoryCapMb = 512
const attackerFile = fileURLToPath(new URL('slow/attacker.ts', import.meta.url))

type Attack = { readonly most: () => AttackFigures; readonly now: () => number; stop(): Promise<void> }

/** Starts the attacker; returns when it has had time to connect. */
async function startAttack(orders: Orders): Promise<Attack> {
  const child = fork(attackerFile, { execArgv: [] })
  let most: AttackFigures = { held: 0, opened: 0, answered: 0 }
  let held = 0
  child.on('message', (message) => {
    const latest = message as AttackFigures
    held = latest.held
    most = { ...latest, held: Math.max(latest.held, most.held) }
  })
  child.send(orders)
  await sleep(1_500)
  return {
    most: () => most,
    now: () => held,
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}

const ms = (value: number) => `${value.toFixed(1)} ms`
const figures = ({ p50Ms, p99Ms, count }: HonestFigures) => `p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)} of ${count}`

/** Measures before, during and after one attack; returns the problems. */
async function play(stage: Single, realm: Realm, mode: Mode): Promise<string[]> {
  const [server] = stage.servers
  if (!server) throw new Error('there is no server')
  const { url } = server
  console.log(`\n${mode}: ${modes[mode]}`)
  const before = await work(url, realm, restSeconds)
  console.log(`  before  ${figures(before)}`)
  const attack = await startAttack({ port: Number(new URL(url).port), mode, connections, realm })
  const during = await work(url, realm, seconds)
  const { held, opened, answered } = attack.most()
  const left = attack.now()
  await attack.stop()
  console.log(`  during  ${figures(during)}; ${(during.p99Ms / before.p99Ms).toFixed(2)} times the p99`)
  console.log(`          held ${held} at most and ${left} at the end, opened ${opened}, heard ${answered}`)
  const after = await work(url, realm, restSeconds)
  console.log(`  after   ${figures(after)}; most memory so far ${server.mostMb.toFixed(0)} MiB`)
  const failed = [before, during, after].flatMap((seen) => seen.failed)
  return [
    ...(during.p99Ms < 2 * before.p99Ms ? [] : ['p99 rose to more than twice its value']),
    ...(server.mostMb < memoryCapMb ? [] : [`more than ${memoryCapMb} MiB were used`]),
    ...(failed.length === 0 ? [] : [`${failed.length} honest requests failed: ${failed[0]}`]),
    ...(mode === 'reset' || held > connections * 0.5
      ? []
      : ['the attacker never connected: this run proves nothing']),
  ]
}

const named = Object.keys(modes) as Mode[]
const played = named.filter((mode) => given.only === undefined || mode === given.only)
limitTime({ what: 'tests/security/slow.ts', minutes: 5 + Math.ceil((played.length * (seconds + 60)) / 30) })
const folder = mkdtempSync(join(tmpdir(), 'exchequer-slow-'))
// PostgreSQL runs as another user where this runs as root.
chmodSync(folder, 0o755)
const stage = await openSingle({ folder })
let failed = 0
try {
  const access = { baseUrl: stage.urls[0] ?? '', token: operatorToken }
  const realm = await makeRealm(access, { unknownMembers: 'create' })
  // Warm up, so that one-off compiling and caching is not measured.
  await work(access.baseUrl, realm, Math.min(5, seconds))
  for (const mode of played) {
    const wrong = await play(stage, realm, mode)
    for (const what of wrong) console.log(`  WRONG   ${what}`)
    if (wrong.length > 0) failed += 1
  }
} finally {
  await stage.close()
  rmSync(folder, { recursive: true, force: true })
}
console.log(`\n${played.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
