import type { RealmScoped } from '../../db/rowSecurity.ts'
import { invalid, overloaded, RefusalError } from '../../errors.ts'
import type { FeedEntry, History } from '../../ledger/index.ts'
import { Follower } from './follower.ts'
import { Heads } from './heads.ts'
import { readHeads } from './headsStore.ts'
import { InTurn } from './inTurn.ts'
import { type Frame, LiveJournal } from './liveJournal.ts'

/** Open streams of a process, however many clients they belong to. */
const mostStreams = 2_000
/** Entries that are read at once. */
const pageSize = 200
/** Pages that are read from the database at once for all streams, so that most sessions stay free. */
const readsAtOnce = 2
/** A page that shows a leaderboard loads it again at most this often. */
const boardSpacingMs = 1_000

export type StreamsOptions = {
  readonly db: RealmScoped & { onFailover(listener: () => void): void }
  readonly history: Pick<History, 'feed'>
  /** An entry as JSON, without line breaks. */
  readonly textOf: (entry: FeedEntry) => string
  /** Open streams of one key. */
  readonly perClient: number
  readonly onFault: (error: unknown) => void
}

/** Where a stream begins: after an entry, which this part of the request names, or at the end. */
export type Start = { readonly after: bigint; readonly from: string } | 'end'

export type StreamQuery = {
  readonly realm: number
  /** Whose limit it counts towards. */
  readonly client: string
  readonly start: Start
}

/** The pieces of an open stream, and what ends it. */
export type OpenStream = { readonly pieces: AsyncIterable<string>; readonly end: () => void }

/** A realm that is being followed. */
type Followed = {
  readonly journal: LiveJournal
  readonly followers: Set<Follower>
  readonly unwatch: () => void
}

type Kind = {
  readonly newer: (journal: LiveJournal) => (after: bigint, head: bigint) => Promise<readonly Frame[]>
  readonly spacingMs: number
  /** Whether it begins with the last entry, not with the next one. */
  readonly withLast: boolean
}

const entries: Kind = {
  newer: (journal) => (after) => journal.after(after),
  spacingMs: 0,
  withLast: false,
}

/**
 * Only that there is something new, and up to which entry. The first says what is the last now: it may be
 * newer than what a client has loaded before.
 */
const news: Kind = {
  newer: () => async (_after, head) => [{ seq: head, text: frame(head, `{"seq":"${head}"}`) }],
  spacingMs: boardSpacingMs,
  withLast: true,
}

const frame = (seq: bigint, data: string): string => `id: ${seq}\ndata: ${data}\n\n`

/** The open streams of this process: journals as they grow, and news for public leaderboards. */
export class Streams {
  readonly #options: StreamsOptions
  readonly #heads: Heads
  readonly #reads = new InTurn(readsAtOnce)
  readonly #followed = new Map<number, Followed>()
  readonly #perClient = new Map<string, number>()
  #open = 0

  constructor(options: StreamsOptions) {
    this.#options = options
    this.#heads = new Heads(options)
    options.db.onFailover(() => this.#endAll())
  }

  get size(): number {
    return this.#open
  }

  /** Notes that this process wrote to a realm. */
  written(realm: number): void {
    this.#heads.written(realm)
  }

  /** The entries of a realm's journal, each as soon as it is posted. */
  journal(asked: StreamQuery): Promise<OpenStream> {
    return this.#follow(asked, entries)
  }

  /** The number of the last entry, whenever there is a newer one. */
  news(asked: Omit<StreamQuery, 'start'>): Promise<OpenStream> {
    return this.#follow({ ...asked, start: 'end' }, news)
  }

  /** Ends all streams; their clients connect to another process. */
  close(): void {
    this.#heads.close()
    this.#endAll()
  }

  #endAll(): void {
    for (const { followers } of this.#followed.values()) for (const one of followers) one.end()
  }

  async #follow({ realm, client, start }: StreamQuery, kind: Kind): Promise<OpenStream> {
    const free = this.#take(client)
    try {
      const head = (await readHeads(this.#options.db, [realm])).get(realm) ?? 0n
      if (start !== 'end' && start.after > head) throw ahead(start, head)
      const followed = this.#followed.get(realm) ?? this.#watch(realm)
      const follower = new Follower({
        after: start === 'end' ? head - (kind.withLast ? 1n : 0n) : start.after,
        newer: kind.newer(followed.journal),
        spacingMs: kind.spacingMs,
        onEnd: () => {
          followed.followers.delete(follower)
          if (followed.followers.size === 0) this.#leave(realm, followed)
          free()
        },
      })
      followed.followers.add(follower)
      follower.moved(head)
      return { pieces: follower, end: () => follower.end() }
    } catch (error) {
      free()
      throw error
    }
  }

  #watch(realm: number): Followed {
    // In turn, so that streams that are far behind do not delay requests.
    const journal = new LiveJournal((after) => this.#reads.run(() => this.#read(realm, after)))
    const followers = new Set<Follower>()
    const unwatch = this.#heads.watch(realm, (head) => {
      for (const follower of followers) follower.moved(head)
    })
    const followed = { journal, followers, unwatch }
    this.#followed.set(realm, followed)
    return followed
  }

  async #read(realm: number, after: bigint): Promise<Frame[]> {
    const { history, textOf } = this.#options
    const { pieces } = await history.feed(realm, { after, limit: pageSize })
    const frames: Frame[] = []
    for await (const page of pieces)
      for (const entry of page) frames.push({ seq: entry.seq, text: frame(entry.seq, textOf(entry)) })
    return frames
  }

  #leave(realm: number, followed: Followed): void {
    followed.unwatch()
    if (this.#followed.get(realm) === followed) this.#followed.delete(realm)
  }

  /** Counts a stream; returns what gives its place back, once. */
  #take(client: string): () => void {
    const own = this.#perClient.get(client) ?? 0
    if (own >= this.#options.perClient) throw tooMany(this.#options.perClient)
    if (this.#open >= mostStreams) throw full()
    this.#open += 1
    this.#perClient.set(client, own + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      this.#open -= 1
      const left = (this.#perClient.get(client) ?? 1) - 1
      if (left > 0) this.#perClient.set(client, left)
      else this.#perClient.delete(client)
    }
  }
}

const ahead = ({ from }: Exclude<Start, 'end'>, head: bigint): RefusalError =>
  invalid(from, `The journal ends at entry ${head}. Entries that you have may have been lost: compare them.`)

const headers = { 'retry-after': '5' }

const tooMany = (limit: number): RefusalError =>
  new RefusalError({
    code: 'rate_limited',
    detail: `This client has ${limit} open streams. Close one, or share one among its readers.`,
    headers,
  })

const full = (): RefusalError =>
  new RefusalError({
    ...overloaded,
    detail: `This process has ${mostStreams} open streams. Try again later.`,
    headers,
  })
