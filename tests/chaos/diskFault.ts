import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Postmaster } from '../support/postmaster.ts'
import { query } from './books.ts'
import type { Fault } from './play.ts'
import { openSingle, type Stage } from './stage.ts'

const sizeMb = 128
const backWithinMs = 2_000
const recoveredWithinMs = 30_000

/** A small file system for the WAL only. */
class SmallDisk {
  readonly #folder: string
  readonly #ballast: string

  constructor(folder: string) {
    this.#folder = folder
    this.#ballast = join(folder, 'ballast')
    mkdirSync(folder)
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=0755`, 'exchequer-chaos', folder])
  }

  /** Moves a folder here and leaves a link in its place. */
  take(folder: string): void {
    const home = join(this.#folder, 'wal')
    const { uid, gid } = statSync(folder)
    cpSync(folder, home, { recursive: true })
    execFileSync('chown', ['-R', `${uid}:${gid}`, home])
    execFileSync('chmod', ['700', home])
    renameSync(folder, `${folder}.before`)
    symlinkSync(home, folder)
  }

  /** Fills it to the last block. */
  fill(): void {
    const { bavail, bsize } = statfsSync(this.#folder)
    writeFileSync(this.#ballast, Buffer.alloc(bavail * bsize))
  }

  empty(): void {
    rmSync(this.#ballast, { force: true })
  }

  close(): void {
    execFileSync('umount', ['-l', this.#folder])
  }
}

/** PostgreSQL writes WAL until there is no space; then it panics, and may not even restart. */
async function untilFull({ superuserUrl }: Stage, acknowledged: () => number): Promise<boolean> {
  for (let quiet = 0, left = 200; left > 0; left--) {
    const before = acknowledged()
    await query(superuserUrl, 'select pg_switch_wal()').catch(() => {})
    await sleep(250)
    quiet = acknowledged() === before ? quiet + 1 : 0
    if (quiet === 8) return true
  }
  return false
}

/** Waits for a PostgreSQL in recovery: starting another would stop it. */
async function startUnlessUp(superuserUrl: string, postmaster: Postmaster): Promise<void> {
  for (const deadlineMs = Date.now() + recoveredWithinMs; Date.now() < deadlineMs; await sleep(100)) {
    const why = await query(superuserUrl, 'select 1').then(
      () => 'up',
      (error: NodeJS.ErrnoException) => error.code,
    )
    if (why === 'up') return
    if (why === 'ECONNREFUSED') break
  }
  await postmaster.start()
}

export const fullDisk: Fault = {
  name: 'full-disk',
  title: 'no disk space for the WAL',
  times: 3,
  pauseMs: [2_000, 4_000],
  async open(options) {
    const settings = { min_wal_size: '32MB', max_wal_size: '48MB', wal_recycle: 'off' }
    const opened = await openSingle({ ...options, settings })
    const { postmaster, superuserUrl, servers } = opened
    const disk = new SmallDisk(join(options.folder, 'small'))
    const close = async () => {
      await opened.close()
      disk.close()
    }
    const stage = { ...opened, close }
    await postmaster.stop()
    disk.take(join(postmaster.folder, 'pg_wal'))
    await postmaster.start()
    return {
      stage,
      async inject({ load, resumed, expect }) {
        disk.fill()
        expect(await untilFull(stage, () => load.acknowledged), 'a full disk did not stop the writes')
        expect((await servers[0]?.isAlive()) === true, 'the server did not stay alive')
        disk.empty()
        await startUnlessUp(superuserUrl, postmaster)
        resumed(await load.untilAcknowledged(), backWithinMs)
      },
    }
  },
}
