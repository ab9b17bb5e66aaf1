import { randomBytes } from 'node:crypto'
import { type Actor, record } from '../audit/audit.ts'
import type { Database } from '../db/database.ts'
import { brokenConstraint } from '../db/failures.ts'
import type { Queryable } from '../db/session.ts'
import { invalid, refuse } from '../errors.ts'
import { Configs, configIn } from './configs.ts'
import { originHash } from './origin.ts'
import type { RealmConfig } from './realm.ts'
import {
  findRealm,
  insertHead,
  insertPoint,
  insertRealm,
  insertSettings,
  listRealms,
  type RealmRow,
  raiseConfigVersion,
  type SettingsChange,
  updateSettings,
} from './store.ts'

export { Configs, configIn } from './configs.ts'
export { originHash } from './origin.ts'
export type { Point, RealmConfig } from './realm.ts'
export { readConfigVersions } from './store.ts'

/** A realm with its settings and kinds of points, as an operator sees it. */
export type Realm = {
  readonly number: number
  readonly id: string
  readonly createdAt: Date
  readonly config: RealmConfig
}

export type NewPoint = { readonly id?: string | undefined; readonly name?: string | undefined }

export type NewRealm = {
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly unknownMembers?: 'refuse' | 'create' | undefined
  readonly point?: NewPoint | undefined
}

/** Generated ids are 24 hex digits, as the old service's were. */
const makeId = (): string => randomBytes(12).toString('hex')

/** A name for the kind of points that every realm starts with. */
const firstPointName = 'Points'

/** Realms, their settings and kinds of points. */
export class Realms {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async create(input: NewRealm, by: Actor): Promise<Realm> {
    const id = input.id ?? makeId()
    try {
      await this.#db.transaction(async (tx) => {
        const { realm } = await insertRealm(tx, id)
        await insertHead(tx, realm, originHash(id))
        await insertPoint(tx, realm, {
          id: input.point?.id ?? makeId(),
          name: input.point?.name ?? firstPointName,
        })
        const unknownMembers = input.unknownMembers ?? 'refuse'
        await insertSettings(tx, { realm, id, name: input.name ?? id, unknownMembers })
        await record(tx, by, { realm, action: 'realm.create', subject: `realm ${id}` })
      })
    } catch (error) {
      throw refusalOf(error, { id, point: input.point?.id })
    }
    return this.get(id)
  }

  async get(id: string): Promise<Realm> {
    const [realm] = await withConfigs(this.#db, [await this.#row(id)])
    if (!realm) throw new Error(`realm ${id} has no configuration`)
    return realm
  }

  /** The internal number of a realm, for an operator who names it by its public id. */
  async number(id: string): Promise<number> {
    return (await this.#row(id)).realm
  }

  /** A page of realms in the order they were made, after the one with this id. */
  async page(after: string | undefined, limit: number): Promise<Realm[]> {
    const start = after === undefined ? 0 : await this.number(after)
    return withConfigs(this.#db, await listRealms(this.#db, start, limit))
  }

  async change(id: string, change: SettingsChange, by: Actor): Promise<Realm> {
    const realm = await this.get(id)
    if (change.defaultPoint !== undefined && !realm.config.points.has(change.defaultPoint)) {
      throw refuse('point_not_found', `The realm has no kind of points with the id ${change.defaultPoint}.`)
    }
    await underHeadLock(this.#db, realm.number, async (tx) => {
      await updateSettings(tx, realm.number, change)
      const subject = Object.entries(change).flatMap(([name, value]) =>
        value === undefined ? [] : [`${name} ${value}`],
      )
      await record(tx, by, { realm: realm.number, action: 'realm.change', subject: subject.join(', ') })
    })
    return this.get(id)
  }

  /** Adds a kind of points. */
  async addPoint(realmId: string, input: NewPoint, by: Actor): Promise<Realm> {
    const realm = await this.number(realmId)
    const id = input.id ?? makeId()
    try {
      await underHeadLock(this.#db, realm, async (tx) => {
        await insertPoint(tx, realm, { id, name: input.name ?? id })
        await record(tx, by, { realm, action: 'point.create', subject: `point ${id}` })
      })
    } catch (error) {
      throw refusalOf(error, { id: realmId, point: id })
    }
    return this.get(realmId)
  }

  async #row(id: string): Promise<RealmRow> {
    const row = await findRealm(this.#db, id)
    if (!row) throw refuse('realm_not_found', `There is no realm ${id}.`)
    return row
  }
}

/** Rules that stand in the schema as named constraints, in words. */
function refusalOf(error: unknown, { id, point }: { id: string; point: string | undefined }): unknown {
  switch (brokenConstraint(error)) {
    case 'realms_id_unique':
      return refuse('already_exists', `There is a realm ${id} already.`)
    case 'realms_id_form':
      return invalid('/id', 'Expected a realm id of 1 to 64 letters, digits, _ or -.')
    case 'points_id_unique':
      return refuse('already_exists', `The realm has a kind of points with the id ${point} already.`)
    case 'points_id_form':
      return invalid('/point/id', 'Expected 24 hex digits, or a letter and up to 63 letters, digits, _ or -.')
    default:
      return error
  }
}

/** What decisions read changes only in here: the version's update is the head lock. */
function underHeadLock<T>(db: Database, realm: number, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await raiseConfigVersion(tx, realm)
    return work(tx)
  })
}

async function withConfigs(db: Queryable, rows: readonly RealmRow[]): Promise<Realm[]> {
  const resolved = await new Configs().resolve(
    db,
    rows.map((row) => [row.realm]),
  )
  return rows.map((row) => ({
    number: row.realm,
    id: row.id,
    createdAt: row.created_at,
    config: configIn(resolved, row.realm),
  }))
}
