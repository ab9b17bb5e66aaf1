import { type ChangeOptions, callOf } from './change.ts'
import { Hold, type HoldOptions } from './hold.ts'
import { digits, type MemberId } from './ids.ts'
import type { Transport } from './transport.ts'
import type { RealmOperations } from './types.ts'

export type MemberData = RealmOperations['GET /members/{memberID}']['answer']
export type Web3Data = RealmOperations['GET /web3/members/{memberID}']['answer']
export type Adjusted = RealmOperations['PATCH /members/{memberID}/tokenBalance']['answer']
export type Transferred = RealmOperations['PATCH /members/{memberID}/transfer']['answer']

/** A member with the tag that it was read with. */
export type ReadMember = MemberData & { readonly etag: string | undefined }

export type HistoryOptions = {
  readonly realmPointId?: string
  readonly from?: Date
  readonly until?: Date
  readonly direction?: 'in' | 'out'
  /** Only entries before this one. */
  readonly before?: string
}
export type HistoryEntry = RealmOperations['GET /members/{memberID}/history']['answer']['entries'][number]

/** One member of a realm. Nothing is asked until a method is called. */
export class Member {
  readonly id: string
  readonly #transport: Transport
  readonly #base: string
  readonly #path: string

  constructor(transport: Transport, base: string, id: MemberId) {
    this.id = digits(id)
    this.#transport = transport
    this.#base = base
    this.#path = `${base}/members/${this.id}`
  }

  /**
   * Reads the member.
   *
   * @example
   * ```ts
   * const { tokenBalance, etag } = await realm.member('1190194345295482952').get()
   * ```
   */
  async get(): Promise<ReadMember> {
    const { value, headers } = await this.#transport.answer<MemberData>({ method: 'GET', path: this.#path })
    return { ...value, etag: headers.get('etag') ?? undefined }
  }

  /**
   * What the member had at a moment.
   *
   * @example
   * ```ts
   * const then = await realm.member('1190194345295482952').at(new Date())
   * ```
   */
  at(moment: Date): Promise<MemberData> {
    return this.#transport.send({ method: 'GET', path: this.#path, query: { at: moment.toISOString() } })
  }

  /**
   * The member's wallets.
   *
   * @example
   * ```ts
   * const { wallets } = await realm.member('1190194345295482952').web3()
   * ```
   */
  web3(): Promise<Web3Data> {
    return this.#transport.send({ method: 'GET', path: `${this.#base}/web3/members/${this.id}` })
  }

  /**
   * Adds points, or subtracts them when `tokens` is below 0. Sent again by itself until it is answered, and done
   * once.
   *
   * @example
   * ```ts
   * const { newBalance } = await realm.member('1190194345295482952').adjust(25, { reason: 'a quest' })
   * ```
   */
  adjust(tokens: number, options: ChangeOptions = {}): Promise<Adjusted> {
    const { said, call } = callOf(options)
    const path = `${this.#path}/tokenBalance`
    return this.#transport.send({ method: 'PATCH', path, body: { tokens, ...said }, ...call })
  }

  /**
   * Gives points to another member: both change or neither.
   *
   * @example
   * ```ts
   * await realm.member('1190194345295482952').transfer('1190194345295482953', 5, { reason: 'thanks' })
   * ```
   */
  transfer(recipient: MemberId, tokens: number, options: ChangeOptions = {}): Promise<Transferred> {
    const { said, call } = callOf(options)
    const body = { recipientId: digits(recipient), tokens, ...said }
    return this.#transport.send({ method: 'PATCH', path: `${this.#path}/transfer`, body, ...call })
  }

  /**
   * Reserves points: they can't be spent until they are captured or released, or the time has run out.
   *
   * @example
   * ```ts
   * const hold = await realm.member('1190194345295482952').hold(10, { expiresIn: 600 })
   * await hold.capture({ tokens: 7 })
   * ```
   */
  async hold(tokens: number, { expiresIn, ...options }: HoldOptions = {}): Promise<Hold> {
    const { said, call } = callOf(options)
    const body = { tokens, ...(expiresIn === undefined ? {} : { expiresIn }), ...said }
    const made = await this.#transport.send<Hold['data']>({
      method: 'POST',
      path: `${this.#path}/holds`,
      body,
      ...call,
    })
    return new Hold(this.#transport, this.#base, made)
  }

  /**
   * The member's entries, the newest first, page by page as they are asked for.
   *
   * @example
   * ```ts
   * for await (const entry of realm.member('1190194345295482952').history()) {
   *   console.log(entry.at, entry.tokens, entry.reason)
   * }
   * ```
   */
  async *history({ from, until, before, ...filter }: HistoryOptions = {}): AsyncGenerator<HistoryEntry> {
    type Page = RealmOperations['GET /members/{memberID}/history']['answer']
    const times = { from: from?.toISOString(), until: until?.toISOString() }
    let cursor: string | null | undefined = before
    do {
      const query = { ...filter, ...times, before: cursor ?? undefined }
      const page: Page = await this.#transport.send({ method: 'GET', path: `${this.#path}/history`, query })
      yield* page.entries
      cursor = page.next
    } while (cursor !== null)
  }
}
