import { mkdtempSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSingle, type Single } from '../chaos/stage.ts'
import { Checks } from './checks.ts'
import { checkRevocation } from './revoke.ts'
import { checkTable } from './table.ts'

/** npm run walls: what a stranger, a wrong key and a crowd can't do, on real processes. */
const checks = new Checks()

const parts: readonly (readonly [string, (stage: Single) => Promise<void>])[] = [
  ['every route, behind every wrong key', (stage) => checkTable(stage.servers[0]?.url ?? '', checks)],
  ['a revocation, under load on two processes', (stage) => checkRevocation(stage, checks)],
]

const folder = mkdtempSync(join(tmpdir(), 'exchequer-walls-'))
await chmod(folder, 0o755)
try {
  const stage = await openSingle({ folder, count: 2 })
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
console.log(`${checks.passed} passed, ${checks.failed} failed`)
if (checks.failed > 0) process.exitCode = 1
