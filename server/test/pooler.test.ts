import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '../../tests/support/call.ts'
import { environment, runCommand, startServerProcess } from '../../tests/support/process.ts'
import { freshDatabase, type TestDatabase } from '../../tests/support/suite.ts'
import { findTransactionPooler } from '../src/db/pooler.ts'
import { freePort } from '../src/dev/postgres.ts'

let database: TestDatabase
before(async () => {
  database = await freshDatabase()
})
after(() => database?.drop())

const find = (url: string) => findTransactionPooler(url, 'DATABASE_URL')

it('a direct connection is not taken for a pooler, however many others are open', async () => {
  const found = await Promise.all(Array.from({ length: 8 }, () => find(database.serverUrl)))
  assert.deepEqual(new Set(found), new Set([undefined]))
})

it('an unreachable database is left to the checks that follow', async () => {
  assert.equal(await find(`postgres://someone:secret@127.0.0.1:${await freePort()}/exchequer`), undefined)
})

type Pooler = { readonly url: string; stop(): Promise<void> }

async function isListening(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** PgBouncer in front of the database; it does not run as root. */
async function startPooler(settings: string): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-pooler-'))
  chmodSync(folder, 0o755)
  const target = new URL(database.serverUrl)
  const port = await freePort()
  const name = target.pathname.slice(1)
  writeFileSync(join(folder, 'users'), `"${target.username}" "${target.password}"\n`)
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]\n${name} = host=127.0.0.1 port=${target.port} dbname=${name}\n[pgbouncer]\n` +
      `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = trust\n` +
      `auth_file = ${folder}/users\nignore_startup_parameters = extra_float_digits\n${settings}\n`,
  )
  const asOther = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child: ChildProcess = spawn(pgbouncer, ['-q', ...asOther, join(folder, 'pgbouncer.ini')], {
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  for (const untilMs = Date.now() + 10_000; !(await isListening(port)); await sleep(20))
    assert.ok(Date.now() < untilMs && child.exitCode === null, 'PgBouncer did not start')
  return {
    url: `postgres://${target.username}@127.0.0.1:${port}/${name}`,
    async stop() {
      child.kill('SIGKILL')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const sentence =
  /^DATABASE_URL leads to a pooler in transaction or statement mode, .* Connect to PostgreSQL directly/

const pgbouncer = '/usr/sbin/pgbouncer'
// Not every machine has it; CI installs it.
const hasPgbouncer = spawnSync(pgbouncer, ['--version']).status === 0

if (hasPgbouncer)
  describe('PgBouncer', () => {
    const shared = [
      'pool_mode = transaction',
      'pool_mode = transaction\ndefault_pool_size = 1',
      'pool_mode = transaction\nmin_pool_size = 4\nserver_round_robin = 1',
      'pool_mode = statement',
    ]
    for (const settings of shared) {
      it(`with ${settings.replaceAll('\n', ', ')} is found, idle and busy`, async () => {
        const pooler = await startPooler(settings)
        try {
          assert.match((await find(pooler.url)) ?? '', sentence)
          const found = await Promise.all(Array.from({ length: 4 }, () => find(pooler.url)))
          for (const words of found) assert.match(words ?? '', sentence)
        } finally {
          await pooler.stop()
        }
      })
    }

    it('in transaction mode keeps a server from starting, with one sentence', async () => {
      const pooler = await startPooler('pool_mode = transaction')
      try {
        const env = environment(database, { DATABASE_URL: pooler.url })
        const { code, out, err } = await runCommand(['serve'], env)
        assert.deepEqual([code, out], [1, ''])
        assert.match(err, sentence)
        assert.equal(err.trimEnd().split('\n').length, 1)
        const owner = environment(database, { DATABASE_OWNER_URL: pooler.url })
        assert.match((await runCommand(['migrate'], owner)).err, /^DATABASE_OWNER_URL leads to a pooler/)
      } finally {
        await pooler.stop()
      }
    })

    it('in session mode is accepted, and the server works behind it', async () => {
      const pooler = await startPooler('pool_mode = session\ndefault_pool_size = 20')
      try {
        const found = await Promise.all(Array.from({ length: 4 }, () => find(pooler.url)))
        assert.deepEqual(new Set(found), new Set([undefined]))
        const server = await startServerProcess(environment(database, { DATABASE_URL: pooler.url }))
        try {
          assert.equal((await call('GET', `${server.baseUrl}/readyz`)).status, 200)
        } finally {
          assert.equal(await server.stop(), 0)
        }
      } finally {
        await pooler.stop()
      }
    })
  })
