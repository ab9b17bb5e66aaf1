import { overloaded, unavailable, wrongCell } from '../../errors.ts'
import type { PostedCommand } from '../rules/command.ts'
import type { Memory } from './memory.ts'
import { dropExpired, type Pending, toSend } from './pending.ts'
import { Writer, type WriterOptions } from './writer.ts'

/** Changes in one transaction, at most. Beyond it a batch holds its locks long and gains little. */
const batchCap = 512
/**
 * Sessions that wait for heads which other processes hold: one each for this many contended realms at once.
 */
const waiterCount = 2

/** When the first command of a queue has waited this long, a new one is answered 503 at once. */
const waitCapMs = 1_000
/** Queued commands that are worth a second batch while one is under way. */
const secondFrom = 24
const underWayCap = 4
/** How often a command is tried again because another process holds its realm's head. */
const passedCap = 3
/**
 * So many are sent at once, while other requests of the same turn of the event loop are still being read. If
 * all were read first, PostgreSQL and this process would wait for each other in turn.
 */
const enough = 96

/**
 * Refuses the command when the queue is too long; returns whether it did. All commands have the same time to
 * their deadline.
 */
function turnedAway(pending: Pending, queue: readonly Pending[]): boolean {
  const first = queue.find(({ taken }) => !taken)
  if (!first || pending.deadlineMs - first.deadlineMs < waitCapMs) return false
  pending.refuse(overloaded)
  return true
}

/** The number of changes in a command. */
function weightOf(command: PostedCommand): number {
  if (command.kind === 'batch') return command.changes.length
  return command.kind === 'rehearsal' || command.kind === 'list' ? command.commands.length : 1
}

/** Takes the first commands of a queue, up to the cap and at least one. */
function takeBatch(queue: Pending[]): Pending[] {
  let weight = 0
  const end = queue.findIndex(({ command }) => {
    const before = weight
    weight += weightOf(command)
    return before > 0 && weight > batchCap
  })
  return queue.splice(0, end < 0 ? queue.length : end)
}

/**
 * Natural batching, no timer: while transactions run, commands queue; when one ends, all that wait go into
 * the next one. An idle server adds no delay, a busy one makes bigger batches. Within a realm commands are
 * decided in arrival order.
 */
class Lane {
  readonly #memory: Memory
  readonly #writer: Writer
  readonly #onContended: (pendings: readonly Pending[]) => void
  #queue: Pending[] = []
  #running = false
  #starting: NodeJS.Immediate | undefined
  /** Batches sent and not yet ended. */
  #underWay = 0
  /** Commands that memory was wrong about, in their order. */
  #returned: Pending[] = []
  #wake: (() => void) | undefined

  constructor(options: WriterOptions, onContended: (pendings: readonly Pending[]) => void) {
    this.#memory = options.memory
    this.#writer = new Writer(options)
    this.#onContended = onContended
  }

  add(pending: Pending): void {
    if (turnedAway(pending, this.#queue)) return
    this.#queue.push(pending)
    const { length } = this.#queue
    if (!this.#running) {
      this.#running = true
      // After this turn of the event loop, so that requests which arrived together go into one batch.
      this.#starting = setImmediate(() => this.#start())
    } else if (length === secondFrom && !this.#starting) setImmediate(() => this.#wake?.())
    if (length % enough !== 0) return
    if (this.#starting) this.#start()
    else this.#wake?.()
  }

  #start(): void {
    if (!this.#starting) return
    clearImmediate(this.#starting)
    this.#starting = undefined
    void this.#run()
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0 || this.#underWay > 0 || this.#returned.length > 0) {
      if (this.#mustWait()) {
        await this.#pause()
        continue
      }
      this.#queue.unshift(...this.#returned.splice(0))
      const batch = takeBatch(this.#queue)
      for (const pending of batch) pending.taken = true
      await this.#send(batch).catch((error: unknown) => this.#writer.giveUp(error, batch))
    }
    this.#running = false
  }

  #mustWait(): boolean {
    if (this.#underWay === 0) return false
    if (this.#returned.length > 0 || this.#underWay >= underWayCap) return true
    return this.#queue.length < secondFrom
  }

  /**
   * Sends optimistic commands without waiting for their outcome; pessimistic ones get the session to
   * themselves.
   */
  async #send(batch: readonly Pending[]): Promise<void> {
    const due = dropExpired(batch, performance.now())
    const session = due.length > 0 ? await this.#writer.ready() : undefined
    if (!session) {
      // Commands that arrived while connecting failed need not wait for the next attempt.
      for (const pending of [...due, ...this.#queue.splice(0)]) pending.refuse(unavailable)
      return
    }
    const recalled = await this.#memory.recall(due.map(({ command }) => command))
    const { optimistic = [], pessimistic = [] } = Object.groupBy(due, ({ command }) =>
      recalled.has(command.realm) ? 'optimistic' : 'pessimistic',
    )
    const sent = toSend(optimistic)
    if (sent.length > 0) {
      this.#underWay += 1
      void this.#writer.runOptimistic(session, sent).then((returned) => {
        this.#underWay -= 1
        this.#returned.push(...returned)
        this.#wake?.()
      })
    }
    if (pessimistic.length === 0) return
    while (this.#underWay > 0) await this.#pause()
    const contended = await this.#writer.run(pessimistic, 'free')
    this.#retry(contended, pessimistic.length)
  }

  /**
   * A head that another process holds for one batch of many realms is soon free: the next batch tries again.
   * A realm that is held all the time waits for its head alone.
   */
  #retry(contended: readonly Pending[], sent: number): void {
    const isCrowd = contended.length < sent
    const late = new Set(
      contended.filter(({ passed }) => passed >= passedCap).map(({ command }) => command.realm),
    )
    const { again = [], waiting = [] } = Object.groupBy(contended, ({ command }) =>
      isCrowd && !late.has(command.realm) ? 'again' : 'waiting',
    )
    for (const pending of again) pending.passed += 1
    this.#returned.push(...again)
    if (waiting.length > 0) this.#onContended(waiting)
  }

  /** Until a batch has ended, or enough commands wait for another one. */
  #pause(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  get depth(): number {
    return this.#queue.length
  }

  close(): Promise<void> {
    return this.#writer.close()
  }
}

/**
 * Commands of realms whose head another process holds: each waits for that head alone and delays no other
 * realm.
 */
class Waiters {
  readonly #free: Writer[]
  readonly #queues = new Map<number, Pending[]>()
  readonly #served = new Set<number>()
  readonly #onGone: (realm: number) => void

  constructor(options: WriterOptions) {
    this.#onGone = options.onGone
    this.#free = Array.from({ length: waiterCount }, () => new Writer(options))
  }

  has(realm: number): boolean {
    return this.#queues.has(realm)
  }

  add(pending: Pending): void {
    const { realm } = pending.command
    const queue = this.#queues.get(realm)
    if (queue && turnedAway(pending, queue)) return
    if (queue) queue.push(pending)
    else this.#queues.set(realm, [pending])
    this.#serve()
  }

  #serve(): void {
    for (const [realm, queue] of this.#queues) {
      if (this.#served.has(realm)) continue
      const writer = this.#free.pop()
      if (!writer) return
      this.#served.add(realm)
      void this.#drain(writer, realm, queue)
    }
  }

  /** One batch, then the next realm's turn: a hot realm does not occupy a waiter. */
  async #drain(writer: Writer, realm: number, queue: Pending[]): Promise<void> {
    const left = await writer.run(takeBatch(queue), 'wait')
    // It has waited for the head: there is none.
    if (left.length > 0) this.#onGone(realm)
    for (const pending of left) pending.refuse(wrongCell)
    this.#free.push(writer)
    this.#served.delete(realm)
    this.#queues.delete(realm)
    if (queue.length > 0) this.#queues.set(realm, queue)
    this.#serve()
  }

  get depth(): number {
    return [...this.#queues.values()].reduce((sum, queue) => sum + queue.length, 0)
  }

  async close(): Promise<void> {
    await Promise.all(this.#free.map((writer) => writer.close()))
  }
}

export type Depths = { readonly queued: number; readonly contended: number }

/** A realm always uses the same lane of a process, and its contended commands the waiters. */
export class Lanes {
  readonly #lanes: Lane[]
  readonly #waiters: Waiters

  constructor(options: WriterOptions, count: number) {
    this.#waiters = new Waiters(options)
    const onContended = (pendings: readonly Pending[]) => {
      for (const pending of pendings) this.#waiters.add(pending)
    }
    this.#lanes = Array.from({ length: count }, () => new Lane(options, onContended))
  }

  add(pending: Pending): void {
    const { realm } = pending.command
    if (this.#waiters.has(realm)) this.#waiters.add(pending)
    else this.#lanes[realm % this.#lanes.length]?.add(pending)
  }

  /** Commands not yet sent, and those of realms whose head another process holds. */
  depths(): Depths {
    const queued = this.#lanes.reduce((sum, lane) => sum + lane.depth, 0)
    return { queued, contended: this.#waiters.depth }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#lanes.map((lane) => lane.close()), this.#waiters.close()])
  }
}
