import { once } from 'node:events'
import { type Config, ConfigError, readConfig } from '../config/index.ts'
import { release } from '../config/release.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { checkDurability } from '../db/durability.ts'
import { sqlState } from '../db/failures.ts'
import { migrate, missingMigrations, readMigrations } from '../db/migrate.ts'
import { findTransactionPooler } from '../db/pooler.ts'
import { cellCommands } from './cells.ts'
import { checkpointCommands } from './checkpoints.ts'
import { type Command, command } from './command.ts'
import { haproxyMapCommand } from './haproxyMap.ts'
import { importExportCommands } from './importExport.ts'
import { leaderboardCommands } from './leaderboards.ts'
import { moveCommands } from './move.ts'
import { operatorCommands } from './operators.ts'
import { purgeCommands } from './purge.ts'
import { secretCommands } from './secrets.ts'
import { verifyCommand } from './verify.ts'

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

/** Refuses a pooler that would mix up prepared statements, settings and locks of sessions. */
async function ownSessions(url: string, setting: string): Promise<void> {
  const pooler = await findTransactionPooler(url, setting)
  if (pooler !== undefined) throw new ConfigError(pooler)
}

/** Migrates with a role that may change the schema; with the server's own role it only reports the gap. */
async function upToDate(config: Config): Promise<void> {
  await ownSessions(config.databaseUrl, 'DATABASE_URL')
  if (config.directoryUrl !== config.databaseUrl) await ownSessions(config.directoryUrl, 'DIRECTORY_URL')
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
  await ownSessions(ownerUrl, 'DATABASE_OWNER_URL')
  await migrate({ ownerUrl, serverUrl, release, onStep, onProgress: console.error })
}

const list: readonly Command[] = [
  command('serve', 'run the server until SIGTERM or Ctrl-C', serve),
  command('migrate', 'migrate the schema to this release (DATABASE_OWNER_URL, or DATABASE_URL)', async () => {
    await runMigrations(readConfig(process.env))
    return undefined
  }),
  verifyCommand,
  ...importExportCommands,
  ...purgeCommands,
  ...moveCommands,
  ...leaderboardCommands,
  ...operatorCommands,
  ...secretCommands,
  ...checkpointCommands,
  ...cellCommands,
  haproxyMapCommand,
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
