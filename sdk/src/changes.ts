import { type ChangeOptions, callOf } from './change.ts'
import { digits, type MemberId } from './ids.ts'
import { type RangeOptions, rangeOf } from './ranges.ts'
import { madeOf } from './response.ts'
import { type AnswerOf, type CallOptions, sentAs } from './routes.ts'
import type { Transport } from './transport.ts'

export type BatchResult = AnswerOf<'PATCH /members/tokenBalance'>
export type ChangeOutcome = AnswerOf<'POST /changes'>['data'][number]
export type ReversalResult = AnswerOf<'POST /entries/{transactionID}/reverse'>
export type ReversedMany = AnswerOf<'POST /reversals'>

/** One change of a batch. */
export type BatchEntry = {
  readonly member: MemberId
  readonly tokens: number
  readonly realmPointId?: string
  /** The reason for this change only. */
  readonly reason?: string
}

type Said = 'reason' | 'reference' | 'metadata' | 'actorId'

/** One change of a list; with `recipient` it is a transfer. */
export type ListedChange = BatchEntry &
  Pick<ChangeOptions, Said | 'idempotencyKey' | 'ifMatch'> & {
    readonly recipient?: MemberId
  }

/** Defaults for changes that do not set their own values. */
export type ChangesOptions = CallOptions &
  Pick<ChangeOptions, Said | 'dryRun' | 'idempotencyKey'> & {
    /** Apply all changes or none. */
    readonly atomic?: boolean
  }

/** Which entries: those that match every given filter. */
export type ReversalFilter = RangeOptions & {
  readonly reference?: string
  readonly actorId?: MemberId
  /** The key that created them. */
  readonly keyId?: string
}

export type ReverseOptions = Omit<ChangeOptions, 'ifMatch' | 'realmPointId'>

/** Changes to the points of many members, and reversals: a part of `Realm`. */
export abstract class Changes {
  protected readonly transport: Transport
  protected readonly base: string

  protected constructor(transport: Transport, base: string) {
    this.transport = transport
    this.base = base
  }

  /**
   * Up to a thousand changes, all applied or none.
   *
   * @example
   * ```ts
   * await realm.batch([{ member: '1190194345295482952', tokens: 5 }], { reason: 'a tournament' })
   * ```
   */
  batch(entries: readonly BatchEntry[], { reason, ...options }: ReverseOptions = {}): Promise<BatchResult> {
    const { said, call } = callOf(options)
    const body = {
      ...(reason === undefined ? {} : { description: reason }),
      entries: entries.map(({ member, ...rest }) => ({ memberId: digits(member), ...rest })),
      ...said,
    }
    return this.transport.send({
      method: 'PATCH',
      path: `${this.base}/members/tokenBalance`,
      body,
      ...call,
    })
  }

  /**
   * Up to a thousand changes and transfers, each with its own outcome. Changes without an idempotency key get
   * one, so that the list can be retried; `idempotencyKey` covers the whole list. With `atomic`, all are
   * applied or none.
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
    { atomic = false, ...whole }: ChangesOptions = {},
  ): Promise<readonly ChangeOutcome[]> {
    const isKeyed = atomic || whole.idempotencyKey !== undefined
    const changes = list.map(({ member, recipient, idempotencyKey, ifMatch, ...options }) => {
      const { said, call } = callOf({
        ...options,
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      })
      const given = recipient === undefined ? {} : { recipientId: digits(recipient) }
      const key = isKeyed ? idempotencyKey : call.idempotencyKey
      return { memberId: digits(member), ...given, ...said, ifMatch, idempotencyKey: key }
    })
    const { said: ofAll, call } = callOf(whole)
    const { idempotencyKey: _own, ...apart } = call
    const answer = await this.transport.send<AnswerOf<'POST /changes'>>({
      method: 'POST',
      path: `${this.base}/changes`,
      body: { changes, ...(atomic ? { atomic } : {}), ...ofAll },
      repeatable: true,
      ...(isKeyed ? call : apart),
    })
    return madeOf(answer.data, answer)
  }

  /**
   * Reverses an entry, by its transaction id. Possible once.
   *
   * @example
   * ```ts
   * const { transactionId } = await realm.member('1190194345295482952').adjust(5)
   * await realm.reverse(transactionId, { reason: 'a mistake' })
   * ```
   */
  reverse(transactionId: string, options: ReverseOptions = {}): Promise<ReversalResult> {
    const { said, call } = callOf(options)
    const path = `${this.base}/entries/${transactionId}/reverse`
    return this.transport.send({ method: 'POST', path, body: said, ...call })
  }

  /**
   * Reverses all entries that match the filter, a thousand at a time, newest first. Each is reversed on its
   * own; those that can't be are listed in `refused`. Try `dryRun` first: it returns the same and changes
   * nothing.
   *
   * @example
   * ```ts
   * await realm.member('1190194345295482952').adjust(5, { reference: 'quiz 7' })
   * for await (const { matched } of realm.reverseMany({ reference: 'quiz 7' }, { dryRun: true })) console.log(matched)
   * for await (const { reversed, refused } of realm.reverseMany({ reference: 'quiz 7' }))
   *   console.log(reversed.length, 'undone,', refused.length, 'not')
   * ```
   */
  async *reverseMany(
    { actorId, ...rest }: ReversalFilter,
    { dryRun, idempotencyKey, ...options }: ReverseOptions = {},
  ): AsyncGenerator<ReversedMany> {
    const filter = {
      ...rest,
      actorId: actorId === undefined ? undefined : digits(actorId),
      ...rangeOf(rest),
    }
    const { said } = callOf(options)
    let cursor: string | null | undefined
    for (let number = 1; cursor !== null; number += 1) {
      const page: ReversedMany = await this.transport.send({
        method: 'POST',
        path: `${this.base}/reversals`,
        query: { dryRun: dryRun === true ? true : undefined },
        body: { filter, cursor, ...said },
        // A reversed entry is not reversed twice.
        repeatable: true,
        ...sentAs({ ...options, ...pageKey(idempotencyKey, number) }),
      })
      yield page
      cursor = page.nextCursor
    }
  }
}

/** Each thousand entries are one request with its own idempotency key. */
const pageKey = (key: string | undefined, page: number) =>
  key === undefined ? {} : { idempotencyKey: page === 1 ? key : `${key}.${page}` }
