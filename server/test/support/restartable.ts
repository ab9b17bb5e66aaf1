import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { debianBinaries, embeddedBinaries, startPostgres } from '../../src/dev/postgres.ts'
import { makeRoles, ownerRole, prepareDatabase, serverRole } from '../../src/dev/prepare.ts'
import { rowsOf } from './books.ts'
import { clusterVariable } from './suite.ts'

/** A PostgreSQL of a test's own that goes away and comes back on the same port, with one database. */
export type Restartable = {
  readonly serverUrl: string
  readonly ownerUrl: string
  readonly superuserUrl: string
  stop(how?: 'fast' | 'immediate'): Promise<void>
  start(): Promise<void>
  remove(): Promise<void>
}

/** The same PostgreSQL as the one that the suite is run on. */
async function suiteBinaries(): Promise<string> {
  const { port, password } = JSON.parse(process.env[clusterVariable] ?? '{}')
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  const [{ version }] = await rowsOf(url, 'select version()')
  return /Debian/.test(version) ? (debianBinaries() ?? '') : embeddedBinaries()
}

export async function startRestartable(): Promise<Restartable> {
  const binaries = await suiteBinaries()
  const password = randomBytes(12).toString('hex')
  const folder = join(tmpdir(), `exchequer-outage-${process.pid}-${randomBytes(4).toString('hex')}`)
  const first = await startPostgres({ binaries, folder, password, settings: { shared_buffers: '64MB' } })
  await makeRoles(first, password)
  await prepareDatabase(first, 'outage')
  const superuserUrl = first.url('outage')
  let again: ChildProcess | undefined

  async function stop(how: 'fast' | 'immediate' = 'fast'): Promise<void> {
    if (!again) return first.stop()
    const exited = once(again, 'exit')
    again.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await exited
    again = undefined
  }

  async function start(): Promise<void> {
    // The folder's owner is who runs it: PostgreSQL refuses to run as root.
    const { uid, gid } = statSync(folder)
    const given = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'shared_buffers=64MB']
    const options = ['-D', folder, '-p', String(first.port), ...given.flatMap((one) => ['-c', one])]
    again = spawn(join(binaries, 'postgres'), options, { uid, gid, cwd: '/', stdio: 'ignore' })
    for (let left = 200; ; left--) {
      try {
        await rowsOf(superuserUrl, 'select 1')
        return
      } catch (error) {
        if (left === 0) throw error
        await sleep(50)
      }
    }
  }

  return {
    serverUrl: first.url('outage', serverRole),
    ownerUrl: first.url('outage', ownerRole),
    superuserUrl,
    stop,
    start,
    async remove() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
