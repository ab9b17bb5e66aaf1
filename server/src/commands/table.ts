import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { installation, record, verifyAction } from '../audit/index.ts'
import { type Config, ConfigError, readConfig } from '../config/index.ts'
import { release } from '../config/release.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { checkDurability } from '../db/durability.ts'
import { sqlState } from '../db/failures.ts'
import { migrate, missingMigrations, readMigrations } from '../db/migrate.ts'
import { gently } from '../ledger/journal/throttledReader.ts'
import { type Checkpoint, verify } from '../ledger/journal/verify.ts'
import { checkpointCommands } from './checkpoints.ts'
import { type Command, command, commandLine, everyRealm, withNouns } from './command.ts'
import { importExportCommands } from './importExport.ts'
import { leaderboardCommands } from './leaderboards.ts'
import { operatorCommands } from './operators.ts'
import { Progress } from './progress.ts'

async function serve(): Promise<undefined> {
  const config = readConfig(process.env)
  await upToDate(config)
  // The other commands start in half the time without the HTTP API.
  const { startApp } = await import('../app/index.ts')
  const app = await startApp(config)
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
  await app.close()
}

/** Refuses to serve on a database that could lose acknowledged writes. */
async function durable(db: Database, { durability }: Config): Promise<void> {
  const lack = await checkDurability(db, durability)
  if (lack !== undefined) throw new ConfigError(lack)
}

/** Migrates with a role that may change the schema; with the server's own role it only reports the gap. */
async function upToDate(config: Config): Promise<void> {
  const db = openDatabase(config.databaseUrl)
  try {
    await durable(db, config)
    const missing = await missingMigrations(db, readMigrations(), release)
    if (missing === 0) return
  } finally {
    await db.close()
  }
  try {
    await runMigrations(config)
  } catch (error) {
    const insufficientPrivilege = '42501'
    if (sqlState(error) !== insufficientPrivilege) throw error
    throw new ConfigError(
      'The schema is out of date, and the configured role may not change it. ' +
        'Set DATABASE_OWNER_URL to the role that owns the schema, here or for the migrate command.',
    )
  }
}

async function runMigrations({ ownerUrl, databaseUrl: serverUrl }: Config): Promise<void> {
  const onStep = ({ number, name }: { number: number; name: string }) =>
    console.error(`migrated: ${number} ${name}`)
  await migrate({ ownerUrl, serverUrl, release, onStep, onProgress: console.error })
}

function checkpoint(text: string | undefined): Checkpoint | undefined {
  if (text === undefined) return undefined
  const [, seq, hash] = /^([0-9]+):([0-9a-f]{64})$/.exec(text) ?? []
  if (seq === undefined || hash === undefined)
    throw new ConfigError('--against must be SEQ:HASH, as verify prints it.')
  return { seq: BigInt(seq), hash }
}

const clock = { nowMs: () => performance.now(), sleep: (ms: number) => sleep(ms) }

type Verifying = {
  readonly id: string | undefined
  readonly against: Checkpoint | undefined
  readonly hurry: boolean
}

async function verifyRealms({ id, against, hurry }: Verifying): Promise<number> {
  if (against && id === undefined) throw new ConfigError('--against needs one realm: set it with --realm.')
  if (!hurry) setPriority(constants.priority.PRIORITY_LOW)
  return withNouns(async ({ db, realms }) => {
    const reader = hurry ? db : gently(db, clock)
    const progress = new Progress(console.error, clock.nowMs)
    let wrong = 0
    let count = 0
    for await (const realm of id === undefined ? everyRealm(realms) : [await realms.get(id)]) {
      const verdict = await verify(reader, { realm: realm.number, against, onStep: progress.of(realm.id) })
      if (verdict.ok) console.log(`${realm.id}: ok ${verdict.seq}:${verdict.hash}`)
      else console.log(`${realm.id}: WRONG at ${verdict.where}: ${verdict.why}`)
      if (!verdict.ok) wrong += 1
      count += 1
    }
    console.error(progress.summary())
    if (id === undefined || wrong > 0) await keepVerdict(db, { wrong, count })
    return wrong === 0 ? 0 : 1
  })
}

/**
 * Records in the audit log when the ledger was last verified, for monitoring. A read-only database, such as a
 * copy, is verified all the same.
 */
async function keepVerdict(db: Database, { wrong, count }: { wrong: number; count: number }): Promise<void> {
  const subject = wrong === 0 ? `${count} realms` : `${wrong} of ${count} realms`
  const act = { realm: installation, action: verifyAction(wrong === 0), subject }
  try {
    await db.transaction((tx) => record(tx, commandLine, act))
  } catch (error) {
    console.error(`The result could not be stored in the audit log: ${(error as Error).message}`)
  }
}

const list: readonly Command[] = [
  command('serve', 'run the server until SIGTERM or Ctrl-C', serve),
  command('migrate', 'migrate the schema to this release (DATABASE_OWNER_URL, or DATABASE_URL)', async () => {
    await runMigrations(readConfig(process.env))
    return undefined
  }),
  command(
    'verify [--realm <id>] [--against <seq:hash>] [--hurry]',
    'replay the journal of one realm or all; throttled, to spare a running server, unless --hurry',
    (_none, values) =>
      verifyRealms({
        id: values['realm'],
        against: checkpoint(values['against']),
        hurry: values['hurry'] !== undefined,
      }),
  ),
  ...importExportCommands,
  ...leaderboardCommands,
  ...operatorCommands,
  ...checkpointCommands,
]

/** By name: `realm export`. */
export const commands: ReadonlyMap<string, Command> = new Map(
  list.map((one) => [one.usage.replace(/ [<[].*$/, ''), one]),
)

export function usage(): string {
  const lines = list.map((one) => `  ${one.usage}\n      ${one.what}`)
  return [
    `exchequer ${release}: for the operator of the database`,
    lines.join('\n'),
    'Configured by the environment: DATABASE_URL, KEY_SECRETS and more; see docs/operate/settings.md.\n' +
      'Realms, keys, members and people are managed over HTTP: exchequer help.',
  ].join('\n\n')
}
