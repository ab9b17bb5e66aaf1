import { type Actor, record } from '../audit/index.ts'
import type { Directory, PlacePage } from '../cells/index.ts'
import type { Database } from '../db/database.ts'
import { sqlState } from '../db/failures.ts'
import { invalid, RefusalError, refuse, wrongCell } from '../errors.ts'
import { columnsOf, type LimitSetting, settingOf } from '../limits/index.ts'
import { Configs, configIn } from './configs.ts'
import { createRealm, type NewRealm } from './creation.ts'
import { underHeadLock } from './lock.ts'
import { configNow, type NewPoint, Points, pointNotFound, usableAsDefault } from './points.ts'
import type { Presence } from './presence.ts'
import type { RealmConfig } from './realm.ts'
import {
  findRealm,
  listPublic,
  listRealms,
  type RealmRow,
  readRealms,
  type Settings,
  setLimit,
  setName,
  tryTimeZone,
  updateSettings,
} from './store.ts'
import { recordSuspension, refuseSuspended } from './suspension.ts'

export { areColours, coloursCap, isLogo, isTimeZone, logoCap } from './branding.ts'
export { Configs, configIn } from './configs.ts'
export type { NewRealm } from './creation.ts'
export { Days, dateOf, dayIn, isDay, monthOf, type Range, weekOf } from './days.ts'
export * from './lapse/index.ts'
export {
  LapseRules,
  lapseRuleNotFound,
  type RuleChange,
  type RulePreview,
  usualNotice,
} from './lapseRules.ts'
export { underHeadLock } from './lock.ts'
export { originHash } from './origin.ts'
export { type NewPoint, type PointChange, Points, pointNotFound } from './points.ts'
export { Presence } from './presence.ts'
export { countCap, Purge, type PurgePlan } from './purge.ts'
export type { Point, RealmConfig, Suspension } from './realm.ts'
export { changeConfigVersion, drawnVersion, nextVersion, readConfigVersions } from './store.ts'
export { refuseSuspended } from './suspension.ts'

/** A realm with its settings and point types, as an operator sees it. */
export type Realm = {
  readonly number: number
  readonly id: string
  readonly cell: number
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

/** A realm of any cell, as a list of all cells shows it; `realm` only where it is in this cell. */
export type ListedRealm = {
  readonly number: number
  readonly id: string
  readonly name: string
  readonly cell: number
  readonly createdAt: Date
  readonly realm: Realm | undefined
}

/** Ids of realms with a public board that a process remembers: about 10 MiB. */
const publicCap = 100_000

type RealmsOptions = {
  readonly directory?: Directory
  readonly presence?: Pick<Presence, 'check'>
}

/** Realms, their settings and point types. */
export class Realms {
  readonly #db: Database
  readonly #points: Points
  readonly #directory: Directory | undefined
  readonly #presence: Pick<Presence, 'check'> | undefined

  /** Without a directory, the database is the only cell. */
  constructor(db: Database, { directory, presence }: RealmsOptions = {}) {
    this.#db = db
    this.#presence = presence
    this.#points = new Points(db)
    this.#directory = directory
  }

  async create(input: NewRealm, by: Actor): Promise<Realm> {
    return this.get(await createRealm({ db: this.#db, directory: this.#directory }, input, by))
  }

  async get(id: string): Promise<Realm> {
    const [realm] = await this.#withConfigs([await this.#row(id)])
    // Without a head it has no configuration: it has moved away, or moves now.
    if (!realm) throw new RefusalError(wrongCell)
    return realm
  }

  /** The ids of realms with a public leaderboard; undefined when there are more than the cap. */
  async publicIds(): Promise<ReadonlySet<string> | undefined> {
    const ids = await listPublic(this.#db, publicCap + 1)
    return ids.length > publicCap ? undefined : new Set(ids)
  }

  /** The internal number of a realm by its public id, for operators. */
  async number(id: string): Promise<number> {
    const { realm } = await this.#row(id)
    await this.#presence?.check(realm)
    return realm
  }

  /** Refuses a suspended realm's write that the ledger does not decide. */
  refuseSuspended(realm: number): Promise<void> {
    return refuseSuspended(this.#db, realm)
  }

  /** A page of this cell's realms in the order they were created, after the one with this number. */
  async page({ after, limit }: { readonly after: number; readonly limit: number }): Promise<Realm[]> {
    for (let from = after; ; ) {
      const rows = await listRealms(this.#db, from, limit)
      const realms = await this.#withConfigs(rows)
      const last = rows.at(-1)
      if (realms.length > 0 || !last) return realms
      from = last.realm
    }
  }

  /** A page of the realms of all cells, or of one, or of those with this part of a name. */
  async listed(page: PlacePage): Promise<ListedRealm[]> {
    const directory = this.#directory
    if (!directory) throw new Error('a list of realms needs the directory')
    const places = await directory.page(page)
    const here = places.filter(({ cell }) => cell === directory.cell).map(({ realm }) => realm)
    const realms = await this.#withConfigs(await readRealms(this.#db, here))
    const known = new Map(realms.map((realm) => [realm.number, realm]))
    return places.map(({ realm, id, name, cell, created_at: createdAt }) => ({
      number: realm,
      id,
      name,
      cell,
      createdAt,
      realm: known.get(realm),
    }))
  }

  /** Refuses a request that is for another cell than this one. */
  refuseOther(cell: number | undefined): void {
    const own = this.#directory?.cell ?? 0
    if (cell === undefined || cell === own) return
    const detail = `This server is in cell ${own}, not in cell ${cell}. Nothing was changed; try again.`
    throw new RefusalError({ ...wrongCell, detail })
  }

  async change(id: string, change: RealmChange, by: Actor): Promise<Realm> {
    const realm = await this.number(id)
    if (change.timeZone !== undefined) await this.#knowsTimeZone(change.timeZone)
    await underHeadLock(this.#db, realm, async (tx) => {
      await updateSettings(tx, realm, settingsOf(await configNow(tx, realm), change))
      if (change.name !== undefined) await setName(tx, realm, change.name)
      if (change.rateLimit) await setLimit(tx, realm, columnsOf(change.rateLimit))
      const { suspended, ...settings } = change
      await recordSuspension(tx, by, { realm, suspended })
      const subject = Object.entries(settings).flatMap(([name, value]) =>
        value === undefined ? [] : [`${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`],
      )
      if (subject.length === 0 && suspended !== undefined) return
      await record(tx, by, { realm, action: 'realm.change', subject: subject.join(', ') })
    })
    // While the directory is away, its copy waits for the next comparison of names.
    if (change.name !== undefined && !this.#directory?.isOwn)
      await this.#directory?.setName(realm, change.name).catch(() => {})
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
    if (!row) throw (await this.#isElsewhere(id)) ? new RefusalError(wrongCell) : noRealm(id)
    if (row.purged) throw refuse('realm_not_found', `Realm ${id} was purged.`)
    // Only the directory's row says where the realm is.
    if (this.#directory?.isOwn && row.cell !== this.#directory.cell) throw new RefusalError(wrongCell)
    return row
  }

  /** A realm with a head here is in this cell; without one it has no configuration, and has moved away. */
  async #withConfigs(rows: readonly RealmRow[]): Promise<Realm[]> {
    const numbers = rows.map((row) => row.realm)
    const asked = numbers.map((realm) => [realm] as const)
    const resolved = await new Configs().resolve(this.#db.within(numbers), asked)
    const present = rows.filter((row) => resolved.has(row.realm))
    return present.map((row) => ({
      number: row.realm,
      id: row.id,
      cell: this.#directory?.cell ?? 0,
      createdAt: row.created_at,
      config: configIn(resolved, row.realm),
      rateLimit: settingOf(row),
    }))
  }

  /** Whether a realm that this cell's database does not know is in another one. */
  async #isElsewhere(id: string): Promise<boolean> {
    if (this.#directory === undefined || this.#directory.isOwn) return false
    const place = await this.#directory.find(id)
    return place !== undefined && !place.purged && place.cell !== this.#directory.cell
  }
}

const noRealm = (id: string) => refuse('realm_not_found', `There is no realm ${id}.`)

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
