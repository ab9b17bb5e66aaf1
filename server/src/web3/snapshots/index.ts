import { type Actor, record } from '../../audit/index.ts'
import type { Database } from '../../db/database.ts'
import { brokenConstraint } from '../../db/failures.ts'
import { writeTransaction } from '../../db/rowSecurity.ts'
import type { Queryable, Writable } from '../../db/session.ts'
import { invalid, RefusalError, refuse } from '../../errors.ts'
import { type ClaimResult, type ClaimTools, claim, makeDetails } from '../../ledger/index.ts'
import { type Configs, type Point, pointNotFound } from '../../realms/index.ts'
import { dumpOf } from './dump.ts'
import { type HolderRow, readHash } from './holderStore.ts'
import { emptySnapshot, holdersAt, leafIn, movedMeanwhile, totalsOf } from './holders.ts'
import {
  type FoundRow,
  findMember,
  hasLeft,
  insertMembers,
  type MemberPage,
  type MemberRow,
  type NewMember,
  readMemberPage,
  readMembers,
} from './memberStore.ts'
import { notComplete, notFound } from './refusals.ts'
import {
  countSnapshots,
  deleteSnapshot,
  findSnapshot,
  insertSnapshot,
  type ListedSnapshot,
  listSnapshots,
  lockHead,
  type NewSnapshot,
  type SnapshotPage,
  type SnapshotRow,
  type Which,
} from './store.ts'
import { siblingsOf, treeOf } from './tree.ts'
import { type Built, keepTree, readSiblings } from './treeStore.ts'

export { forgetSnapshots, membersCap } from './holders.ts'
export type { MemberRow } from './memberStore.ts'
export type { SnapshotRow } from './store.ts'

/** Snapshots per realm. */
const snapshotsCap = 1_000
/** How often members may be removed while a snapshot is taken. */
const tries = 3

/** A member was removed who was in a snapshot that is not stored yet. */
class Left extends Error {}

export type SnapshotQuery = {
  readonly realm: number
  /** The caller's own id for it: a repeated request returns the same snapshot. */
  readonly id: string
  /** A point type by its public id; the realm's default when absent. */
  readonly point: string | undefined
  /** An EVM chain in CAIP-2: where it will be claimed. */
  readonly chain: string
  readonly claimable: boolean
  /** The entry that it is of; the last one when absent. Not for a claimable one. */
  readonly seq: bigint | undefined
  readonly dry: boolean
}

/** Who takes it: the number of the calling key in the realm, 0 for the operator. */
export type Taker = { readonly key: number; readonly requestId: string; readonly by: Actor }

type Found = { readonly made: NewSnapshot; readonly members: readonly NewMember[] }

const subjectOf = ({ id, members, tokens, seq }: NewSnapshot): string =>
  `snapshot ${id}: ${tokens} points of ${members} members at entry ${seq}`

const isEmpty = (error: unknown): boolean =>
  error instanceof RefusalError && error.refusal.code === 'empty_snapshot'

type WithProof = FoundRow & { readonly proof: readonly string[] | null }

/** With the rows of members that were merged into it since. */
type Proved = WithProof & { readonly root: string; readonly merged: readonly WithProof[] }

/** A snapshot as returned; without a root for a dry run. */
export type SnapshotSummary = SnapshotRow

/** What members had of a point type, as a Merkle tree of their proved wallets. */
export class Snapshots {
  readonly #db: Database
  readonly #tools: ClaimTools
  /** Trees that are being built: concurrent requests wait for the same one. */
  readonly #building = new Map<string, Promise<void>>()

  constructor(db: Database, configs: Configs, feed = false) {
    this.#db = db
    this.#tools = { db, configs, feed }
  }

  async take(asked: SnapshotQuery, taker: Taker): Promise<SnapshotSummary> {
    const { realm, id, claimable, seq, dry } = asked
    const own = this.#db.within([realm])
    const point = await this.#pointOf(asked)
    const known = await findSnapshot(own, realm, id)
    if (known) return this.#same(known, asked, point)
    if (claimable && seq !== undefined)
      throw invalid('/seq', 'A claimable snapshot is of the current balances: omit `seq`.')
    if ((await countSnapshots(own, realm)) >= snapshotsCap)
      throw refuse('snapshot_limit', `A realm has ${snapshotsCap} snapshots at most. Delete one first.`, {
        limit: snapshotsCap,
      })
    try {
      if (dry) return await this.#tried(asked, point)
      if (claimable) await this.#claim(asked, point, taker)
      else await this.#note(asked, point, taker)
    } catch (error) {
      // Another request may have taken it at the same time, and left nothing to claim.
      const isLate = brokenConstraint(error) === 'snapshots_pkey' || isEmpty(error)
      const theirs = isLate ? await findSnapshot(own, realm, id) : undefined
      if (!theirs) throw error
      return this.#same(theirs, asked, point)
    }
    return this.get({ realm, id }).catch((error: unknown) => {
      throw notComplete(error, id)
    })
  }

  async list(realm: number, page: SnapshotPage): Promise<ListedSnapshot[]> {
    return listSnapshots(this.#db.within([realm]), realm, page)
  }

  /** With its tree: if the process ended before building it, it is built now. */
  async get(which: Which): Promise<SnapshotSummary & { readonly root: string }> {
    const found = await this.#find(which)
    if (found.root !== null) return { ...found, root: found.root }
    await this.#built({ ...which, takenAt: found.taken_at })
    const { root, ...rest } = await this.#find(which)
    if (root === null) throw new Error(`the tree of snapshot ${which.id} was not stored`)
    return { ...rest, root }
  }

  /** Only a snapshot whose points were not claimed: a claim must stay provable. */
  async remove(which: Which, by: Actor): Promise<void> {
    const { realm, id } = which
    const { first_seq: first } = await this.#find(which)
    if (first !== null)
      throw refuse('snapshot_claimable', `Points were claimed for snapshot ${id}: it can’t be deleted.`)
    await writeTransaction(this.#db, [realm], async (tx) => {
      if (await deleteSnapshot(tx, which))
        await record(tx, by, { realm, action: 'snapshot.delete', subject: `snapshot ${id}` })
    })
  }

  /** A page of its members, with and without a leaf, by account. */
  async members(which: Which, page: MemberPage): Promise<MemberRow[]> {
    await this.get(which)
    return readMemberPage(this.#db.within([which.realm]), which, page)
  }

  /** One member with its proof: null without a leaf. */
  async member(which: Which, id: string): Promise<Proved> {
    const { root } = await this.get(which)
    const own = this.#db.within([which.realm])
    const proofOf = async ({ place }: MemberRow) =>
      place === null ? null : readSiblings(own, which, siblingsOf(place))
    const [found, ...others] = await findMember(own, which, id)
    if (!found)
      throw refuse('member_not_found', `Member ${id} had no points in snapshot ${which.id}, or is unknown.`)
    const merged = await Promise.all(others.map(async (row) => ({ ...row, proof: await proofOf(row) })))
    return { ...found, root, proof: await proofOf(found), merged }
  }

  /** The whole tree in OpenZeppelin's format. */
  async dump(which: Which): Promise<AsyncIterable<string>> {
    const { id: realmId } = await this.#tools.configs.latest(this.#db.within([which.realm]), which.realm)
    return dumpOf(this.#db.within([which.realm]), { ...which, realmId, snapshot: await this.get(which) })
  }

  async #find({ realm, id }: Which): Promise<SnapshotRow> {
    const found = await findSnapshot(this.#db.within([realm]), realm, id)
    if (!found) throw notFound(id)
    return found
  }

  async #pointOf({ realm, point: named }: SnapshotQuery): Promise<Point> {
    const { defaultPoint, points } = await this.#tools.configs.latest(this.#db.within([realm]), realm)
    const point = named === undefined ? defaultPoint : points.get(named)
    if (!point || point.archived) throw pointNotFound(named ?? defaultPoint.id)
    return point
  }

  /** An id means one snapshot: a repeated request for the same one returns it. */
  async #same(
    known: SnapshotRow,
    { realm, id, chain, claimable, seq }: SnapshotQuery,
    point: Point,
  ): Promise<SnapshotSummary> {
    const isSame =
      known.point === point.id &&
      known.chain === chain &&
      (known.first_seq !== null) === claimable &&
      (seq === undefined || seq === known.seq)
    if (isSame) return this.get({ realm, id })
    throw refuse('already_exists', `Snapshot ${id} exists with other settings. Use another id.`)
  }

  async #tried(asked: SnapshotQuery, point: Point): Promise<SnapshotSummary> {
    const { made } = await this.#look(asked, point)
    return { ...made, point: point.id, taken_at: new Date(), root: null }
  }

  /** Without a lock: as of an entry, without what comes later. */
  async #look(asked: SnapshotQuery, point: Point): Promise<Found> {
    const { realm, seq } = asked
    const own = this.#db.within([realm])
    const { head, hash } = await readHash(own, realm, seq)
    if (hash === null) throw invalid('/seq', `The journal has no entry ${seq ?? head}; the last is ${head}.`)
    const all = await holdersAt(own, realm, { point: point.number, chain: asked.chain, seq: seq ?? head })
    const isFrozen = ({ frozen }: HolderRow) => asked.claimable && frozen
    const members = all.map((one) => ({ ...one, amount: one.balance, frozen: isFrozen(one) }))
    const at = { seq: seq ?? head, hash, first_seq: null }
    const made = { ...asked, point: point.number, ...at, ...totalsOf(members) }
    if (made.members === 0) throw emptySnapshot(point.id)
    return { made, members }
  }

  async #note(asked: SnapshotQuery, point: Point, { by }: Taker): Promise<void> {
    const { realm, id } = asked
    for (let tried = 0; tried < tries; tried++) {
      const { made, members } = await this.#look(asked, point)
      const keeping = writeTransaction(this.#db, [realm], async (tx) => {
        await insertSnapshot(tx, made)
        await insertMembers(tx, { realm, id }, members)
        await record(tx, by, { realm, action: 'snapshot.take', subject: subjectOf(made) })
        // A removal after this lock finds the rows. Nothing of a member removed before it may be stored.
        await lockHead(tx, realm)
        if (await hasLeft(tx, { realm, id })) throw new Left()
      })
      const left = await keeping.catch((error: unknown) => {
        if (error instanceof Left) return error
        throw error
      })
      if (!left) return
    }
    throw movedMeanwhile()
  }

  /** The members in the tree are those whose points were claimed: it is built from the entries. */
  async #claim(asked: SnapshotQuery, point: Point, { key, requestId, by }: Taker): Promise<void> {
    const { realm, id, chain } = asked
    let all: readonly HolderRow[] = []
    const said = { reason: undefined, reference: id, metadata: undefined, actorId: undefined }
    const claiming = {
      realm,
      key,
      requestId,
      point: point.id,
      details: makeDetails(said),
      holders: async (tx: Queryable, { seq }: { readonly seq: bigint }) => {
        all = await holdersAt(tx, realm, { point: point.number, chain, seq })
        return all.filter(({ address }) => address !== null)
      },
      keep: (tx: Writable, { seq, hash, firstSeq, amounts }: ClaimResult) => {
        const members = all.map((one) => ({ ...one, amount: amounts.get(one.account) ?? one.balance }))
        const at = { seq, hash, first_seq: firstSeq }
        const made = { ...asked, point: point.number, ...at, ...totalsOf(members) }
        const act = { realm, action: 'snapshot.claim', subject: subjectOf(made) }
        return Promise.all([
          insertSnapshot(tx, made),
          insertMembers(tx, { realm, id }, members),
          record(tx, by, act),
        ])
      },
    }
    if (!(await claim(claiming, this.#tools))) throw emptySnapshot(point.id)
  }

  #built(which: Built): Promise<void> {
    const name = `${which.realm} ${which.id} ${which.takenAt.getTime()}`
    const building = this.#building.get(name) ?? this.#build(which).finally(() => this.#building.delete(name))
    this.#building.set(name, building)
    return building
  }

  async #build(which: Built): Promise<void> {
    // A request that read before the tree was stored may get here after it was.
    if ((await this.#find(which)).root !== null) return
    const leaves: { account: number; hash: Buffer }[] = []
    for await (const rows of readMembers(this.#db.within([which.realm]), which)) {
      for (const row of rows) {
        const hash = leafIn(row)
        if (hash) leaves.push({ account: row.account, hash })
      }
    }
    const tree = await treeOf(leaves)
    await writeTransaction(this.#db, [which.realm], (tx) => keepTree(tx, which, tree))
  }
}
