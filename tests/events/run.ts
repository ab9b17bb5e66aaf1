import { mkdtempSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSingle } from '../chaos/stage.ts'
import { Checks } from '../security/checks.ts'
import { scriptOptions } from '../support/scriptOptions.ts'
import { limitTime } from '../support/timeLimit.ts'
import { checkStreams, type StreamSizes } from './streams.ts'

/**
 * npm run events [-- --quick]: what leaves the server by itself, with real receivers on loopback: streams of
 * entries while processes are killed. Quick runs with fewer of everything.
 */
const { quick = false } = scriptOptions({ quick: { type: 'boolean' } })
limitTime({ what: 'npm run events', minutes: quick ? 5 : 30 })

const sizes: StreamSizes = quick
  ? { streams: 300, entries: 200, kills: 1, memoryMiB: 100 }
  : { streams: 1_000, entries: 2_000, kills: 5, memoryMiB: 100 }

const checks = new Checks()
const folder = mkdtempSync(join(tmpdir(), 'exchequer-events-'))
await chmod(folder, 0o755)
try {
  // Each client counts as its own address, as behind a proxy.
  const env = { STREAMS_PER_KEY: '2000', MAX_CONNECTIONS_PER_ADDRESS: '5000' }
  const stage = await openSingle({ folder, count: 2, env })
  try {
    await checkStreams(stage, sizes, checks)
  } finally {
    await stage.close()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(`\n${checks.passed} passed, ${checks.failed} failed`)
if (checks.failed > 0) process.exitCode = 1
