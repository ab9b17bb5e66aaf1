import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { debianBinaries, startPostgres } from '../../server/src/dev/postgres.ts'
import { asSuperuser } from '../../server/src/dev/prepare.ts'
import { project, run } from './program.ts'

const password = 'backup'

/** backup.sh as compose.yaml starts it, run once next to a PostgreSQL that archives like that one. */
export async function checkBackup(): Promise<void> {
  const binaries = debianBinaries()
  if (!binaries) throw new Error('Debian’s PostgreSQL is required: apt-get install postgresql')
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-archive-'))
  chmodSync(folder, 0o1777)
  const data = join(folder, 'data')
  const env = environmentIn(folder, data)
  const before = { ...process.env }
  Object.assign(process.env, env)
  const settings = {
    archive_mode: 'on',
    archive_timeout: '60s',
    archive_command: `test ! -d ${folder}/backup/archive/exchequer || pgbackrest archive-push %p`,
    unix_socket_directories: folder,
  }
  const postgres = await startPostgres({ binaries, folder: data, password, settings })
  try {
    const { uid, gid } = statSync(data)
    mkdirSync(join(folder, 'backup'))
    for (const made of [folder, join(folder, 'backup')])
      if (process.getuid?.() === 0) chownSync(made, uid, gid)
    await asSuperuser(postgres.url('postgres'), ['create table kept (id integer)'])
    const own = { ...before, ...env, PGBACKREST_PG1_PORT: String(postgres.port), PGPASSWORD: password }
    const path = [binaries, before['PATH']].join(delimiter)
    // In its working folder: a clone may be readable by root alone.
    const script = join(folder, 'backup.sh')
    writeFileSync(script, readFileSync(join(project, 'deploy/backup/backup.sh')), { mode: 0o755 })
    mkdirSync(join(folder, 'bin'))
    writeFileSync(join(folder, 'bin/date'), sunday, { mode: 0o755 })
    const once = () =>
      run('sh', [script], {
        env: {
          ...own,
          PATH: `${folder}/bin:${path}`,
          PGUSER: 'postgres',
          BACKUP_ONCE: '1',
          TEXTFILE_FOLDER: folder,
        },
        ...(process.getuid?.() === 0 ? { uid, gid } : {}),
        cwd: folder,
      })
    const first = once()
    if (!/full backup: \d/.test(first)) throw new Error(`found no full backup:\n${first}`)
    const reported = readFileSync(join(folder, 'exchequer_backup.prom'), 'utf8')
    const [, seconds] = /^exchequer_backup_last_success_timestamp_seconds (\d+)\n$/.exec(reported) ?? []
    if (Math.abs(Date.now() / 1000 - Number(seconds ?? 0)) > 60) throw new Error(`it reported ${reported}`)
    const second = once()
    const count = (kind: string) => second.split(`${kind} backup: 2`).length - 1
    if (count('full') !== 1 || count('incr') !== 1)
      throw new Error(`restarted on a Sunday, it must add an incremental backup:\n${second}`)
  } finally {
    process.env = before
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Always on a Sunday. */
const sunday = '#!/bin/sh\n[ "$1" = +%u ] && echo 7 || exec /bin/date "$@"\n'

const environmentIn = (folder: string, data: string): Record<string, string> => ({
  PGBACKREST_STANZA: 'exchequer',
  PGBACKREST_PG1_PATH: data,
  PGBACKREST_PG1_SOCKET_PATH: folder,
  PGBACKREST_REPO1_PATH: join(folder, 'backup'),
  PGBACKREST_REPO1_RETENTION_FULL_TYPE: 'time',
  PGBACKREST_REPO1_RETENTION_FULL: '14',
  PGBACKREST_START_FAST: 'y',
  PGBACKREST_LOG_LEVEL_FILE: 'off',
  PGBACKREST_LOCK_PATH: join(folder, 'lock'),
  PGBACKREST_SPOOL_PATH: join(folder, 'spool'),
})
