import { type ChangeOptions, callOf } from './change.ts'
import { digits, type MemberId } from './ids.ts'
import { Member } from './member.ts'
import { type Settings, Transport } from './transport.ts'
import type { RealmOperations } from './types.ts'

type AnswerOf<Route extends keyof RealmOperations> = RealmOperations[Route]['answer']

export type Includes = AnswerOf<'POST /members/includes'>
export type RealmData = AnswerOf<'GET /'>
export type Batched = AnswerOf<'PATCH /members/tokenBalance'>
export type ChangeOutcome = AnswerOf<'POST /changes'>['outcomes'][number]
export type Reversed = AnswerOf<'POST /entries/{transactionID}/reversal'>
export type EntryData = AnswerOf<'GET /entries/{transactionID}'>
export type JournalEntry = AnswerOf<'GET /journal'>['entries'][number]
export type Leaderboard = AnswerOf<'GET /leaderboard'>
export type Statistics = AnswerOf<'GET /statistics'>

export type RealmSettings = Settings & {
  /** The realm's id. */
  readonly realm: string
}

/** One change of a batch. */
export type BatchEntry = {
  readonly member: MemberId
  readonly tokens: number
  readonly realmPointId?: string
}

/** One of a list of changes: with `recipient` it is a transfer. */
export type ListedChange = BatchEntry &
  Pick<ChangeOptions, 'reason' | 'reference' | 'metadata' | 'actorId' | 'idempotencyKey'> & {
    readonly recipient?: MemberId
  }

export type LeaderboardOptions = {
  readonly realmPointId?: string
  readonly period?: 'all' | 'week' | 'month' | 'range'
  /** Days of a range, as `2026-01-31`. */
  readonly from?: string
  readonly to?: string
  readonly limit?: number
  readonly cursor?: string
  readonly exclude?: readonly MemberId[]
}

export type JournalOptions = {
  /** Entries after this one; from the first when left out. */
  readonly after?: string
  /** Wait for new entries at the end, asking again after so many milliseconds. */
  readonly followMs?: number
  readonly signal?: AbortSignal
}

/**
 * A realm of an Exchequer server.
 *
 * @example
 * ```ts
 * const realm = new Realm({ url, realm: realmId, key })
 * await realm.member('1190194345295482952').adjust(25)
 * ```
 */
export class Realm {
  readonly #transport: Transport
  readonly #base: string

  constructor({ realm, ...settings }: RealmSettings) {
    this.#transport = new Transport(settings)
    this.#base = `/api/v4/realms/${encodeURIComponent(realm)}`
  }

  /**
   * A member, by id. Nothing is asked until one of its methods is called.
   *
   * @example
   * ```ts
   * const member = realm.member(1190194345295482952n)
   * ```
   */
  member(id: MemberId): Member {
    return new Member(this.#transport, this.#base, id)
  }

  /**
   * The realm's settings and kinds of points.
   *
   * @example
   * ```ts
   * const { name, points } = await realm.get()
   * ```
   */
  get(): Promise<RealmData> {
    return this.#transport.send({ method: 'GET', path: this.#base })
  }

  /**
   * Whether wallets belong to members.
   *
   * @example
   * ```ts
   * const { includes } = await realm.includes(['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'])
   * ```
   */
  includes(wallets: readonly string[]): Promise<Includes> {
    const path = `${this.#base}/members/includes`
    return this.#transport.send({ method: 'POST', path, body: { wallets }, repeatable: true })
  }

  /**
   * Changes of many members that all happen or none, up to a thousand.
   *
   * @example
   * ```ts
   * await realm.batch([{ member: '1190194345295482952', tokens: 5 }], { reason: 'a tournament' })
   * ```
   */
  batch(
    entries: readonly BatchEntry[],
    { reason, ...options }: Omit<ChangeOptions, 'ifMatch' | 'realmPointId'> = {},
  ): Promise<Batched> {
    const { said, call } = callOf(options)
    const body = {
      ...(reason === undefined ? {} : { description: reason }),
      entries: entries.map(({ member, ...rest }) => ({ memberId: digits(member), ...rest })),
      ...said,
    }
    return this.#transport.send({
      method: 'PATCH',
      path: `${this.#base}/members/tokenBalance`,
      body,
      ...call,
    })
  }

  /**
   * Up to a thousand changes and transfers, each with its own outcome. Each without a key is given one, so that
   * the list can be sent again.
   *
   * @example
   * ```ts
   * const outcomes = await realm.changes([
   *   { member: '1190194345295482952', tokens: 5 },
   *   { member: '1190194345295482952', recipient: '1190194345295482953', tokens: 2 },
   * ])
   * ```
   */
  async changes(
    list: readonly ListedChange[],
    { dryRun, signal }: Pick<ChangeOptions, 'dryRun' | 'signal'> = {},
  ): Promise<readonly ChangeOutcome[]> {
    const changes = list.map(({ member, recipient, idempotencyKey, ...options }) => {
      const { said, call } = callOf({
        ...options,
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      })
      const given = recipient === undefined ? {} : { recipientId: digits(recipient) }
      return { memberId: digits(member), ...given, ...said, idempotencyKey: call.idempotencyKey }
    })
    const { outcomes } = await this.#transport.send<AnswerOf<'POST /changes'>>({
      method: 'POST',
      path: `${this.#base}/changes`,
      query: { dryRun: dryRun === true ? true : undefined },
      body: { changes },
      repeatable: true,
      ...(signal === undefined ? {} : { signal }),
    })
    return outcomes
  }

  /**
   * Undoes an entry, by the transaction id of its answer. Once.
   *
   * @example
   * ```ts
   * const { transactionId } = await realm.member('1190194345295482952').adjust(5)
   * await realm.reverse(transactionId, { reason: 'a mistake' })
   * ```
   */
  reverse(
    transactionId: string,
    options: Omit<ChangeOptions, 'ifMatch' | 'realmPointId'> = {},
  ): Promise<Reversed> {
    const { said, call } = callOf(options)
    const path = `${this.#base}/entries/${transactionId}/reversal`
    return this.#transport.send({ method: 'POST', path, body: said, ...call })
  }

  /**
   * One entry of the journal.
   *
   * @example
   * ```ts
   * const { transactionId } = await realm.member('1190194345295482952').adjust(5)
   * const entry = await realm.entry(transactionId)
   * ```
   */
  entry(transactionId: string): Promise<EntryData> {
    return this.#transport.send({ method: 'GET', path: `${this.#base}/entries/${transactionId}` })
  }

  /**
   * Who has most, or gained most in a period.
   *
   * @example
   * ```ts
   * const { members } = await realm.leaderboard({ period: 'week', limit: 10 })
   * ```
   */
  leaderboard({ exclude, ...options }: LeaderboardOptions = {}): Promise<Leaderboard> {
    const query = { ...options, exclude: exclude?.map(digits).join(',') }
    return this.#transport.send({ method: 'GET', path: `${this.#base}/leaderboard`, query })
  }

  /**
   * What is issued, spent and held, and what happened by day.
   *
   * @example
   * ```ts
   * const statistics = await realm.statistics()
   * ```
   */
  statistics(): Promise<Statistics> {
    return this.#transport.send({ method: 'GET', path: `${this.#base}/statistics` })
  }

  /**
   * The realm's journal, entry by entry without a gap. With `followMs` it goes on as entries are made.
   *
   * @example
   * ```ts
   * for await (const entry of realm.journal({ after: '0' })) console.log(entry.seq, entry.hash)
   * ```
   */
  async *journal({ after = '0', followMs, signal }: JournalOptions = {}): AsyncGenerator<JournalEntry> {
    const path = `${this.#base}/journal`
    for (let last = after; ; ) {
      const page: AnswerOf<'GET /journal'> = await this.#transport.send({
        method: 'GET',
        path,
        query: { after: last, limit: 1000 },
        ...(signal === undefined ? {} : { signal }),
      })
      yield* page.entries
      last = page.entries.at(-1)?.seq ?? last
      if (page.entries.length > 0) continue
      if (followMs === undefined || signal?.aborted) return
      await new Promise((resolve) => setTimeout(resolve, followMs))
    }
  }
}
