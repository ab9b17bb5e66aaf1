import { type Actor, record } from '../../audit/index.ts'
import type { Database } from '../../db/database.ts'
import { brokenConstraint } from '../../db/failures.ts'
import { bind } from '../../db/rowSecurity.ts'
import type { Queryable } from '../../db/session.ts'
import { invalid, Refused, refuse } from '../../errors.ts'
import { type Claimed, claim, makeDetails } from '../../ledger/index.ts'
import { type Configs, type Point, pointNotFound } from '../../realms/index.ts'
import { dumpOf } from './dump.ts'
import { type HolderRow, readHash } from './holderStore.ts'
import { holdersAt, leafIn, movedMeanwhile, nobody, totalsOf } from './holders.ts'
import {
  findMember,
  hasLeft,
  insertMembers,
  type MemberPage,
  type MemberRow,
  type NewMember,
  readMemberPage,
  readMembers,
} from './memberStore.ts'
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

/** Snapshots of a realm. */
const snapshotsCap = 1_000
/** How often members may leave while a snapshot is noted. */
const tries = 3

/** A member left who was in a snapshot that is not kept yet. */
class Left extends Error {}

export type Asked = {
  readonly realm: number
  /** The caller's own name for it: asked for again, it is the same snapshot. */
  readonly id: string
  /** A kind of points by its public id; the realm's default when absent. */
  readonly point: string | undefined
  /** An EVM chain in CAIP-2: where it will be claimed. */
  readonly chain: string
  readonly claimable: boolean
  /** The entry that it is of; the last one when absent. Not of a claimable one. */
  readonly seq: bigint | undefined
  readonly dry: boolean
}

/** Who takes it: their key's number in the realm, 0 for the operator. */
export type Taker = { readonly key: number; readonly requestId: string; readonly by: Actor }

type Found = { readonly made: NewSnapshot; readonly members: readonly NewMember[] }

const subjectOf = ({ id, members, tokens, seq }: NewSnapshot): string =>
  `snapshot ${id}: ${tokens} points of ${members} members at entry ${seq}`

const isEmpty = (error: unknown): boolean =>
  error instanceof Refused && error.refusal.code === 'empty_snapshot'

const notFound = (id: string): Refused => refuse('snapshot_not_found', `The realm has no snapshot ${id}.`)

type Proved = MemberRow & { readonly root: string; readonly proof: readonly string[] | null }

/** What is told of a snapshot; without a root while it is tried. */
export type Told = SnapshotRow

/** What members had of a kind of points, as a Merkle tree of their proved wallets. */
export class Snapshots {
  readonly #db: Database
  readonly #configs: Configs
  /** Trees that are being built: whoever asks meanwhile waits for the same. */
  readonly #building = new Map<string, Promise<void>>()

  constructor(db: Database, configs: Configs) {
    this.#db = db
    this.#configs = configs
  }

  async take(asked: Asked, taker: Taker): Promise<Told> {
    const { realm, id, claimable, seq, dry } = asked
    const own = this.#db.within([realm])
    const point = await this.#pointOf(asked)
    const known = await findSnapshot(own, realm, id)
    if (known) return this.#same(known, asked, point)
    if (claimable && seq !== undefined)
      throw invalid('/seq', 'A claimable snapshot is of the points that there are now: leave out its seq.')
    if ((await countSnapshots(own, realm)) >= snapshotsCap)
      throw refuse('snapshot_limit', `A realm has ${snapshotsCap} snapshots at most. Delete one first.`, {
        limit: snapshotsCap,
      })
    try {
      if (dry) return await this.#tried(asked, point)
      if (claimable) await this.#claim(asked, point, taker)
      else await this.#note(asked, point, taker)
    } catch (error) {
      // Somebody else took it at the same time, perhaps, and left nothing to take.
      const isLate = brokenConstraint(error) === 'snapshots_pkey' || isEmpty(error)
      const theirs = isLate ? await findSnapshot(own, realm, id) : undefined
      if (!theirs) throw error
      return this.#same(theirs, asked, point)
    }
    return this.get({ realm, id })
  }

  async list(realm: number, page: SnapshotPage): Promise<ListedSnapshot[]> {
    return listSnapshots(this.#db.within([realm]), realm, page)
  }

  /** With its tree: where that was not built, as the process ended first, it is now. */
  async get(which: Which): Promise<Told & { readonly root: string }> {
    const found = await this.#find(which)
    if (found.root !== null) return { ...found, root: found.root }
    await this.#built({ ...which, takenAt: found.taken_at })
    const { root, ...rest } = await this.#find(which)
    if (root === null) throw new Error(`the tree of snapshot ${which.id} was not kept`)
    return { ...rest, root }
  }

  /** Only one whose points were not taken: a claim must stay provable. */
  async remove(which: Which, by: Actor): Promise<void> {
    const { realm, id } = which
    const { first_seq: first } = await this.#find(which)
    if (first !== null)
      throw refuse('snapshot_claimable', `Points were taken for snapshot ${id}: it stays, with its proofs.`)
    await this.#db.transaction(async (tx) => {
      await bind(tx, [realm])
      if (await deleteSnapshot(tx, which))
        await record(tx, by, { realm, action: 'snapshot.delete', subject: `snapshot ${id}` })
    })
  }

  /** A page of who is in it, and who stands apart, by account. */
  async members(which: Which, page: MemberPage): Promise<MemberRow[]> {
    await this.get(which)
    return readMemberPage(this.#db.within([which.realm]), which, page)
  }

  /** One member with what proves it: nothing where it stands apart. */
  async member(which: Which, id: string): Promise<Proved> {
    const { root } = await this.get(which)
    const own = this.#db.within([which.realm])
    const found = await findMember(own, which, id)
    if (!found)
      throw refuse('member_not_found', `Member ${id} had no points in snapshot ${which.id}, or is none.`)
    const { place } = found
    return {
      ...found,
      root,
      proof: place === null ? null : await readSiblings(own, which, siblingsOf(place)),
    }
  }

  /** The whole tree in OpenZeppelin's own form. */
  async dump(which: Which): Promise<AsyncIterable<string>> {
    const { id: realmId } = await this.#configs.latest(this.#db.within([which.realm]), which.realm)
    return dumpOf(this.#db.within([which.realm]), { ...which, realmId, snapshot: await this.get(which) })
  }

  async #find({ realm, id }: Which): Promise<SnapshotRow> {
    const found = await findSnapshot(this.#db.within([realm]), realm, id)
    if (!found) throw notFound(id)
    return found
  }

  async #pointOf({ realm, point: named }: Asked): Promise<Point> {
    const { defaultPoint, points } = await this.#configs.latest(this.#db.within([realm]), realm)
    const point = named === undefined ? defaultPoint : points.get(named)
    if (!point || point.archived) throw pointNotFound(named ?? defaultPoint.id)
    return point
  }

  /** A name means one snapshot: whoever asks again for the same has it. */
  async #same(known: SnapshotRow, { realm, id, chain, claimable, seq }: Asked, point: Point): Promise<Told> {
    const isSame =
      known.point === point.id &&
      known.chain === chain &&
      (known.first_seq !== null) === claimable &&
      (seq === undefined || seq === known.seq)
    if (isSame) return this.get({ realm, id })
    throw refuse('already_exists', `There is another snapshot ${id}. Take a new one under another id.`)
  }

  async #tried(asked: Asked, point: Point): Promise<Told> {
    const { made } = await this.#look(asked, point)
    return { ...made, point: point.id, taken_at: new Date(), root: null }
  }

  /** As it is without a lock: of an entry, and what comes meanwhile is not in it. */
  async #look(asked: Asked, point: Point): Promise<Found> {
    const { realm, seq } = asked
    const own = this.#db.within([realm])
    const { head, hash } = await readHash(own, realm, seq)
    if (hash === null) throw invalid('/seq', `The journal has no entry ${seq ?? head}; the last is ${head}.`)
    const all = await holdersAt(own, realm, { point: point.number, chain: asked.chain, seq: seq ?? head })
    const isFrozen = ({ frozen }: HolderRow) => asked.claimable && frozen
    const members = all.map((one) => ({ ...one, amount: one.balance, frozen: isFrozen(one) }))
    const at = { seq: seq ?? head, hash, first_seq: null }
    const made = { ...asked, point: point.number, ...at, ...totalsOf(members) }
    if (made.members === 0) throw nobody(point.id)
    return { made, members }
  }

  async #note(asked: Asked, point: Point, { by }: Taker): Promise<void> {
    const { realm, id } = asked
    for (let tried = 0; tried < tries; tried++) {
      const { made, members } = await this.#look(asked, point)
      const keeping = this.#db.transaction(async (tx) => {
        await bind(tx, [realm])
        await insertSnapshot(tx, made)
        await insertMembers(tx, { realm, id }, members)
        await record(tx, by, { realm, action: 'snapshot.take', subject: subjectOf(made) })
        // Who leaves behind this lock finds the rows. Of who left before it nothing may be kept.
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

  /** Who is in the tree is who has paid: it is made of the entries. */
  async #claim(asked: Asked, point: Point, { key, requestId, by }: Taker): Promise<void> {
    const { realm, id, chain } = asked
    let all: readonly HolderRow[] = []
    const said = { reason: undefined, reference: id, metadata: undefined, actorId: undefined }
    const tools = { db: this.#db, configs: this.#configs }
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
      keep: (tx: Queryable, { seq, hash, firstSeq, amounts }: Claimed) => {
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
    if (!(await claim(claiming, tools))) throw nobody(point.id)
  }

  #built(which: Built): Promise<void> {
    const name = `${which.realm} ${which.id} ${which.takenAt.getTime()}`
    const building = this.#building.get(name) ?? this.#build(which).finally(() => this.#building.delete(name))
    this.#building.set(name, building)
    return building
  }

  async #build(which: Built): Promise<void> {
    // Whoever looked before it was kept comes here after it was.
    if ((await this.#find(which)).root !== null) return
    const leaves: { account: number; hash: Buffer }[] = []
    for await (const rows of readMembers(this.#db.within([which.realm]), which)) {
      for (const row of rows) {
        const hash = leafIn(row)
        if (hash) leaves.push({ account: row.account, hash })
      }
    }
    const tree = await treeOf(leaves)
    await this.#db.transaction(async (tx) => {
      await bind(tx, [which.realm])
      await keepTree(tx, which, tree)
    })
  }
}
