import assert from 'node:assert/strict'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  globSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openRealm } from '../../../../tests/support/away.ts'
import { rowsOf } from '../../../../tests/support/books.ts'
import { award, type RealmAccess } from '../../../../tests/support/fixture.ts'
import { type Restartable, startRestartable, suiteBinaries } from '../../../../tests/support/restartable.ts'
import { testConfig } from '../../../../tests/support/suite.ts'
import { type App, startApp } from '../../../src/app/index.ts'
import { type Database, openDatabase } from '../../../src/db/database.ts'
import { freePort, type Postgres, startPostgres } from '../../../src/dev/postgres.ts'
import { RefusalError } from '../../../src/errors.ts'
import { Checkpoints, checkpointKeysIn, createCheckpointKey } from '../../../src/events/checkpoints/index.ts'

/** A primary with a real synchronous standby: a copy of its folder that replicates from it. */
let primary: Restartable
let standby: Postgres
let copy: string
let standbyOptions: Parameters<typeof startPostgres>[0]
let app: App
let db: Database
let realm: RealmAccess
let number: number

async function set(name: string, value: string): Promise<void> {
  await rowsOf(primary.superuserUrl, `alter system set ${name} = ${value}`)
  await rowsOf(primary.superuserUrl, 'select pg_reload_conf()')
  await sleep(200)
}

/** Files of the user that PostgreSQL runs as. */
function give(file: string): void {
  const { uid, gid } = statSync(primary.folder)
  chownSync(file, uid, gid)
}

async function startStandby(): Promise<void> {
  const { username, password, port } = new URL(primary.superuserUrl)
  copy = `${primary.folder}-standby`
  await primary.stop()
  cpSync(primary.folder, copy, { recursive: true, preserveTimestamps: true })
  for (const name of [copy, ...globSync(`${copy}/**`)]) give(name)
  chmodSync(copy, 0o700)
  writeFileSync(join(copy, 'standby.signal'), '')
  give(join(copy, 'standby.signal'))
  const from = `host=127.0.0.1 port=${port} user=${username} password=${password} application_name=second`
  appendFileSync(join(copy, 'postgresql.auto.conf'), `\nprimary_conninfo = '${from}'\n`)
  await primary.start()
  const settings = { shared_buffers: '64MB' }
  standbyOptions = {
    binaries: await suiteBinaries(),
    folder: copy,
    password,
    port: await freePort(),
    settings,
  }
  standby = await startPostgres(standbyOptions)
}

const entriesOf = async (url: string): Promise<number> =>
  Number((await rowsOf(url, 'select count(*) from journal where realm = $1', [number]))[0].count)

/** A new process: nothing is cached. */
function checkpoints(): Checkpoints {
  const keys = checkpointKeysIn(createCheckpointKey('points.example.com')?.signer ?? '')
  assert.ok('signer' in keys)
  return new Checkpoints({ db, keys, behindMs: 0 })
}
const sign = () => checkpoints().of({ number, id: realm.id })

async function assertRefused(): Promise<void> {
  await assert.rejects(
    sign(),
    (error) => error instanceof RefusalError && error.refusal.code === 'unavailable',
  )
}

before(async () => {
  primary = await startRestartable()
  app = await startApp(testConfig({ ...primary, drop: async () => {} }))
  realm = await openRealm(app.url)
  await award(app.url, realm, { 1: 5 })
  await app.close()
  await startStandby()
  await set('synchronous_standby_names', `'second'`)
  const database = { ...primary, drop: async () => {} }
  app = await startApp(testConfig(database, { DURABILITY: 'strict', WRITE_DEADLINE_MS: '1000' }))
  db = openDatabase(primary.serverUrl, { strict: true })
  number = (await rowsOf(primary.superuserUrl, 'select realm from realms where id = $1', [realm.id]))[0].realm
})
after(async () => {
  await set('synchronous_standby_names', `''`)
  await app?.close()
  await db?.close()
  await standby?.stop()
  await primary?.remove()
  rmSync(copy, { recursive: true, force: true })
})

describe('with DURABILITY=strict', () => {
  it('an entry that the standby has is signed', async () => {
    await award(app.url, realm, { 1: 5 })
    assert.equal((await sign()).seq, 2n)
  })

  it('an entry that only the primary has is not signed: a failover loses it', async () => {
    await standby.stop()
    const lost = award(app.url, realm, { 1: 5 }).catch(() => {})
    await sleep(300)
    // Cancelling the wait commits on the primary alone, and makes the entry visible there.
    const cancelled = await rowsOf(
      primary.superuserUrl,
      `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
    )
    assert.ok(cancelled.length >= 1, 'nothing waited for the standby')
    await lost
    assert.equal(await entriesOf(primary.superuserUrl), 3)
    await assertRefused()
  })

  it('nor while no standby is required, as Patroni leaves it when the last one is gone', async () => {
    await set('synchronous_standby_names', `''`)
    await assertRefused()
    await set('synchronous_standby_names', `'second'`)
  })

  it('it is signed once the standby has caught up', async () => {
    standby = await startPostgres(standbyOptions)
    let signed: bigint | undefined
    for (let turn = 0; turn < 10 && signed !== 3n; turn++) {
      signed = (await sign().catch(() => undefined))?.seq
      await sleep(200)
    }
    assert.equal(signed, 3n)
    assert.equal(await entriesOf(standby.url('outage')), 3)
  })
})
