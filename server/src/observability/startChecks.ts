import type { Logger } from 'pino'
import type { Config } from '../config/index.ts'
import type { Database } from '../db/database.ts'
import { findRowSecurityGap } from '../db/rowSecurity.ts'
import { findSecretMismatch } from '../keys/index.ts'

/** What is wrong with the installation and does not keep a server from starting: it is logged. */
export async function checkAtStart(db: Database, config: Config, log: Logger): Promise<void> {
  await checkRowSecurity(db, log)
  await checkSecrets(db, config, log)
}

async function checkRowSecurity(db: Database, log: Logger): Promise<void> {
  try {
    const lack = await findRowSecurityGap(db)
    if (lack !== undefined) log.warn({}, lack)
  } catch (error) {
    log.warn({ err: error }, 'could not find out whether PostgreSQL parts realms')
  }
}

/** With a wrong secret keys are answered 401 one by one: the log names the cause once. */
async function checkSecrets(db: Database, { keySecrets }: Config, log: Logger): Promise<void> {
  try {
    const mismatch = await findSecretMismatch(db, keySecrets)
    if (mismatch !== undefined) log.error({}, mismatch)
  } catch (error) {
    log.warn({ err: error }, 'could not check KEY_SECRETS against the database')
  }
}
