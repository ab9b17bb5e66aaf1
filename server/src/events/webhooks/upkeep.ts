import type { Database } from '../../db/database.ts'
import { Lease } from '../../db/lease.ts'
import { RefusalError } from '../../errors.ts'

export const upkeepEverySeconds = 300
const leaseSeconds = 60
/** Rows, keys or realms at once. */
const most = 500
/** How often a task is repeated at a time: 50,000 rows. */
const passCap = 100

/** Does a part of its work, `most` or less, and returns how much there was. */
export type Task = (most: number) => Promise<number>

export type UpkeepOptions = {
  readonly onFault: (error: unknown) => void
  readonly everyMs?: number | undefined
  /** Called when every task has succeeded, also when another process does them. */
  readonly onDone?: (() => void) | undefined
}

/** What is done every few minutes for all realms, by one process at a time. */
export class Upkeep {
  readonly #tasks: readonly Task[]
  readonly #onFault: (error: unknown) => void
  readonly #lease: Lease
  readonly #timer: NodeJS.Timeout
  readonly #onDone: () => void
  #busy: Promise<void> | undefined
  #isClosed = false

  constructor(
    db: Database,
    tasks: readonly Task[],
    { onFault, everyMs = upkeepEverySeconds * 1000, onDone }: UpkeepOptions,
  ) {
    this.#tasks = tasks
    this.#onDone = onDone ?? (() => {})
    this.#onFault = onFault
    this.#lease = new Lease(db, 'deliveries', leaseSeconds)
    this.#timer = setInterval(() => void this.run(), everyMs).unref()
  }

  run(): Promise<void> {
    this.#busy ??= this.#runAll().finally(() => {
      this.#busy = undefined
    })
    return this.#busy
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#busy
  }

  /** A task that fails does not keep the others from their work. */
  async #runAll(): Promise<void> {
    let isAnyFailed = false
    for (const task of this.#tasks) {
      await this.#repeat(task).catch((error: unknown) => {
        isAnyFailed = true
        if (!(error instanceof RefusalError)) this.#onFault(error)
      })
    }
    if (!isAnyFailed) this.#onDone()
  }

  async #repeat(task: Task): Promise<void> {
    for (let pass = 0; pass < passCap && !this.#isClosed; pass++) {
      if (!(await this.#lease.take())) return
      if ((await task(most)) < most) return
    }
  }
}
