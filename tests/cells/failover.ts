import { execFile } from 'node:child_process'
import { renameSync, statSync } from 'node:fs'
import { chown } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort, startPostgres } from '../../server/src/dev/postgres.ts'
import { query } from '../chaos/books.ts'
import { call } from '../support/call.ts'
import type { RealmAccess } from '../support/fixture.ts'
import { checkDeadline } from '../support/timeLimit.ts'
import { headAt } from './heads.ts'
import { moveRealm } from './mover.ts'
import { checkHanded } from './moves.ts'
import { freshId, makeRealmIn } from './realms.ts'
import type { Scene } from './scene.ts'
import { type Cell, settings, untilReady } from './stage.ts'

const run = promisify(execFile)
const patienceMs = 30_000

async function until(words: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + patienceMs
  while (!(await isSo().catch(() => false))) {
    checkDeadline(deadlineMs, words)
    await sleep(50)
  }
}

/** A streaming standby of a cell, in a folder next to it. */
async function startStandby({ postmaster }: Cell, folder: string) {
  const { binaries, password, superuserUrl } = postmaster
  const from = new URL(superuserUrl)
  from.pathname = '/'
  await run(join(binaries, 'pg_basebackup'), ['-d', String(from), '-D', folder, '-R', '-c', 'fast'])
  const { uid, gid } = statSync(postmaster.folder)
  await run('chown', ['-R', `${uid}:${gid}`, folder])
  await chown(folder, uid, gid)
  const standby = await startPostgres({ binaries, folder, password, port: await freePort(), settings })
  const behindText =
    'select count(*) as streaming from pg_stat_replication where replay_lsn = pg_current_wal_lsn()'
  await until('a standby that has everything', async () => {
    const [row] = await query<{ streaming: string }>(superuserUrl, behindText)
    return row?.streaming === '1'
  })
  return standby
}

/** The standby becomes the cell's database, at the address of the one that is gone. */
async function failOver(cell: Cell, standbyFolder: string): Promise<void> {
  const { postmaster } = cell
  postmaster.kill('all')
  renameSync(postmaster.folder, `${postmaster.folder}.lost`)
  renameSync(standbyFolder, postmaster.folder)
  await postmaster.start()
  await query(postmaster.superuserUrl, 'select pg_promote()')
}

/** Writes straight to the processes of the old cell; returns how many they accepted. */
async function writeThere(cell: Cell, realm: RealmAccess, isOver: () => boolean): Promise<number> {
  let accepted = 0
  while (!isOver()) {
    for (const { url } of cell.servers) {
      const target = `${url}/api/v4/realms/${realm.id}/members/1/tokenBalance`
      const sent = await call('PATCH', target, { key: realm.key, body: { tokens: 1 } }).catch(() => undefined)
      if (sent?.status === 200) accepted += 1
    }
    await sleep(5)
  }
  return accepted
}

/** The old cell fails over to a standby that does not know that the realm has left. */
export async function checkFailover(scene: Scene): Promise<void> {
  const { stage, checks } = scene
  const realm = await makeRealmIn(stage, stage.one, { id: freshId('failover'), unknownMembers: 'create' })
  const write = () =>
    call('PATCH', `${stage.url}/api/v4/realms/${realm.id}/members/1/tokenBalance`, {
      key: realm.key,
      body: { tokens: 1 },
    })
  for (let nth = 0; nth < 20; nth++) await write()
  const folder = `${stage.one.postmaster.folder}-standby`
  const standby = await startStandby(stage.one, folder)
  await standby.stop()
  await moveRealm(stage, realm.id, 2)
  let isOver = false
  const writing = writeThere(stage.one, realm, () => isOver)
  await failOver(stage.one, folder)
  await until('the end of the old head', async () => (await headAt(stage.one, realm.id)) === undefined)
  await untilReady(stage.one)
  await sleep(1_000)
  isOver = true
  const accepted = await writing
  checks.check(accepted === 0, `the old cell accepted ${accepted} writes after the realm had left`)
  checks.check((await headAt(stage.two, realm.id)) !== undefined, 'the new cell has no head')
  const { status } = await write()
  checks.check(status === 200, `a write after the failover was answered ${status}`)
  await checkHanded(scene, stage.two, realm.id)
}
