import { ExportFile } from './export.ts'
import type { MemberId } from './ids.ts'
import { List, type ListOptions } from './list.ts'
import { madeOf } from './response.ts'
import { type AnswerOf, type BodyOf, type CallOptions, sentAs } from './routes.ts'
import type { Transport } from './transport.ts'

export type SnapshotData = AnswerOf<'GET /snapshots/{snapshotID}'>
export type NewSnapshot = BodyOf<'POST /snapshots'>
export type SnapshotOptions = CallOptions & { readonly dryRun?: boolean }
type MemberPage = AnswerOf<'GET /snapshots/{snapshotID}/members'>
export type SnapshotMember = MemberPage['data'][number]
export type SnapshotMemberFilter = ListOptions & {
  /** Only members outside the tree, or only those in it. */
  readonly apart?: boolean
}
export type SnapshotProof = AnswerOf<'GET /snapshots/{snapshotID}/members/{memberID}'>

/** Balances of a point type by verified wallet, as Merkle trees for a contract. */
export class Snapshots {
  readonly #transport: Transport
  readonly #path: string

  constructor(transport: Transport, base: string) {
    this.#transport = transport
    this.#path = `${base}/snapshots`
  }

  /**
   * Takes a snapshot. A claimable one deducts the points first, which can't be undone: try it with `dryRun`.
   * The same `id` returns the same snapshot, so it is retried when the response is lost.
   *
   * @example
   * ```ts
   * const season = { id: 'season-1', chain: 'eip155:8453', claimable: true }
   * const { members, tokens, apart } = await realm.snapshots.take(season, { dryRun: true })
   * ```
   */
  take(snapshot: NewSnapshot, options: SnapshotOptions = {}): Promise<SnapshotData> {
    const call = { method: 'POST', path: this.#path, body: snapshot, repeatable: true } as const
    return this.#transport.send({ ...call, query: { dryRun: options.dryRun }, ...sentAs(options) })
  }

  /**
   * All snapshots, newest first.
   *
   * @example
   * ```ts
   * for await (const { id, root, tokens } of realm.snapshots.list()) console.log(id, root, tokens)
   * ```
   */
  list(options: ListOptions = {}): List<AnswerOf<'GET /snapshots'>> {
    return new List(this.#transport, this.#path, options)
  }

  /**
   * One snapshot.
   *
   * @example
   * ```ts
   * await realm.snapshots.take({ id: 'today', chain: 'eip155:8453' })
   * const { root, seq, hash } = await realm.snapshots.get('today')
   * ```
   */
  get(id: string, options: CallOptions = {}): Promise<SnapshotData> {
    return this.#transport.send({ method: 'GET', path: this.#at(id), ...sentAs(options) })
  }

  /**
   * All members who had points; with `apart` only those who are not in the tree.
   *
   * @example
   * ```ts
   * await realm.snapshots.take({ id: 'today', chain: 'eip155:8453' })
   * for await (const { id, tokens, apart } of realm.snapshots.members('today', { apart: true })) console.log(id, apart)
   * ```
   */
  members(id: string, { apart, ...options }: SnapshotMemberFilter = {}): List<MemberPage> {
    return new List(this.#transport, `${this.#at(id)}/members`, { ...options, query: { apart } })
  }

  /**
   * What a contract needs from a member: wallet, tokens and proof.
   *
   * @example
   * ```ts
   * await realm.snapshots.take({ id: 'today', chain: 'eip155:8453' })
   * const { wallet, tokens, proof } = await realm.snapshots.proof('today', '1190194345295482952')
   * ```
   */
  proof(id: string, member: MemberId, options: CallOptions = {}): Promise<SnapshotProof> {
    const path = `${this.#at(id)}/members/${encodeURIComponent(member.toString())}`
    return this.#transport.send({ method: 'GET', path, ...sentAs(options) })
  }

  /**
   * The whole tree as a stream, for `StandardMerkleTree.load()` of @openzeppelin/merkle-tree.
   *
   * @example
   * ```ts
   * await realm.snapshots.take({ id: 'today', chain: 'eip155:8453' })
   * const { stream } = await realm.snapshots.tree('today')
   * const { tree, values } = await new Response(stream).json()
   * ```
   */
  async tree(id: string, options: CallOptions = {}): Promise<ExportFile> {
    const call = { method: 'GET', path: `${this.#at(id)}/tree.json`, ...sentAs(options) } as const
    const { value } = await this.#transport.stream(call)
    return madeOf(new ExportFile(value, undefined), value)
  }

  /**
   * Deletes a snapshot that deducted no points.
   *
   * @example
   * ```ts
   * await realm.snapshots.take({ id: 'mistaken', chain: 'eip155:8453' })
   * await realm.snapshots.delete('mistaken')
   * ```
   */
  async delete(id: string, options: CallOptions = {}): Promise<void> {
    const doneBy = { code: 'snapshot_not_found', value: undefined }
    await this.#transport.send({ method: 'DELETE', path: this.#at(id), doneBy, ...sentAs(options) })
  }

  #at(id: string): string {
    return `${this.#path}/${encodeURIComponent(id)}`
  }
}
