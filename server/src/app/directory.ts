import { CellMismatch, Directory } from '../cells/index.ts'
import { type Config, ConfigError } from '../config/index.ts'
import { release } from '../config/release.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { missingMigrations, readMigrations, SchemaMismatch } from '../db/migrate.ts'
import { RefusalError } from '../errors.ts'

type Log = { warn(fields: object, message: string): void }

/** The directory of a process whose cell has this database. In cell 0 it is the same one. */
export async function openDirectory(own: Database, config: Config, log: Log): Promise<Directory> {
  const { directoryUrl, databaseUrl, poolSize, durability } = config
  const strict = durability === 'strict'
  const db = directoryUrl === databaseUrl ? own : openDatabase(directoryUrl, { poolSize, strict })
  try {
    if (db !== own) await checkMigrations(db, log)
    return await Directory.open({ own, db })
  } catch (error) {
    if (db !== own) await db.close()
    throw error instanceof CellMismatch ? new ConfigError(error.message) : error
  }
}

/** The directory is migrated first: its tables must be those that this release knows. */
async function checkMigrations(db: Database, log: Log): Promise<void> {
  try {
    const missing = await missingMigrations(db, readMigrations(), release)
    if (missing > 0)
      throw new ConfigError(
        `The schema of the database in DIRECTORY_URL lacks ${missing} migrations. Run the migrate command ` +
          'for it, with its own DATABASE_URL and DATABASE_OWNER_URL, before the cells.',
      )
  } catch (error) {
    if (error instanceof SchemaMismatch) throw new ConfigError(`DIRECTORY_URL: ${error.message}`)
    if (!(error instanceof RefusalError)) throw error
    log.warn({ err: error }, 'the directory can’t be reached: this process is not ready until it can')
  }
}
