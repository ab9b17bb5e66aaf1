import type { Logger } from 'pino'
import type { Config } from '../config/index.ts'
import type { Database } from '../db/database.ts'
import { findRowSecurityGap } from '../db/rowSecurity.ts'
import { findSecretMismatch } from '../keys/index.ts'

/** Problems of the installation that do not keep a server from starting: they are logged. */
export async function checkAtStart(db: Database, config: Config, log: Logger): Promise<void> {
  await checkRowSecurity(db, log)
  await checkSecrets(db, config, log)
}

async function checkRowSecurity(db: Database, log: Logger): Promise<void> {
  try {
    const lack = await findRowSecurityGap(db)
    if (lack !== undefined) log.warn({}, lack)
  } catch (error) {
    log.warn({ err: error }, 'could not check row-level security')
  }
}

/** With a wrong secret each key gets 401 separately: the log names the cause once. */
async function checkSecrets(db: Database, { keySecrets }: Config, log: Logger): Promise<void> {
  try {
    const mismatch = await findSecretMismatch(db, keySecrets)
    if (mismatch !== undefined) log.error({}, mismatch)
  } catch (error) {
    log.warn({ err: error }, 'could not check KEY_SECRETS against the database')
  }
}
