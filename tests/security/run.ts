import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openSingle, type Single } from '../chaos/stage.ts'
import { limitTime } from '../support/timeLimit.ts'
import { Checks } from './checks.ts'
import { checkRevocation } from './revoke.ts'
import { checkScopes } from './scopes.ts'
import { checkTable } from './table.ts'

/**
 * npm run security [-- --quick]: security tests on real processes: no key, wrong keys, overload. Quick runs
 * without the checks of times, which need a quiet machine.
 */
const quick = process.argv.includes('--quick')
limitTime({ what: 'npm run security', minutes: quick ? 15 : 30 })
const checks = new Checks()

const parts: readonly (readonly [string, (stage: Single) => Promise<void>])[] = [
  ['every route, with every wrong key', (stage) => checkTable(stage.servers[0]?.url ?? '', checks)],
  ['every GET, with each scope alone', (stage) => checkScopes(stage.servers[0]?.url ?? '', checks)],
  ['a revocation, under load on two processes', (stage) => checkRevocation(stage, checks)],
]

/** Separate programs, which end with the number of passed and failed checks. */
const untimed: readonly (readonly [string, readonly string[]])[] = [
  [
    'the memory that slow readers and unread exports of one key take',
    ['flood.ts', '--only', 'readers', '--seconds', '10', '--untimed'],
  ],
]
const measured: readonly (readonly [string, readonly string[]])[] = [
  ['a rate limit, enforced by two processes', ['rate.ts', '--seconds', '10']],
  ['slow readers, unread exports and long lists, by one key', ['flood.ts', '--only', 'lists,readers']],
  ['2,000 connections that send headers byte by byte', ['slow.ts', '--only', 'headers', '--seconds', '60']],
]

async function measure([file = '', ...args]: readonly string[]): Promise<void> {
  const script = fileURLToPath(new URL(file, import.meta.url))
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    said += String(chunk)
    process.stdout.write(chunk)
  })
  await once(child, 'close')
  const [, passed, failed] = /(\d+) passed, (\d+) failed\s*$/.exec(said) ?? []
  checks.passed += Number(passed ?? 0)
  checks.failed += Number(failed ?? 1)
}

const folder = mkdtempSync(join(tmpdir(), 'exchequer-security-'))
await chmod(folder, 0o755)
try {
  const stage = await openSingle({ folder, count: 2, env: { TRUSTED_PROXIES: '127.0.0.1' } })
  try {
    for (const [name, part] of parts) {
      console.log(name)
      await part(stage)
    }
  } finally {
    await stage.close()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
for (const [name, script] of quick ? untimed : measured) {
  console.log(`\n${name}`)
  await measure(script)
}
console.log(`\n${checks.passed} passed, ${checks.failed} failed`)
if (checks.failed > 0) process.exitCode = 1
