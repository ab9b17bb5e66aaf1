import { overloaded, RefusalError } from '../../errors.ts'
import type { Reply, StreamReply } from '../problem.ts'

export type PageCaps = {
  /** Rows of all pages read at once. */
  readonly rows: number
  /** For one key; for one operator, person or address where there is no key. */
  readonly clientRows: number
  /** Rows of pages that wait. */
  readonly waitingRows: number
  readonly clientWaitingRows: number
  /** Bytes of pages that one client may read per second. */
  readonly clientRate: number
  /** Bytes that it may read at once after a pause (burst). */
  readonly clientBurst: number
}

/** A MiB of the journal takes 17 ms of the main thread: at this rate one client takes a seventh of it. */
export const defaultPages: PageCaps = {
  rows: 3_000,
  clientRows: 1_000,
  waitingRows: 200_000,
  clientWaitingRows: 16_000,
  clientRate: 8 * 1024 * 1024,
  clientBurst: 1024 * 1024,
}

/** The least rows that a page counts as. */
const leastRows = 10

/** Replaced by tests. */
export type Time = { readonly nowMs: () => number; readonly after: (ms: number, work: () => void) => void }

const ownTime: Time = {
  nowMs: () => performance.now(),
  after: (ms, work) => void setTimeout(work, ms).unref(),
}

type Turn = { readonly client: string; readonly rows: number; readonly waited: () => unknown }
type End = (bytes: number) => void
type Waiter = { readonly rows: number; readonly start: () => void }
type Client = {
  readonly name: string
  rows: number
  waitingRows: number
  readonly waiting: Waiter[]
  /** When its reads so far are paid off, at its rate. */
  evenAtMs: number
  /** When it is checked next. */
  timedAtMs: number
}

const makeClient = (name: string): Client => ({
  name,
  rows: 0,
  waitingRows: 0,
  waiting: [],
  evenAtMs: 0,
  timedAtMs: Number.POSITIVE_INFINITY,
})

/**
 * Limits the pages that are read at once, in total and per client, and how much a client reads per second: a
 * page costs memory and time long before its client reads it. Other pages wait in turn.
 */
export class PageSlots {
  readonly #caps: PageCaps
  readonly #time: Time
  /** Most recently served clients are last. */
  readonly #clients = new Map<string, Client>()
  #rows = 0
  #waitingRows = 0

  constructor(caps: PageCaps = defaultPages, time: Time = ownTime) {
    this.#caps = caps
    this.#time = time
  }

  /**
   * Reads a page in its turn; throws 429 or 503 when too many wait already. If it had to wait, `waited` is
   * called first: rights may have changed.
   */
  async run<T extends Reply | StreamReply>(
    { client, rows, waited }: Turn,
    read: () => T | Promise<T>,
  ): Promise<T> {
    const taken = this.#take(client, Math.max(rows, leastRows))
    const end = taken instanceof Promise ? await taken : taken
    let bytes = 0
    try {
      if (taken instanceof Promise) await waited()
      const reply = await read()
      bytes = bytesOf(reply)
      return reply
    } finally {
      end(bytes)
    }
  }

  #take(name: string, rows: number): End | Promise<End> {
    const own = this.#clients.get(name) ?? makeClient(name)
    if (own.waiting.length === 0 && this.#fits(own, rows)) return this.#start(own, rows)
    if (own.waitingRows + rows > this.#caps.clientWaitingRows) throw tooMany()
    if (this.#waitingRows + rows > this.#caps.waitingRows) throw new RefusalError(overloaded)
    this.#clients.set(name, own)
    own.waitingRows += rows
    this.#waitingRows += rows
    return new Promise((resolve) => {
      own.waiting.push({ rows, start: () => resolve(this.#start(own, rows)) })
    })
  }

  /** A single page is read whatever its size. */
  #fits(own: Client, rows: number): boolean {
    const { rows: all, clientRows } = this.#caps
    const hasRoom = own.rows === 0 || own.rows + rows <= clientRows
    return hasRoom && (this.#rows === 0 || this.#rows + rows <= all) && this.#restMs(own) <= 0
  }

  /** How long until the client may read again. */
  #restMs({ evenAtMs }: Client): number {
    const { clientBurst, clientRate } = this.#caps
    return evenAtMs - this.#time.nowMs() - (clientBurst / clientRate) * 1_000
  }

  #start(own: Client, rows: number): End {
    this.#clients.delete(own.name)
    this.#clients.set(own.name, own)
    own.rows += rows
    this.#rows += rows
    return (bytes) => {
      own.rows -= rows
      this.#rows -= rows
      own.evenAtMs = Math.max(own.evenAtMs, this.#time.nowMs()) + (bytes / this.#caps.clientRate) * 1_000
      this.#startNext()
      this.#later(own)
    }
  }

  /** Round robin over clients: the one served longest ago is first, and moves to the end when served. */
  #startNext(): void {
    if (this.#waitingRows === 0) return
    for (const own of this.#clients.values()) {
      const [next] = own.waiting
      if (!next || !this.#fits(own, next.rows)) continue
      own.waiting.shift()
      own.waitingRows -= next.rows
      this.#waitingRows -= next.rows
      next.start()
    }
  }

  /** Continues when the client may read again; forgets it when its reads are paid off. */
  #later(own: Client): void {
    const nowMs = this.#time.nowMs()
    const leftMs = own.evenAtMs - nowMs
    const isIdle = own.rows === 0 && own.waiting.length === 0
    if (leftMs <= 0 && isIdle && this.#clients.get(own.name) === own) this.#clients.delete(own.name)
    const restMs = this.#restMs(own)
    const waitMs = restMs > 0 ? restMs : leftMs
    const atMs = nowMs + waitMs
    if (leftMs <= 0 || own.timedAtMs <= atMs) return
    own.timedAtMs = atMs
    this.#time.after(waitMs, () => {
      if (own.timedAtMs === atMs) own.timedAtMs = Number.POSITIVE_INFINITY
      this.#startNext()
      this.#later(own)
    })
  }
}

/** Streamed responses are limited elsewhere. */
function bytesOf({ body }: Reply | StreamReply): number {
  return typeof body === 'string' || Buffer.isBuffer(body) ? body.length : 0
}

const tooMany = (): RefusalError =>
  new RefusalError({
    code: 'rate_limited',
    detail: 'This client has too many list requests in progress. Send them one after another.',
    headers: { 'retry-after': '1' },
  })
