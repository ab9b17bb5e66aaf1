import { randomBytes } from 'node:crypto'
import { after, before } from 'node:test'
import { type App, startApp } from '../../server/src/app/index.ts'
import { type Config, readConfig } from '../../server/src/config/index.ts'
import { asSuperuser, ownerRole, serverRole } from '../../server/src/dev/prepare.ts'
import { type Fixture, makeFixture } from './fixture.ts'
import { environment, operatorToken } from './process.ts'

/** The environment variable by which run.ts passes the running PostgreSQL to the test files. */
export const clusterVariable = 'EXCHEQUER_TEST_CLUSTER'
export const template = 'exchequer_template'

function clusterUrl(database: string, role: string): string {
  const handed = process.env[clusterVariable]
  if (!handed) throw new Error('run the tests with npm test: they need a PostgreSQL')
  const { port, password } = JSON.parse(handed) as { port: number; password: string }
  return `postgres://${role}:${password}@127.0.0.1:${port}/${database}`
}

export type TestDatabase = {
  readonly serverUrl: string
  readonly ownerUrl: string
  readonly superuserUrl: string
  drop(): Promise<void>
}

/** A new migrated database, created from the template. */
export async function freshDatabase(from = template): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const admin = clusterUrl('postgres', 'postgres')
  await asSuperuser(admin, [`create database ${name} template ${from} owner ${ownerRole}`])
  return {
    serverUrl: clusterUrl(name, serverRole),
    ownerUrl: clusterUrl(name, ownerRole),
    superuserUrl: clusterUrl(name, 'postgres'),
    drop: () => asSuperuser(admin, [`drop database ${name} with (force)`]),
  }
}

/** The configuration of a server on this database, silent and on a free port. */
export function testConfig(database: TestDatabase, extra: Record<string, string> = {}): Config {
  return readConfig(environment(database, { LOG_LEVEL: 'silent', ...extra }))
}

export type Suite = { app: App; database: TestDatabase; fixture: Fixture }

/** A server in this process with the acceptance fixture, for the tests of one file. */
export function suite(
  extra: Record<string, string> = {},
  prepare: (made: Suite) => Promise<void> = async () => {},
): Suite {
  const made = {} as Suite
  before(async () => {
    made.database = await freshDatabase()
    made.app = await startApp(testConfig(made.database, extra))
    made.fixture = await makeFixture({ baseUrl: made.app.url, token: operatorToken })
    // Not a hook of the file itself: those of a file all start at once.
    await prepare(made)
  })
  after(async () => {
    await made.app?.close()
    await made.database?.drop()
  })
  return made
}
