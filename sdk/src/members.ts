import { digits, type MemberId } from './ids.ts'
import { type Abortable, type AnswerOf, type BodyOf, signalOf, type WithId } from './routes.ts'
import type { Transport } from './transport.ts'

export type MemberPage = AnswerOf<'GET /members'>
export type ListedMember = MemberPage['members'][number]
export type MemberChange = BodyOf<'PUT /members/{memberID}'>
export type PutMembers = AnswerOf<'POST /members'>

export type MemberFilter = Abortable & {
  /** How a username or displayName begins, whatever the case. */
  readonly search?: string
  /** That member or none. */
  readonly id?: MemberId
  /** Whose wallet it is. */
  readonly wallet?: string
}
export type MemberPageOptions = MemberFilter & {
  /** At most so many, 1 to 1000. */
  readonly limit?: number
  /** The `next` of the page before. */
  readonly cursor?: string
}

/** The members of a realm, all together. One of them is `realm.member(id)`. */
export class Members {
  readonly #transport: Transport
  readonly #path: string

  constructor(transport: Transport, base: string) {
    this.#transport = transport
    this.#path = `${base}/members`
  }

  /**
   * All members, or those that are looked for, page by page as they are asked for.
   *
   * @example
   * ```ts
   * for await (const member of realm.members.list({ search: 'an' })) console.log(member.id, member.username)
   * ```
   */
  async *list(filter: MemberFilter = {}): AsyncGenerator<ListedMember> {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: MemberPage = await this.page({ ...filter, ...(cursor ? { cursor } : {}) })
      yield* page.members
      cursor = page.next
    }
  }

  /**
   * One page of members. Its `next` is the `cursor` of the one that follows, null behind the last.
   *
   * @example
   * ```ts
   * const { members, next } = await realm.members.page({ limit: 20 })
   * ```
   */
  page({ signal, id, ...options }: MemberPageOptions = {}): Promise<MemberPage> {
    const query = { ...options, id: id === undefined ? undefined : digits(id) }
    return this.#transport.send({ method: 'GET', path: this.#path, query, ...(signal ? { signal } : {}) })
  }

  /**
   * Makes or changes many members, all or none. What is not given stays as it is.
   *
   * @example
   * ```ts
   * await realm.members.put([{ id: '1190194345295482954', username: 'ann' }, { id: '1190194345295482955' }])
   * ```
   */
  put(members: readonly WithId<MemberChange>[], options: Abortable = {}): Promise<PutMembers> {
    const body = { members: members.map(({ id, ...change }) => ({ id: digits(id), ...change })) }
    return this.#transport.send({
      method: 'POST',
      path: this.#path,
      body,
      repeatable: true,
      ...signalOf(options),
    })
  }
}
