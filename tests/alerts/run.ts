import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scriptOptions } from '../support/scriptOptions.ts'
import { limitTime } from '../support/timeLimit.ts'
import { DetailedChecks } from './detailed.ts'
import { checkLive } from './live.ts'
import { checkRunbooks } from './runbooks.ts'
import { checkCases, checkPlanted } from './unit.ts'

/**
 * npm run alerts [-- --quick] [-- --only TEXT]: every alert on its cause and on a normal day, by promtool;
 * some fired by a real server, PostgreSQL and Prometheus; and the commands of every runbook. Quick leaves out
 * those that take minutes. --only cases, runbooks or live.
 */
const { quick = false, only } = scriptOptions({ quick: { type: 'boolean' }, only: { type: 'string' } })
limitTime({ what: 'npm run alerts', minutes: quick ? 5 : 15 })

const isMissing = (program: string): boolean => spawnSync('which', [program]).status !== 0

/** As the other programs that CI installs from Debian. */
function install(): void {
  if (!['prometheus', 'promtool', 'psql', 'curl'].some(isMissing)) return
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
    const packages = ['prometheus', 'postgresql-client', 'curl']
    spawnSync('apt-get', ['update', '-qq'], { env })
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env })
  }
  if (['prometheus', 'promtool', 'psql', 'curl'].some(isMissing))
    throw new Error('not installed: apt-get install prometheus postgresql-client curl')
}

install()
const checks = new DetailedChecks()
const folder = mkdtempSync(join(tmpdir(), 'exchequer-alerts-'))
await chmod(folder, 0o755)
const live = join(folder, 'live')
mkdirSync(live)
await chmod(live, 0o755)
const parts: readonly (readonly [string, () => Promise<void>])[] = [
  ['cases', () => checkCases(folder, checks)],
  ['cases, planted', () => checkPlanted(folder, checks)],
  ['runbooks', async () => checkRunbooks(checks)],
  ['live', () => checkLive(live, checks, !quick)],
]
try {
  // Side by side: the live one mostly waits.
  await Promise.all(
    parts.filter(([name]) => only === undefined || name.includes(only)).map(([, part]) => part()),
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(`\n${checks.passed} passed, ${checks.failed} failed`)
if (checks.failed > 0) process.exitCode = 1
