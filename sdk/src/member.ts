import { type ChangeOptions, callOf, type PutOptions, putOf } from './change.ts'
import { type HoldOptions, type HoldPage, NewHold } from './hold.ts'
import { digits, type MemberId } from './ids.ts'
import { type BoardOptions, boardQuery } from './leaderboard.ts'
import { List, type ListOptions } from './list.ts'
import type { MemberChange } from './members.ts'
import { type RangeOptions, rangeOf } from './ranges.ts'
import { madeOf } from './response.ts'
import { type AnswerOf, type BodyOf, type CallOptions, sentAs } from './routes.ts'
import type { Transport } from './transport.ts'

export type MemberData = AnswerOf<'GET /members/{memberID}'>
export type Web3Data = AnswerOf<'GET /web3/members/{memberID}'>
export type AdjustResult = AnswerOf<'PATCH /members/{memberID}/tokenBalance'>
export type TransferResult = AnswerOf<'PATCH /members/{memberID}/transfer'>

/** A member with its ETag. */
export type ReadMember = MemberData & { readonly etag: string | undefined }

export type ProfileData = AnswerOf<'GET /members/{memberID}/profile'>
export type WalletData = Web3Data['wallets'][number]
export type NewWallet = BodyOf<'POST /members/{memberID}/wallets'>
export type Rank = AnswerOf<'GET /leaderboard/{memberID}'>
/** `details`: how many entries had details erased; missing when the response was lost. */
export type ErasureResult = Pick<AnswerOf<'POST /members/{memberID}/erasure'>, 'erased'> & {
  readonly details?: number
}

export type RankOptions = BoardOptions &
  CallOptions & {
    /** How many members above and below to include. */
    readonly neighbours?: number
  }

export type HistoryOptions = ListOptions &
  RangeOptions & {
    readonly realmPointId?: string
    readonly direction?: 'in' | 'out'
  }
export type HistoryPage = AnswerOf<'GET /members/{memberID}/history'>
export type HistoryEntry = HistoryPage['data'][number]

/** One member of a realm. Nothing is requested until a method is called. */
export class Member {
  /** As it was given: digits, or an identity. */
  readonly id: string
  readonly #transport: Transport
  readonly #base: string
  readonly #segment: string
  readonly #path: string

  constructor(transport: Transport, base: string, id: MemberId) {
    this.id = digits(id)
    this.#transport = transport
    this.#base = base
    this.#segment = encodeURIComponent(this.id)
    this.#path = `${base}/members/${this.#segment}`
  }

  /**
   * Reads the member.
   *
   * @example
   * ```ts
   * const { tokenBalance, etag } = await realm.member('1190194345295482952').get()
   * ```
   */
  async get(options: CallOptions = {}): Promise<ReadMember> {
    const call = { method: 'GET', path: this.#path, ...sentAs(options) } as const
    const { value, headers } = await this.#transport.answer<MemberData>(call)
    return madeOf({ ...value, etag: headers.get('etag') ?? undefined }, value)
  }

  /**
   * The member's balances at a past time.
   *
   * @example
   * ```ts
   * const then = await realm.member('1190194345295482952').at(new Date())
   * ```
   */
  at(moment: Date, options: CallOptions = {}): Promise<MemberData> {
    const query = { at: moment.toISOString() }
    return this.#transport.send({ method: 'GET', path: this.#path, query, ...sentAs(options) })
  }

  /**
   * The member with its note and metadata, which are for managers.
   *
   * @example
   * ```ts
   * const { note, metadata } = await realm.member('1190194345295482952').profile()
   * ```
   */
  profile(options: CallOptions = {}): Promise<ProfileData> {
    return this.#transport.send({ method: 'GET', path: `${this.#path}/profile`, ...sentAs(options) })
  }

  /**
   * Creates the member, or changes the given fields.
   *
   * @example
   * ```ts
   * await realm.member('1190194345295482952').put({ username: 'ann', note: 'Runs the Friday quiz.' })
   * ```
   */
  put(change: MemberChange = {}, options: PutOptions = {}): Promise<ProfileData> {
    return this.#transport.send({ method: 'PUT', path: this.#path, body: change, ...putOf(options) })
  }

  /**
   * Freezes the member: it can't spend points but still receives them. `false` unfreezes it.
   *
   * @example
   * ```ts
   * await realm.member('1190194345295482956').freeze()
   * await realm.member('1190194345295482956').freeze(false)
   * ```
   */
  freeze(frozen = true, options: CallOptions = {}): Promise<ProfileData> {
    return this.put({ frozen }, options)
  }

  /**
   * Removes the member, who must have no points. Its entries stay in the journal.
   *
   * @example
   * ```ts
   * const member = realm.member('1190194345295482957')
   * await member.put()
   * await member.remove()
   * ```
   */
  async remove(options: CallOptions = {}): Promise<void> {
    const doneBy = { code: 'member_not_found', value: undefined }
    await this.#transport.send({ method: 'DELETE', path: this.#path, doneBy, ...sentAs(options) })
  }

  /**
   * Removes the member, who must have no points, and erases its personal data. This can't be undone.
   *
   * @example
   * ```ts
   * const member = realm.member('1190194345295482958')
   * await member.put({ username: 'to be forgotten' })
   * await member.erase()
   * ```
   */
  erase(options: CallOptions = {}): Promise<ErasureResult> {
    const doneBy = { code: 'member_not_found', value: { erased: true } }
    const path = `${this.#path}/erasure`
    return this.#transport.send({ method: 'POST', path, repeatable: true, doneBy, ...sentAs(options) })
  }

  /**
   * Links a wallet, unverified.
   *
   * @example
   * ```ts
   * await realm.member('1190194345295482952').link({ address: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359' })
   * ```
   */
  link(wallet: NewWallet, options: CallOptions = {}): Promise<WalletData> {
    const call = { method: 'POST', path: `${this.#path}/wallets`, body: wallet, repeatable: true } as const
    return this.#transport.send({ ...call, ...sentAs(options) })
  }

  /**
   * Unlinks a wallet.
   *
   * @example
   * ```ts
   * const member = realm.member('1190194345295482952')
   * await member.link({ address: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb' })
   * await member.unlink('0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb')
   * ```
   */
  async unlink(address: string, options: CallOptions = {}): Promise<void> {
    const path = `${this.#path}/wallets/${encodeURIComponent(address)}`
    const doneBy = { code: 'wallet_not_found', value: undefined }
    await this.#transport.send({ method: 'DELETE', path, doneBy, ...sentAs(options) })
  }

  /**
   * The member's rank on a leaderboard, with its neighbours.
   *
   * @example
   * ```ts
   * const { member, above } = await realm.member('1190194345295482952').rank({ neighbours: 2 })
   * ```
   */
  rank({ neighbours, ...options }: RankOptions = {}): Promise<Rank> {
    const query = { ...boardQuery(options), neighbours }
    const path = `${this.#base}/leaderboard/${this.#segment}`
    return this.#transport.send({ method: 'GET', path, query, ...sentAs(options) })
  }

  /**
   * The member's open holds, newest first.
   *
   * @example
   * ```ts
   * const holds = realm.member('1190194345295482952').holds()
   * for await (const { holdId, tokens } of holds) console.log(holdId, tokens)
   * ```
   */
  holds(options: ListOptions = {}): List<HoldPage> {
    return new List(this.#transport, `${this.#path}/holds`, options)
  }

  /**
   * The member's wallets, as a list. Its pages also have `acts`: who linked and unlinked what, and when. It
   * needs a key that can link wallets; `web3()` needs one that can read them.
   *
   * @example
   * ```ts
   * const { data, acts } = await realm.member('1190194345295482952').wallets().page()
   * ```
   */
  wallets(options: ListOptions = {}): List<AnswerOf<'GET /members/{memberID}/wallets'>> {
    return new List(this.#transport, `${this.#path}/wallets`, options)
  }

  /**
   * The member's wallets.
   *
   * @example
   * ```ts
   * const { wallets } = await realm.member('1190194345295482952').web3()
   * ```
   */
  web3(options: CallOptions = {}): Promise<Web3Data> {
    const path = `${this.#base}/web3/members/${this.#segment}`
    return this.#transport.send({ method: 'GET', path, ...sentAs(options) })
  }

  /**
   * Adds points, or subtracts them when `tokens` is below 0. Retried until there is a response, and applied
   * once.
   *
   * @example
   * ```ts
   * const { newBalance } = await realm.member('1190194345295482952').adjust(25, { reason: 'a quest' })
   * ```
   */
  adjust(tokens: number, options: ChangeOptions = {}): Promise<AdjustResult> {
    const { said, call } = callOf(options)
    const path = `${this.#path}/tokenBalance`
    return this.#transport.send({ method: 'PATCH', path, body: { tokens, ...said }, ...call })
  }

  /**
   * Transfers points to another member: both balances change or neither.
   *
   * @example
   * ```ts
   * await realm.member('1190194345295482952').transfer('1190194345295482953', 5, { reason: 'thanks' })
   * ```
   */
  transfer(recipient: MemberId, tokens: number, options: ChangeOptions = {}): Promise<TransferResult> {
    const { said, call } = callOf(options)
    const body = { recipientId: digits(recipient), tokens, ...said }
    return this.#transport.send({ method: 'PATCH', path: `${this.#path}/transfer`, body, ...call })
  }

  /**
   * Reserves points: they can't be spent until the hold is captured or released, or expires.
   *
   * @example
   * ```ts
   * const hold = await realm.member('1190194345295482952').hold(10, { expiresIn: 600 })
   * await hold.capture({ tokens: 7 })
   * ```
   */
  async hold(tokens: number, { expiresIn, expiresAt, ...options }: HoldOptions = {}): Promise<NewHold> {
    const { said, call } = callOf(options)
    const body = { tokens, expiresIn, expiresAt, ...said }
    const path = `${this.#path}/holds`
    const made = await this.#transport.send<NewHold['data']>({ method: 'POST', path, body, ...call })
    return madeOf(new NewHold(this.#transport, this.#base, made), made)
  }

  /**
   * The member's entries, newest first.
   *
   * @example
   * ```ts
   * for await (const entry of realm.member('1190194345295482952').history({ from: '2026-01-01', to: '2027-01-01' })) {
   *   console.log(entry.at, entry.tokens, entry.reason)
   * }
   * ```
   */
  history({ from, to, realmPointId, direction, ...options }: HistoryOptions = {}): List<HistoryPage> {
    const query = { ...rangeOf({ from, to }), realmPointId, direction }
    return new List(this.#transport, `${this.#path}/history`, { ...options, query })
  }
}
