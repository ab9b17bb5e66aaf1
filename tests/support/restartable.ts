import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { debianBinaries, embeddedBinaries, freePort, startPostgres } from '../../server/src/dev/postgres.ts'
import { makeRoles, ownerRole, prepareDatabase, serverRole } from '../../server/src/dev/prepare.ts'
import { rowsOf } from './books.ts'
import { clusterVariable } from './suite.ts'

/** A test's own PostgreSQL that can stop and start again on the same port, with one database. */
export type Restartable = {
  readonly serverUrl: string
  readonly ownerUrl: string
  readonly superuserUrl: string
  /** Of its data. */
  readonly folder: string
  stop(how?: 'fast' | 'immediate'): Promise<void>
  start(): Promise<void>
  remove(): Promise<void>
}

/** The same PostgreSQL version as that of the suite. */
export async function suiteBinaries(): Promise<string> {
  const { port, password } = JSON.parse(process.env[clusterVariable] ?? '{}')
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  const [{ version }] = await rowsOf(url, 'select version()')
  return /Debian/.test(version) ? (debianBinaries() ?? '') : embeddedBinaries()
}

export async function startRestartable(): Promise<Restartable> {
  const password = randomBytes(12).toString('hex')
  const folder = join(tmpdir(), `exchequer-outage-${process.pid}-${randomBytes(4).toString('hex')}`)
  const options = {
    binaries: await suiteBinaries(),
    folder,
    password,
    port: await freePort(),
    settings: { shared_buffers: '64MB' },
  }
  let postgres = await startPostgres(options)
  await makeRoles(postgres, password)
  await prepareDatabase(postgres, 'outage')
  return {
    serverUrl: postgres.url('outage', serverRole),
    ownerUrl: postgres.url('outage', ownerRole),
    superuserUrl: postgres.url('outage'),
    folder,
    stop: (how) => postgres.stop(how),
    async start() {
      postgres = await startPostgres(options)
    },
    async remove() {
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
