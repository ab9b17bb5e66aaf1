import type { Answer, Queryable, Writable } from '../db/session.ts'
import { RefusalError, wrongCell } from '../errors.ts'
import type { LimitColumns } from '../limits/index.ts'
import { stepsColumn } from './lapse/index.ts'
import type { Point, RealmConfig, Suspension } from './realm.ts'

/**
 * A configuration version is random, not counted: a failover may lose a change, and the next one would get
 * the number that processes still remember for the lost one. Far below 2^31, as releases before this one
 * count on from it.
 */
export const drawnVersion = 'floor(random() * 2000000000)::integer'

/** A version that differs from the current one. */
export const nextVersion =
  '((config_version + 1 + floor(random() * 1999999998)::bigint) % 2000000000)::integer'

export const statements = {
  /** The directory: public id to internal number. */
  insertRealm: {
    name: 'realms_insert',
    text: `insert into realms (id, name) select $1, $2 from cells where cell = 0 and state = 'open'
      returning realm`,
  },
  /** With the number that the directory gave it. */
  insertPlaced: {
    name: 'realms_insert_placed',
    text: `insert into realms (realm, id, name, cell, created_at) overriding system value
      values ($1, $2, $3, $4, $5)`,
  },
  findRealm: {
    name: 'realms_find',
    text: `select realm, id, cell, created_at, rate, burst, purge_began_at is not null as purged
      from realms where id = $1`,
  },
  /** Those of this cell, and those that it once had. In cell 0, the directory also has those of others. */
  listRealms: {
    name: 'realms_list',
    text: `select realm, id, cell, created_at, rate, burst, false as purged from realms
      where realm > $1 and purge_began_at is null
        and (cell = 0 or (select cell from this_cell limit 1) > 0) order by realm limit $2`,
  },
  readRealms: {
    name: 'realms_read',
    text: `select r.* from unnest($1::integer[]) as asked (realm)
      cross join lateral (select realm, id, cell, created_at, rate, burst, false as purged from realms
        where realm = asked.realm and purge_began_at is null limit 1) r`,
  },
  /** A copy, by which realms of all cells are listed and searched. */
  setName: {
    name: 'realms_set_name',
    writes: true,
    text: 'update realms set name = $2 where realm = $1',
  },

  /** Realms with a public leaderboard: of all realms, by a function that the schema's owner defines. */
  listPublic: { name: 'realms_list_public', text: 'select id from public_boards($1)' },
  setLimit: {
    name: 'realms_set_limit',
    writes: true,
    text: 'update realms set rate = $2, burst = $3 where realm = $1',
  },

  insertHead: {
    name: 'realms_insert_head',
    text: `insert into heads (realm, hash, config_version) values ($1, $2, ${drawnVersion})`,
  },
  insertSettings: {
    name: 'realms_insert_settings',
    writes: true,
    text: `insert into settings (realm, realm_id, name, unknown_members, default_point)
      values ($1, $2, $3, $4, 1)`,
  },
  insertPoint: {
    name: 'realms_insert_point',
    writes: true,
    text: `insert into points (realm, number, id, name, emoji, max_balance, max_per_transfer, max_per_day,
        transferable)
      values ($1, (select coalesce(max(number), 0) + 1 from points where realm = $1), $2, $3, $4, $5, $6, $7,
        $8)`,
  },
  updatePoint: {
    name: 'realms_update_point',
    writes: true,
    text: `update points set name = $3, emoji = $4, max_balance = $5, max_per_transfer = $6, max_per_day = $7,
        transferable = $8, archived_at = case when $9::boolean then coalesce(archived_at, now()) end
      where realm = $1 and number = $2`,
  },
  updateSettings: {
    name: 'realms_update_settings',
    writes: true,
    text: `update settings set name = $2, unknown_members = $3, default_point = $4, logo = $5, colours = $6,
        time_zone = $7, public_board = $8, suspended_reason = $9,
        suspended_at = case when $9::text is not null then coalesce(suspended_at, now()) end
      where realm = $1`,
  },
  /** Fails for a time zone that PostgreSQL does not know. */
  tryTimeZone: { name: 'realms_try_time_zone', text: 'select now() at time zone $1::text as there' },
  /** What decisions read changes only under the head lock, together with this version. */
  changeConfigVersion: {
    name: 'realms_change_config_version',
    writes: true,
    text: `update heads set config_version = ${nextVersion} where realm = $1`,
  },
  readConfigs: {
    name: 'realms_read_configs',
    text: `select h.realm, h.config_version, s.realm_id, s.name, s.unknown_members, s.logo, s.colours,
        s.time_zone, s.public_board, s.suspended_at, s.suspended_reason,
        g.number is not null as has_merges,
        p.number as point, p.id as point_id, p.name as point_name, p.emoji,
        p.archived_at is not null as archived, p.max_balance, p.max_per_transfer, p.max_per_day,
        p.transferable, ${stepsColumn} as lapse
      from unnest($1::integer[]) as asked (realm)
      cross join lateral (select * from heads where realm = asked.realm limit 1) h
      cross join lateral (select * from settings where realm = asked.realm limit 1) s
      left join lateral (select number from merges
        where realm = asked.realm order by number limit 1) g on true
      cross join lateral (select * from points where realm = asked.realm offset 0) p
      order by h.realm, p.number <> s.default_point, p.number`,
  },
  /** Asked before every write that the ledger does not decide. */
  readSuspension: {
    name: 'realms_read_suspension',
    text: 'select suspended_at, suspended_reason from settings where realm = $1',
  },
  readConfigVersions: {
    name: 'realms_read_config_versions',
    text: `select h.* from unnest($1::integer[]) as asked (realm)
      cross join lateral (select realm, config_version from heads where realm = asked.realm limit 1) h`,
  },
} as const

export type SuspensionRow = { suspended_at: Date | null; suspended_reason: string | null }
export type RealmRow = LimitColumns & {
  realm: number
  id: string
  cell: number
  created_at: Date
  purged: boolean
}
export type ConfigRow = SuspensionRow & {
  realm: number
  config_version: number
  realm_id: string
  name: string
  unknown_members: 'refuse' | 'create'
  logo: string | null
  colours: string | null
  time_zone: string
  public_board: boolean
  has_merges: boolean
  point: number
  point_id: string
  point_name: string
  emoji: string | null
  archived: boolean
  max_balance: bigint | null
  max_per_transfer: bigint | null
  max_per_day: bigint | null
  transferable: boolean
  /** All steps of its lapse rule, as JSON. */
  lapse: string | null
}

/** Undefined if the cell takes no new realms. */
export async function insertRealm(db: Queryable, id: string, name: string): Promise<number | undefined> {
  return (await db.query<{ realm: number }>(statements.insertRealm, [id, name])).rows[0]?.realm
}

export type PlacedRealm = { realm: number; id: string; name: string; cell: number; createdAt: Date }

export async function insertPlaced(db: Queryable, placed: PlacedRealm): Promise<void> {
  const { realm, id, name, cell, createdAt } = placed
  await db.query(statements.insertPlaced, [realm, id, name, cell, createdAt])
}

export async function setName(db: Writable, realm: number, name: string): Promise<void> {
  await db.query(statements.setName, [realm, name])
}

export async function findRealm(db: Queryable, id: string): Promise<RealmRow | undefined> {
  const { rows } = await db.query<RealmRow>(statements.findRealm, [id])
  return rows[0]
}

export async function listRealms(db: Queryable, after: number, limit: number): Promise<RealmRow[]> {
  return (await db.query<RealmRow>(statements.listRealms, [after, limit])).rows
}

export async function readRealms(db: Queryable, realms: readonly number[]): Promise<RealmRow[]> {
  return (await db.query<RealmRow>(statements.readRealms, [realms])).rows
}

export async function setLimit(db: Writable, realm: number, limit: LimitColumns): Promise<void> {
  await db.query(statements.setLimit, [realm, limit.rate, limit.burst])
}

export async function insertHead(db: Queryable, realm: number, hash: string): Promise<void> {
  await db.query(statements.insertHead, [realm, `\\x${hash}`])
}

export type NewSettings = { realm: number; id: string; name: string; unknownMembers: string }

export async function insertSettings(db: Writable, settings: NewSettings): Promise<void> {
  const { realm, id, name, unknownMembers } = settings
  await db.query(statements.insertSettings, [realm, id, name, unknownMembers])
}

const rulesOf = (point: Point) => [
  point.name,
  point.emoji,
  point.maxBalance,
  point.maxPerTransfer,
  point.maxPerDay,
  point.transferable,
]

export async function insertPoint(db: Writable, realm: number, point: Point): Promise<void> {
  await db.query(statements.insertPoint, [realm, point.id, ...rulesOf(point)])
}

export async function updatePoint(db: Writable, realm: number, point: Point): Promise<void> {
  const values = [realm, point.number, ...rulesOf(point), point.archived]
  const { count } = await db.query(statements.updatePoint, values)
  if (count !== 1) throw new Error(`point ${point.id} of realm ${realm} is missing`)
}

/** When it was suspended is the database's own time. */
export type Settings = Omit<RealmConfig, 'version' | 'id' | 'points' | 'suspended' | 'hasMerges'> & {
  readonly suspended: Pick<Suspension, 'reason'> | null
}

export async function updateSettings(db: Writable, realm: number, settings: Settings): Promise<void> {
  const { name, unknownMembers, defaultPoint, logo, colours, timeZone, publicBoard } = settings
  const shown = [logo, colours, timeZone, publicBoard, settings.suspended?.reason ?? null]
  const values = [realm, name, unknownMembers, defaultPoint.number, ...shown]
  const { count } = await db.query(statements.updateSettings, values)
  if (count !== 1) throw new Error(`settings of realm ${realm} are missing`)
}

export async function tryTimeZone(db: Queryable, zone: string): Promise<void> {
  await db.query(statements.tryTimeZone, [zone])
}

export async function changeConfigVersion(db: Writable, realm: number): Promise<void> {
  const { count } = await db.query(statements.changeConfigVersion, [realm])
  if (count !== 1) throw new RefusalError(wrongCell)
}

export async function readConfigs(db: Queryable, realms: readonly number[]): Promise<ConfigRow[]> {
  return (await db.query<ConfigRow>(statements.readConfigs, [realms])).rows
}

export async function readSuspension(db: Queryable, realm: number): Promise<SuspensionRow | undefined> {
  return (await db.query<SuspensionRow>(statements.readSuspension, [realm])).rows[0]
}

type VersionRow = { realm: number; config_version: number }

export function readConfigVersions(db: Queryable, realms: readonly number[]): Promise<Answer<VersionRow>> {
  return db.query(statements.readConfigVersions, [realms])
}

export async function listPublic(db: Queryable, limit: number): Promise<string[]> {
  return (await db.query<{ id: string }>(statements.listPublic, [limit])).rows.map(({ id }) => id)
}
