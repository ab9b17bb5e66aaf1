import type { Database } from '../db/database.ts'
import { RefusalError } from '../errors.ts'
import { Board, OtherHistory, type Subject } from './board.ts'

/** Memory of all boards of a process, at most: about ten realms of a million members. */
const bytesCap = 256 * 1024 * 1024
const boardsCap = 2_000
/** A board without a request for this long is dropped. */
const keptForMs = 5 * 60_000
/** A board requested this recently is kept up to date, so that the next request does not wait. */
const warmForMs = 30_000
const lookEveryMs = 1_000
/** Boards built at the same time. */
const buildersCap = 2
/** How long a request waits for a board that is being built, and for the latest entries. */
const buildWithinMs = 20_000
const refreshWithinMs = 900

type Held = { board: Board | undefined; building: Promise<Board> | undefined; usedAtMs: number }

/** The recently requested boards. */
export class Boards {
  readonly #db: Pick<Database, 'within'>
  readonly #held = new Map<string, Held>()
  readonly #looking: NodeJS.Timeout
  readonly #queue: (() => void)[] = []
  #builders = 0
  #closed = false

  constructor(db: Pick<Database, 'within' | 'onFailover'>) {
    this.#db = db
    db.onFailover(() => this.#held.clear())
    this.#looking = setInterval(() => this.#look(), lookEveryMs).unref()
  }

  /**
   * A board that includes all current entries. If catching up takes too long, the board as far as it is,
   * which its `seq` shows; it continues in the background.
   */
  async get(subject: Subject): Promise<Board> {
    const key = keyOf(subject)
    const held = this.#held.get(key) ?? { board: undefined, building: undefined, usedAtMs: 0 }
    // Keeps the map in order of last use.
    this.#held.delete(key)
    this.#held.set(key, held)
    held.usedAtMs = performance.now()
    const { board } = held
    if (board) {
      await within(this.#refresh(held, board), refreshWithinMs)
      // A board of another history is built again.
      if (held.board) return held.board
    }
    held.building ??= this.#build(subject, held)
    const built = await within(held.building, buildWithinMs)
    if (!built) throw new RefusalError(notYet)
    return built
  }

  /** Those of a realm that is not in this cell any more. */
  drop(realm: number): void {
    for (const key of this.#held.keys()) if (key.startsWith(`${realm}:`)) this.#held.delete(key)
  }

  close(): void {
    this.#closed = true
    clearInterval(this.#looking)
  }

  async #build(subject: Subject, held: Held): Promise<Board> {
    try {
      await this.#turn()
      held.board = await this.#made(subject)
      this.#shrink()
      return held.board
    } finally {
      held.building = undefined
      this.#builders -= 1
      this.#queue.shift()?.()
    }
  }

  /** Again when members were merged meanwhile. */
  async #made(subject: Subject): Promise<Board> {
    const own = this.#db.within([subject.realm])
    return Board.build(own, subject).catch((error: unknown) => {
      if (error instanceof OtherHistory) return Board.build(own, subject)
      throw error
    })
  }

  /** Drops a board that was built from another journal. */
  async #refresh(held: Held, board: Board): Promise<void> {
    try {
      await board.refresh()
    } catch (error) {
      if (!(error instanceof OtherHistory)) throw error
      if (held.board === board) held.board = undefined
    }
  }

  async #turn(): Promise<void> {
    this.#builders += 1
    if (this.#builders > buildersCap) await new Promise<void>((resolve) => this.#queue.push(resolve))
  }

  /** The least recently used are dropped first. */
  #shrink(): void {
    let bytes = 0
    for (const { board } of this.#held.values()) bytes += board?.ranking.bytes ?? 0
    for (const [key, { board }] of this.#held) {
      if (bytes <= bytesCap && this.#held.size <= boardsCap) return
      if (!board) continue
      bytes -= board.ranking.bytes
      this.#held.delete(key)
    }
  }

  #look(): void {
    const nowMs = performance.now()
    for (const [key, held] of this.#held) {
      const { board, building, usedAtMs } = held
      const unusedMs = nowMs - usedAtMs
      if (unusedMs > keptForMs && !building) this.#held.delete(key)
      // The next request reports an unreachable database.
      else if (unusedMs < warmForMs && !this.#closed && board) this.#refresh(held, board).catch(() => {})
    }
    this.#shrink()
  }
}

const notYet = {
  code: 'unavailable',
  detail: 'The leaderboard is being built, which takes a while for so many members; try again.',
  headers: { 'retry-after': '5' },
} as const

function keyOf({ realm, point, period }: Subject): string {
  if (!period) return `${realm}:${point}`
  return `${realm}:${point}:${period.range.from}:${period.range.to}:${period.timeZone}`
}

/**
 * The result of a promise, or undefined when it takes longer. The work continues, whether or not a caller
 * waits.
 */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  // A failure after the timeout is ignored.
  promise.catch(() => {})
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
