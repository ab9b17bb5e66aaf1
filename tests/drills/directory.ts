import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Postgres, startPostgres } from '../../server/src/dev/postgres.ts'
import { asSuperuser, makeRoles, ownerRole, serverRole } from '../../server/src/dev/prepare.ts'
import { makeRealmIn } from '../cells/realms.ts'
import { type CellStage, settings, startServers } from '../cells/stage.ts'
import type { Checks } from '../security/checks.ts'
import { rowsOf } from '../support/books.ts'
import { call } from '../support/call.ts'
import type { RealmAccess } from '../support/fixture.ts'
import { environment, runCommand } from '../support/process.ts'
import { seconds } from './drill.ts'

const run = promisify(execFile)
const database = 'cell'
/** A directory without realms of its own is small. */
const mostMs = 60_000
const pauseMs = 20

/** A PostgreSQL with the dump of the old directory, stopped. */
async function restoreDirectory(
  stage: CellStage,
  folder: string,
  start: (port?: number) => Promise<Postgres>,
) {
  const { binaries, ownerUrl, password } = stage.directory.postmaster
  const made = await start()
  try {
    await makeRoles(made, password)
    await asSuperuser(made.url('postgres'), [`create database ${database} owner ${ownerRole}`])
    const dump = join(folder, 'directory.dump')
    await run(join(binaries, 'pg_dump'), [
      '--format=custom',
      '--schema=exchequer',
      `--file=${dump}`,
      ownerUrl,
    ])
    const urls = { ownerUrl: made.url(database, ownerRole), serverUrl: made.url(database, serverRole) }
    const options = ['--no-owner', '--no-acl', '--single-transaction', `--dbname=${urls.ownerUrl}`]
    await run(join(binaries, 'pg_restore'), [...options, dump])
    const { code, err } = await runCommand(['migrate'], environment(urls))
    if (code !== 0) throw new Error(`migrate of the new directory: ${err}`)
  } finally {
    await made.stop()
  }
}

/** Changes to these realms, one after the other, until `isOver`; those that were not answered 200. */
async function writeMeanwhile(stage: CellStage, realms: readonly RealmAccess[], isOver: () => boolean) {
  let done = 0
  const wrong: string[] = []
  for (let nth = 0; !isOver(); nth++) {
    const realm = realms[nth % realms.length]
    const url = `${stage.url}/api/v4/realms/${realm?.id}/members/1/tokenBalance`
    const { status, text } = await call('PATCH', url, { key: realm?.key, body: { tokens: 1 } })
    if (status === 200) done += 1
    else wrong.push(`${status} ${text}`)
    await sleep(pauseMs)
  }
  return { done, wrong }
}

type Moving = { readonly stage: CellStage; readonly checks: Checks; readonly realms: readonly RealmAccess[] }

async function checkNewer({ stage, checks }: Moving): Promise<void> {
  const [row] = await rowsOf(stage.directory.postmaster.superuserUrl, 'show server_version_num')
  checks.check(
    String(row.server_version_num).startsWith('18'),
    `the directory has ${row.server_version_num}, not 18`,
  )
  await makeRealmIn(stage, stage.two, { id: 'created-later' })
}

/**
 * The directory on another PostgreSQL, at the address of the old one: by dump and restore, with its own
 * processes stopped, while the realms of other cells are written to.
 */
export async function checkDirectory(
  moving: Moving,
  { binaries, folder }: { readonly binaries: string; readonly folder: string },
): Promise<void> {
  const { stage, checks, realms } = moving
  const { directory } = stage
  const { password, superuserUrl } = directory.postmaster
  const given = { binaries, folder: join(folder, 'directory'), password, settings }
  let isOver = false
  const writing = writeMeanwhile(stage, realms, () => isOver)
  writing.catch(() => {})
  const startMs = performance.now()
  let newer: Postgres | undefined
  try {
    await Promise.all(directory.servers.map((server) => server.stop()))
    await restoreDirectory(stage, folder, () => startPostgres(given))
    await directory.postmaster.stop()
    newer = await startPostgres({ ...given, port: Number(new URL(superuserUrl).port) })
    await startServers(directory)
    const awayMs = performance.now() - startMs
    isOver = true
    const { done, wrong } = await writing
    console.log(`  the directory was away for ${seconds(awayMs)}, ${done} writes to realms meanwhile`)
    checks.atMost(awayMs, mostMs, 'the directory is away, ms')
    checks.check(
      done > 10 && wrong.length === 0,
      `writes while it is away: ${done} and ${wrong.slice(0, 3).join(', ')}`,
    )
    await checkNewer(moving)
  } finally {
    isOver = true
    await newer?.stop('immediate')
  }
}
