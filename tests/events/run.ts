import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSingle, type Single } from '../chaos/stage.ts'
import { Checks } from '../security/checks.ts'
import { scriptOptions } from '../support/scriptOptions.ts'
import { limitTime } from '../support/timeLimit.ts'
import { checkBacklog, checkIdle } from './backlog.ts'
import { checkBadReceivers } from './badReceivers.ts'
import { type CdcSizes, checkCdc } from './cdc.ts'
import { checkDeliveries, type DeliverySizes } from './deliveries.ts'
import { checkStreams, type StreamSizes } from './streams.ts'
import { checkWrites, type WriteSizes } from './writes.ts'

/**
 * npm run events [-- --quick] [-- --only TEXT]: what leaves the server by itself, with real receivers on
 * loopback: streams of entries and webhooks, while processes are killed. Quick runs with fewer of
 * everything and, as machines differ, with wider times; `--only` a part.
 */
const { quick = false, only } = scriptOptions({ quick: { type: 'boolean' }, only: { type: 'string' } })
/** Those that mostly wait are for the long form. */
const slow = 'webhooks without entries'
const wants = (name: string): boolean => {
  if (only !== undefined) return name.includes(only)
  return !quick || name !== slow
}
limitTime({ what: 'npm run events', minutes: quick ? 5 : 30 })

const sizes: StreamSizes = quick
  ? { streams: 300, entries: 200, kills: 1, memoryMiB: 100, mostMs: 2_000, untilCut: false }
  : { streams: 1_000, entries: 2_000, kills: 5, memoryMiB: 100, mostMs: 500, untilCut: true }

const deliveries: DeliverySizes = quick ? { entries: 3_000, kills: 3 } : { entries: 100_000, kills: 40 }
const backlog = quick ? { entries: 20_000, leastRate: 500 } : { entries: 1_000_000, leastRate: 2_000 }

const cdc: CdcSizes = quick ? { realms: 50, seconds: 2 } : { realms: 1_000, seconds: 30 }
const decoding = 'changes by logical decoding'
const changing = 'changes with and without webhooks'
/** The short form runs beside others on any machine, so its bound is lower. */
const writes: WriteSizes = quick
  ? { pairs: 4, sliceMs: 1_500, leastRatio: 0.5 }
  : { pairs: 12, sliceMs: 3_000, leastRatio: 0.95 }

const checks = new Checks()
const webhooks: readonly (readonly [string, (stage: Single) => Promise<void>])[] = [
  [slow, (stage) => checkIdle(stage, checks)],
  ['webhooks, while everything is killed', (stage) => checkDeliveries(stage, deliveries, checks)],
  ['webhooks to receivers that misbehave', (stage) => checkBadReceivers(stage, checks)],
  ['webhooks from far behind', (stage) => checkBacklog(stage, backlog, checks)],
]

/** Streams and webhooks, on one database. */
async function checkOthers(folder: string): Promise<void> {
  if (!wants('streams') && !webhooks.some(([name]) => wants(name))) return
  // Each client counts as its own address, as behind a proxy.
  const env = { STREAMS_PER_KEY: '2000', MAX_CONNECTIONS_PER_ADDRESS: '5000', WEBHOOK_ALLOW: '127.0.0.0/8' }
  const stage = await openSingle({ folder, count: 2, env })
  try {
    for (const [name, part] of webhooks) {
      if (!wants(name)) continue
      console.log(name)
      await part(stage)
    }
    if (wants('streams')) await checkStreams(stage, sizes, checks)
  } finally {
    await stage.close()
  }
}

/** One process that changes points and delivers, as a second one would have processors of its own. */
async function checkChanges(folder: string): Promise<void> {
  if (!wants(changing)) return
  console.log(changing)
  const stage = await openSingle({ folder, env: { WEBHOOK_ALLOW: '127.0.0.0/8' } })
  try {
    await checkWrites(stage, writes, checks)
  } finally {
    await stage.close()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'exchequer-events-'))
await chmod(folder, 0o755)
const inner = (name: string): string => {
  const own = join(folder, name)
  mkdirSync(own, { mode: 0o755 })
  return own
}
try {
  await checkOthers(folder)
  await checkChanges(inner('changes'))
  if (wants(decoding)) {
    console.log(decoding)
    await checkCdc(inner('decoding'), cdc, checks)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(`\n${checks.passed} passed, ${checks.failed} failed`)
if (checks.failed > 0) process.exitCode = 1
