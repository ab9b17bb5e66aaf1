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
import { Killer } from './killer.ts'

/**
 * npm run importers [-- --quick] [-- --only NAME]: `exchequer import --from` for each service, with a real server
 * and PostgreSQL, and a stand-in for the service that pages, limits rates and fails now and then. The command is
 * killed while it reads and while it imports, and run again.
 */
const { quick = false, only } = scriptOptions({ quick: { type: 'boolean' }, only: { type: 'string' } })
limitTime({ what: 'npm run importers', minutes: quick ? 5 : 30 })
/** Three parts of an import at least, so that there is a middle. */
const count = quick ? 4_200 : 10_000

const checks = new Checks()
const folder = mkdtempSync(join(tmpdir(), 'exchequer-importers-'))
await chmod(folder, 0o755)
const stage = await openSingle({ folder })
const killer = new Killer(stage.urls[0] ?? '')
await killer.start()
const startedMs = performance.now()
try {
  for (const name of importerNames) {
    if (only !== undefined && name !== only) continue
    const own = join(folder, name)
    mkdirSync(own)
    const beganMs = performance.now()
    const report = await checkImporter({
      name: name as ImporterName,
      count,
      folder: own,
      killer,
      stage,
      checks,
    })
    console.log(`${name}: ${report}, ${((performance.now() - beganMs) / 1_000).toFixed(1)} s`)
  }
  const { ok, said } = await stage.verify()
  checks.check(ok, `verify: ${said}`)
} finally {
  killer.close()
  await stage.close()
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${((performance.now() - startedMs) / 1_000).toFixed(1)} s, ${count} members each`)
console.log(`\n${checks.passed} passed, ${checks.failed} failed`)
if (checks.failed > 0) process.exitCode = 1
