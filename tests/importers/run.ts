import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ImporterName, importerNames } from '../../cli/src/importers/sources.ts'
import { openSingle } from '../chaos/stage.ts'
import { Checks } from '../security/checks.ts'
import { scriptOptions } from '../support/scriptOptions.ts'
import { limitTime } from '../support/timeLimit.ts'
import { checkImporter } from './check.ts'

/**
 * npm run importers [-- --quick] [-- --only NAME]: `exchequer import --from` for each service, with a real
 * server and PostgreSQL, and a stand-in for the service that pages, limits rates and fails now and then.
 * The command is killed while it reads and while it imports, and run again.
 */
const { quick = false, only } = scriptOptions({ quick: { type: 'boolean' }, only: { type: 'string' } })
limitTime({ what: 'npm run importers', minutes: quick ? 5 : 30 })
const count = quick ? 2_600 : 10_000
/** The part of an import that is on its way when the command is killed. The SDK sends 2,000 rows in each. */
const killedPart = quick ? 1 : 3

const checks = new Checks()
const folder = mkdtempSync(join(tmpdir(), 'exchequer-importers-'))
await chmod(folder, 0o755)
const stage = await openSingle({ folder })
const startedMs = performance.now()

async function checkOne(name: ImporterName): Promise<void> {
  const own = join(folder, name)
  mkdirSync(own)
  const report = await checkImporter({ name, count, folder: own, stage, checks, killedPart })
  console.log(`${name}: ${report}, at ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`)
}

try {
  const names = importerNames.filter((name) => only === undefined || name === only).values()
  // They mostly wait.
  const worker = async () => {
    for (const name of names) await checkOne(name)
  }
  await Promise.all([worker(), worker(), worker()])
  const { ok, said } = await stage.verify()
  checks.check(ok, `verify: ${said}`)
} finally {
  await stage.close()
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${((performance.now() - startedMs) / 1_000).toFixed(1)} s, ${count} members each`)
console.log(`\n${checks.passed} passed, ${checks.failed} failed`)
if (checks.failed > 0) process.exitCode = 1
