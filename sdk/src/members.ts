import { digits, type MemberId } from './ids.ts'
import { List, type ListOptions } from './list.ts'
import { type AnswerOf, type BodyOf, type CallOptions, sentAs, type WithId } from './routes.ts'
import type { Transport } from './transport.ts'

export type MemberPage = AnswerOf<'GET /members'>
export type ListedMember = MemberPage['data'][number]
export type MemberChange = BodyOf<'PUT /members/{memberID}'>
export type PutMembers = AnswerOf<'POST /members'>

export type MemberFilter = ListOptions & {
  /** A part of a username or displayName, ignoring case and accents. */
  readonly search?: string
  /** Only the member with this id. */
  readonly id?: MemberId
  /** From 3 to 18 digits in a row of an id. */
  readonly idPart?: string
  /** Only the member with this wallet. */
  readonly wallet?: string
  /** The start of a wallet address, or its start and end: `0x5aAe…eAed`. */
  readonly walletPart?: string
  /** A collection and an amount, as `founders:1`: members who hold at least that in verified wallets. */
  readonly holding?: string
}

/** The members of a realm. For a single one: `realm.member(id)`. */
export class Members {
  readonly #transport: Transport
  readonly #path: string

  constructor(transport: Transport, base: string) {
    this.#transport = transport
    this.#path = `${base}/members`
  }

  /**
   * All members, or those that match the filters.
   *
   * @example
   * ```ts
   * for await (const member of realm.members.list({ search: 'an' })) console.log(member.id, member.username)
   * const { data, nextCursor } = await realm.members.list().page({ limit: 20 })
   * ```
   */
  list({ search, id, idPart, wallet, walletPart, holding, ...options }: MemberFilter = {}): List<MemberPage> {
    const query = { search, id: id ? digits(id) : undefined, idPart, wallet, walletPart, holding }
    return new List(this.#transport, this.#path, { ...options, query })
  }

  /**
   * Creates or changes many members, all or none. Omitted fields stay unchanged.
   *
   * @example
   * ```ts
   * await realm.members.put([{ id: '1190194345295482954', username: 'ann' }, { id: '1190194345295482955' }])
   * ```
   */
  put(members: readonly WithId<MemberChange>[], options: CallOptions = {}): Promise<PutMembers> {
    const body = { members: members.map(({ id, ...change }) => ({ id: digits(id), ...change })) }
    return this.#transport.send({
      method: 'POST',
      path: this.#path,
      body,
      repeatable: true,
      ...sentAs(options),
    })
  }
}
