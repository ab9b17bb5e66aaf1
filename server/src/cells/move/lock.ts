import type { Database } from '../../db/database.ts'
import type { Session } from '../../db/session.ts'
import { ping, tryLock } from './directoryStore.ts'
import { MoveError } from './steps.ts'

/** Not those of writes and erasures, as the directory is a cell too. */
const lockKinds = { realm: 1163415381, cell: 1163415382 } as const
/** A mover that was stopped for this long loses its locks, so that another can go on. */
const idleLimit = '15s'
const pingEveryMs = 3_000

/**
 * Only one mover works on a realm, and only one on a cell: advisory locks of a session in the directory. What
 * a mover that has lost them still does, is checked by the statements themselves.
 */
export class MoverLock {
  readonly #session: Session
  readonly #timer: NodeJS.Timeout

  private constructor(session: Session) {
    this.#session = session
    this.#timer = setInterval(() => void ping(session).catch(() => {}), pingEveryMs)
    this.#timer.unref()
  }

  static async take(directory: Database, realm: number, cells: readonly number[]): Promise<MoverLock> {
    const lock = new MoverLock(await directory.open({ idle_session_timeout: idleLimit }))
    try {
      await lock.#takeAll(realm, cells)
      return lock
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  async #takeAll(realm: number, cells: readonly number[]): Promise<void> {
    if (!(await tryLock(this.#session, lockKinds.realm, realm)))
      throw new MoveError('Another command moves this realm now.')
    for (const cell of [...new Set(cells)].sort((a, b) => a - b)) {
      if (await tryLock(this.#session, lockKinds.cell, cell)) continue
      throw new MoveError(`Another realm moves from or to cell ${cell} now. Run this again when it is done.`)
    }
  }

  /** Throws when the locks are lost. */
  async check(): Promise<void> {
    try {
      await ping(this.#session)
    } catch {
      throw new MoveError('The lock in the directory was lost. Run the same command again to go on.')
    }
  }

  async release(): Promise<void> {
    clearInterval(this.#timer)
    await this.#session.close()
  }
}
