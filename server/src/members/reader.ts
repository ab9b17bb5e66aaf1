import { hash } from 'node:crypto'
import { Coalescer } from '../db/coalesce.ts'
import type { RealmScoped } from '../db/rowSecurity.ts'
import type { Queryable } from '../db/session.ts'
import { RefusalError, refuse, wrongCell } from '../errors.ts'
import type { Configs, Point, RealmConfig } from '../realms/index.ts'
import { findIdentities } from './identities/index.ts'
import {
  type BalanceRow,
  type BalanceSide,
  type MemberKey,
  readMembers,
  type StoredMember,
} from './readStore.ts'

/** A member as it is returned. An unknown member of an open realm has no dates. */
export type Member = {
  readonly id: string
  readonly username: string | null
  readonly displayName: string | null
  readonly joinedAtMs: number | null
  readonly updatedAtMs: number | null
  /** By point type, the default first; without archived ones. */
  readonly balances: readonly Balance[]
  /** Held points, only of point types that have any. */
  readonly held: readonly Balance[]
  /** Points that are promised to it, only of point types that have any. */
  readonly pending: readonly Balance[]
  /** Balances of point types with rules by which points lapse. */
  readonly dated: readonly Dated[]
  /** It can't spend points. */
  readonly frozen: boolean
  /** It is not on any leaderboard. */
  readonly hidden: boolean
  /** 0 for an unknown member of an open realm. */
  readonly account: number
  /** The entry that last moved any of its points; 0 before the first. */
  readonly version: bigint
  /** Differs whenever anything else of it does. */
  readonly state: string
}

type Balance = readonly [pointId: string, balance: bigint]

/** A balance as stored, with the lots that `lapsingOf` reads. */
export type Dated = Pick<BalanceRow, 'balance' | 'seq' | 'lots'> & { readonly point: Point }

export function memberNotFound(id: string): RefusalError {
  return refuse('member_not_found', `The realm has no member ${id}.`)
}

/** Reads single members, one statement for all waiting reads. */
export class MemberReader {
  readonly #reads: Coalescer<MemberKey, Member>

  constructor(db: RealmScoped, configs: Configs) {
    const ask = async (asked: readonly MemberKey[]) => {
      const found = await readEach(db, configs, asked)
      return found.map((member, index) => member ?? memberNotFound(asked[index]?.id ?? ''))
    }
    this.#reads = new Coalescer(ask, { cap: 128, parallel: 2 })
  }

  get(realm: number, id: string): Promise<Member> {
    return this.#reads.get({ realm, id })
  }
}

export async function readAll(
  db: RealmScoped,
  configs: Configs,
  asked: readonly MemberKey[],
): Promise<(Member | undefined)[]> {
  return (await readEach(db, configs, asked)).map((found) => {
    if (found instanceof RefusalError) throw found
    return found
  })
}

/** The same, with a refusal for each member of a realm that is not in this cell. */
async function readEach(
  db: RealmScoped,
  configs: Configs,
  asked: readonly MemberKey[],
): Promise<(Member | RefusalError | undefined)[]> {
  const realms = [...new Set(asked.map((one) => one.realm))]
  const own = db.within(realms)
  const { members, versions } = await readMembers(own, asked, realms)
  const resolved = await configs.resolve(own, versions)
  const old = await oldIds(own, asked, (realm, index) => !members[index] && resolved.get(realm)?.hasMerges)
  return asked.map(({ realm, id }, index) => {
    const config = resolved.get(realm)
    if (old.has(index)) return memberNotFound(id)
    return config ? memberOf(id, config, members[index]) : new RefusalError(wrongCell)
  })
}

const none: ReadonlySet<number> = new Set()

type MayBeOld = (realm: number, index: number) => boolean | undefined

/** The places of ids that are another member's since a merge: such an id is no unknown member's. */
async function oldIds(
  db: Queryable,
  asked: readonly MemberKey[],
  mayBe: MayBeOld,
): Promise<ReadonlySet<number>> {
  const places = asked.flatMap(({ realm }, index) => (mayBe(realm, index) ? [index] : []))
  if (places.length === 0) return none
  const found = await findIdentities(
    db,
    places.map((place) => ({ realm: asked[place]?.realm ?? 0, name: `id:${asked[place]?.id}` })),
  )
  return new Set(places.filter((_, index) => found[index]))
}

function memberOf(id: string, config: RealmConfig, stored: StoredMember | undefined): Member | undefined {
  if (!stored) return config.unknownMembers === 'refuse' ? undefined : unknownMember(id, config)
  const { account, username, displayName, joinedAtUs, updatedAtUs, frozen, hidden, balances } = stored
  let version = 0n
  let movedAtUs = updatedAtUs
  for (const { seq, atUs } of balances) {
    if (seq > version) version = seq
    if (atUs > movedAtUs) movedAtUs = atUs
  }
  return {
    id,
    username,
    displayName,
    joinedAtMs: Math.floor(joinedAtUs / 1000),
    updatedAtMs: Math.floor(movedAtUs / 1000),
    balances: balancesOf(config, balances, 'spendable'),
    held: setAside(config, balances, 'held'),
    pending: setAside(config, balances, 'pending'),
    dated: datedOf(config, balances),
    frozen,
    hidden,
    account,
    version,
    state: `${tagOf(config)}.${updatedAtUs}`,
  }
}

function unknownMember(id: string, config: RealmConfig): Member {
  const nothing = { username: null, displayName: null, joinedAtMs: null, updatedAtMs: null }
  const unmarked = { frozen: false, hidden: false, account: 0, version: 0n, state: `${tagOf(config)}.0` }
  const balances = balancesOf(config, [], 'spendable')
  return { id, ...nothing, balances, held: [], pending: [], dated: [], ...unmarked }
}

const tags = new WeakMap<RealmConfig, string>()

/** Differs whenever other point types are shown, or in another order. */
function tagOf(config: RealmConfig): string {
  const known = tags.get(config)
  if (known !== undefined) return known
  const shown = [...config.points.values()].filter(({ archived }) => !archived).map(({ id }) => id)
  const tag = hash('sha256', JSON.stringify(shown), 'base64url').slice(0, 8)
  tags.set(config, tag)
  return tag
}

function datedOf(config: RealmConfig, rows: readonly BalanceRow[]): Dated[] {
  const dated: Dated[] = []
  for (const point of config.points.values()) {
    if (!point.lapse || point.archived) continue
    const row = rows.find((one) => one.point === point.number && one.side === 'spendable')
    if (row) dated.push({ point, balance: row.balance, seq: row.seq, lots: row.lots })
  }
  return dated
}

/** Most members have none: nothing is computed for them. */
function setAside(config: RealmConfig, rows: readonly BalanceRow[], side: 'held' | 'pending'): Balance[] {
  if (!rows.some((row) => row.side === side)) return []
  return balancesOf(config, rows, side).filter(([, balance]) => balance > 0n)
}

/** Of all point types that are not archived; 0 where the member has none. */
function balancesOf(config: RealmConfig, rows: readonly BalanceRow[], side: BalanceSide): Balance[] {
  const balances: Balance[] = []
  for (const point of config.points.values()) {
    if (point.archived) continue
    const row = rows.find((one) => one.point === point.number && one.side === side)
    balances.push([point.id, row?.balance ?? 0n])
  }
  return balances
}
