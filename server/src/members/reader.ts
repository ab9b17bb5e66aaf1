import { Coalescer } from '../db/coalesce.ts'
import type { RealmScoped } from '../db/rowSecurity.ts'
import { type RefusalError, refuse } from '../errors.ts'
import { type Configs, configIn, type RealmConfig, readConfigVersions } from '../realms/index.ts'
import { type MemberKey, type MemberRow, readMembers } from './store.ts'

/** A member as it is returned. An unknown member of an open realm has no dates. */
export type Member = {
  readonly id: string
  readonly username: string | null
  readonly displayName: string | null
  readonly joinedAt: Date | null
  readonly updatedAt: Date | null
  /** By point type, the default first; without archived ones. */
  readonly balances: readonly (readonly [pointId: string, balance: bigint])[]
  /** Held points, only of point types that have any. */
  readonly held: readonly (readonly [pointId: string, held: bigint])[]
  /** It can't spend points. */
  readonly frozen: boolean
  /** It is not on any leaderboard. */
  readonly hidden: boolean
  /** The entry that last moved any of its points; 0 before the first. */
  readonly version: bigint
}

export function memberNotFound(id: string): RefusalError {
  return refuse('member_not_found', `The realm has no member ${id}.`)
}

/** Reads single members, one statement for all waiting reads. */
export class MemberReader {
  readonly #reads: Coalescer<MemberKey, Member | undefined>

  constructor(db: RealmScoped, configs: Configs) {
    const ask = (asked: readonly MemberKey[]) => readAll(db, configs, asked)
    this.#reads = new Coalescer(ask, { cap: 256, parallel: 2 })
  }

  async get(realm: number, id: string): Promise<Member> {
    const member = await this.#reads.get({ realm, id })
    if (!member) throw memberNotFound(id)
    return member
  }
}

export async function readAll(
  db: RealmScoped,
  configs: Configs,
  asked: readonly MemberKey[],
): Promise<(Member | undefined)[]> {
  const realms = [...new Set(asked.map((one) => one.realm))]
  const own = db.within(realms)
  const [members, versions] = await Promise.all([readMembers(own, asked), readConfigVersions(own, realms)])
  const resolved = await configs.resolve(
    own,
    versions.rows.map((row) => [row.realm, row.config_version]),
  )
  const rowsAt = Map.groupBy(members.rows, (row) => row.place)
  return asked.map(({ realm, id }, index) =>
    memberOf(id, configIn(resolved, realm), rowsAt.get(index + 1) ?? []),
  )
}

function memberOf(id: string, config: RealmConfig, rows: readonly MemberRow[]): Member | undefined {
  const [first] = rows
  if (!first) {
    if (config.unknownMembers === 'refuse') return undefined
    const nothing = { username: null, displayName: null, joinedAt: null, updatedAt: null }
    const unmarked = { frozen: false, hidden: false, version: 0n }
    return { id, ...nothing, balances: balancesOf(config, []), held: [], ...unmarked }
  }
  const moved = Math.max(0, ...rows.map((row) => Number((row.at_us ?? 0n) / 1000n)))
  return {
    id,
    username: first.username,
    displayName: first.display_name,
    joinedAt: first.joined_at,
    updatedAt: moved > first.updated_at.getTime() ? new Date(moved) : first.updated_at,
    balances: balancesOf(
      config,
      rows.filter((row) => !row.held),
    ),
    held: balancesOf(
      config,
      rows.filter((row) => row.held),
    ).filter(([, held]) => held > 0n),
    frozen: first.frozen,
    hidden: first.hidden,
    version: rows.reduce((latest, { seq }) => (seq !== null && seq > latest ? seq : latest), 0n),
  }
}

function balancesOf(config: RealmConfig, rows: readonly MemberRow[]): Member['balances'] {
  const byPoint = new Map(rows.map((row) => [row.point, row.balance]))
  const shown = [...config.points.values()].filter((point) => !point.archived)
  return shown.map((point) => [point.id, byPoint.get(point.number) ?? 0n] as const)
}
