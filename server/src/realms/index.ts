import { type Actor, record } from '../audit/index.ts'
import type { Database } from '../db/database.ts'
import { brokenConstraint, sqlState } from '../db/failures.ts'
import { bind, type RealmScoped } from '../db/rowSecurity.ts'
import { invalid, refuse } from '../errors.ts'
import { columnsOf, type LimitSetting, settingOf } from '../limits/index.ts'
import { Configs, configIn } from './configs.ts'
import { underHeadLock } from './lock.ts'
import { originHash } from './origin.ts'
import {
  configNow,
  makeId,
  type NewPoint,
  Points,
  plainPoint,
  pointNotFound,
  pointRefusal,
  usableAsDefault,
} from './points.ts'
import type { RealmConfig } from './realm.ts'
import {
  findRealm,
  insertHead,
  insertPoint,
  insertRealm,
  insertSettings,
  listPublic,
  listRealms,
  type RealmRow,
  type Settings,
  setLimit,
  tryTimeZone,
  updateSettings,
} from './store.ts'
import { recordSuspension, refuseSuspended } from './suspension.ts'

export { areColours, coloursCap, isLogo, isTimeZone, logoCap } from './branding.ts'
export { Configs, configIn } from './configs.ts'
export { underHeadLock } from './lock.ts'
export { originHash } from './origin.ts'
export { type NewPoint, type PointChange, Points, pointNotFound } from './points.ts'
export { countCap, Purge, type PurgePlan } from './purge.ts'
export type { Point, RealmConfig, Suspension } from './realm.ts'
export { changeConfigVersion, drawnVersion, nextVersion, readConfigVersions } from './store.ts'
export { refuseSuspended } from './suspension.ts'

/** A realm with its settings and point types, as an operator sees it. */
export type Realm = {
  readonly number: number
  readonly id: string
  readonly createdAt: Date
  readonly config: RealmConfig
  readonly rateLimit: LimitSetting
}

/** Changes to a realm; null removes a logo or colours, or resumes it; undefined leaves them. */
export type RealmChange = {
  readonly name?: string | undefined
  readonly unknownMembers?: 'refuse' | 'create' | undefined
  readonly defaultPoint?: string | undefined
  readonly logo?: string | null | undefined
  /** A JSON object as text. */
  readonly colours?: string | null | undefined
  readonly timeZone?: string | undefined
  readonly publicBoard?: boolean | undefined
  readonly rateLimit?: LimitSetting | undefined
  readonly suspended?: { readonly reason: string } | null | undefined
}

export type NewRealm = {
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly unknownMembers?: 'refuse' | 'create' | undefined
  readonly point?: Pick<NewPoint, 'id' | 'name'> | undefined
}

/** The name of the point type that every realm starts with. */
const firstPointName = 'Points'

/** Ids of realms with a public board that a process remembers: about 10 MiB. */
const publicCap = 100_000

/** Realms, their settings and point types. */
export class Realms {
  readonly #db: Database
  readonly #points: Points

  constructor(db: Database) {
    this.#db = db
    this.#points = new Points(db)
  }

  async create(input: NewRealm, by: Actor): Promise<Realm> {
    const id = input.id ?? makeId()
    try {
      await this.#db.transaction(async (tx) => {
        const { realm } = await insertRealm(tx, id)
        await bind(tx, [realm])
        await insertHead(tx, realm, originHash(id))
        const { id: pointId = makeId(), name = firstPointName } = input.point ?? {}
        await insertPoint(tx, realm, plainPoint(pointId, name))
        const unknownMembers = input.unknownMembers ?? 'refuse'
        await insertSettings(tx, { realm, id, name: input.name ?? id, unknownMembers })
        await record(tx, by, { realm, action: 'realm.create', subject: `realm ${id}` })
      })
    } catch (error) {
      await this.#refusePurged(error, id)
      throw refusalOf(error, { id, point: input.point?.id })
    }
    return this.get(id)
  }

  async get(id: string): Promise<Realm> {
    const [realm] = await withConfigs(this.#db, [await this.#row(id)])
    if (!realm) throw new Error(`realm ${id} has no configuration`)
    return realm
  }

  /** The ids of realms with a public leaderboard; undefined when there are more than the cap. */
  async publicIds(): Promise<ReadonlySet<string> | undefined> {
    const ids = await listPublic(this.#db, publicCap + 1)
    return ids.length > publicCap ? undefined : new Set(ids)
  }

  /** The internal number of a realm by its public id, for operators. */
  async number(id: string): Promise<number> {
    return (await this.#row(id)).realm
  }

  /** The same, for callers that must not learn whether the realm exists. */
  async find(id: string): Promise<number | undefined> {
    const row = await findRealm(this.#db, id)
    return row?.purged ? undefined : row?.realm
  }

  /** Refuses a suspended realm's write that the ledger does not decide. */
  refuseSuspended(realm: number): Promise<void> {
    return refuseSuspended(this.#db, realm)
  }

  /** A page of realms in the order they were created, after the one with this number. */
  async page({ after, limit }: { readonly after: number; readonly limit: number }): Promise<Realm[]> {
    return withConfigs(this.#db, await listRealms(this.#db, after, limit))
  }

  async change(id: string, change: RealmChange, by: Actor): Promise<Realm> {
    const realm = await this.number(id)
    if (change.timeZone !== undefined) await this.#knowsTimeZone(change.timeZone)
    await underHeadLock(this.#db, realm, async (tx) => {
      await updateSettings(tx, realm, settingsOf(await configNow(tx, realm), change))
      if (change.rateLimit) await setLimit(tx, realm, columnsOf(change.rateLimit))
      const { suspended, ...settings } = change
      await recordSuspension(tx, by, { realm, suspended })
      const subject = Object.entries(settings).flatMap(([name, value]) =>
        value === undefined ? [] : [`${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`],
      )
      if (subject.length === 0 && suspended !== undefined) return
      await record(tx, by, { realm, action: 'realm.change', subject: subject.join(', ') })
    })
    return this.get(id)
  }

  /** Adds a point type. */
  async addPoint(realmId: string, input: NewPoint, by: Actor): Promise<Realm> {
    await this.#points.add(await this.number(realmId), input, by)
    return this.get(realmId)
  }

  /** PostgreSQL computes when days begin in the realm's time zone, so it must know the zone. */
  async #knowsTimeZone(zone: string): Promise<void> {
    try {
      await tryTimeZone(this.#db, zone)
    } catch (error) {
      throw sqlState(error) === '22023' ? invalid('/timeZone', `Unknown time zone ${zone}.`) : error
    }
  }

  async #row(id: string): Promise<RealmRow> {
    const row = await findRealm(this.#db, id)
    if (!row) throw refuse('realm_not_found', `There is no realm ${id}.`)
    if (row.purged) throw refuse('realm_not_found', `Realm ${id} was purged.`)
    return row
  }

  /** No new realm gets the id of a purged one: its clients may still have keys and entries of the old one. */
  async #refusePurged(error: unknown, id: string): Promise<void> {
    if (brokenConstraint(error) !== 'realms_id_unique') return
    if ((await findRealm(this.#db, id))?.purged)
      throw refuse(
        'already_exists',
        `Realm ${id} was purged. Its id can't be used again; choose another one.`,
      )
  }
}

function settingsOf(config: RealmConfig, change: RealmChange): Settings {
  const { name, unknownMembers, defaultPoint: named, logo, colours, timeZone, publicBoard } = change
  const point = named === undefined ? config.defaultPoint : config.points.get(named)
  if (!point) throw pointNotFound(named ?? '')
  return {
    name: name ?? config.name,
    unknownMembers: unknownMembers ?? config.unknownMembers,
    defaultPoint: usableAsDefault(point),
    logo: logo === undefined ? config.logo : logo,
    colours: colours === undefined ? config.colours : colours,
    timeZone: timeZone ?? config.timeZone,
    publicBoard: publicBoard ?? config.publicBoard,
    suspended: change.suspended === undefined ? config.suspended : change.suspended,
  }
}

/** Refusals for rules that are named constraints in the schema. */
function refusalOf(error: unknown, { id, point }: { id: string; point: string | undefined }): unknown {
  switch (brokenConstraint(error)) {
    case 'realms_id_unique':
      return refuse('already_exists', `Realm ${id} already exists.`)
    case 'realms_id_form':
      return invalid('/id', 'Expected a realm id of 1 to 64 letters, digits, _ or -.')
    default:
      return pointRefusal(error, point, '/point/id')
  }
}

async function withConfigs(db: RealmScoped, rows: readonly RealmRow[]): Promise<Realm[]> {
  const resolved = await new Configs().resolve(
    db.within(rows.map((row) => row.realm)),
    rows.map((row) => [row.realm]),
  )
  return rows.map((row) => ({
    number: row.realm,
    id: row.id,
    createdAt: row.created_at,
    config: configIn(resolved, row.realm),
    rateLimit: settingOf(row),
  }))
}
