import { randomBytes } from 'node:crypto'
import { type Actor, record } from '../audit/index.ts'
import type { Database } from '../db/database.ts'
import { brokenConstraint } from '../db/failures.ts'
import type { Queryable } from '../db/session.ts'
import { invalid, type RefusalError, refuse } from '../errors.ts'
import { Configs, configIn } from './configs.ts'
import { underHeadLock } from './lock.ts'
import type { Point, RealmConfig } from './realm.ts'
import { insertPoint, updatePoint, updateSettings } from './store.ts'

/** Point types of a realm. Each is in every answer about a member. */
const pointsCap = 200

/** Generated ids are 24 hex digits, as the old service's were. */
export const makeId = (): string => randomBytes(12).toString('hex')

/** Settings of a point type; null removes a limit or an emoji, undefined leaves it. */
export type PointRules = {
  readonly name?: string | undefined
  readonly emoji?: string | null | undefined
  readonly maxBalance?: bigint | null | undefined
  readonly maxPerTransfer?: bigint | null | undefined
  readonly maxPerDay?: bigint | null | undefined
  readonly transferable?: boolean | undefined
}

export type NewPoint = PointRules & { readonly id?: string | undefined }

export type PointChange = PointRules & {
  readonly archived?: boolean | undefined
  /** Makes it the realm's default. */
  readonly default?: true | undefined
}

export function pointNotFound(id: string): RefusalError {
  return refuse('point_not_found', `The realm has no point type ${id}.`)
}

/** The current configuration, in a transaction that holds the head. */
export async function configNow(tx: Queryable, realm: number): Promise<RealmConfig> {
  return configIn(await new Configs().resolve(tx, [[realm]]), realm)
}

/** A request that names no point type means the default, so the default must be usable. */
export function usableAsDefault(point: Point): Point {
  if (!point.archived) return point
  throw refuse('default_point', `Point type ${point.id} is archived. Restore it first.`)
}

/** A realm's point types and their rules. */
export class Points {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Adds a point type, and returns its id. */
  async add(realm: number, input: NewPoint, by: Actor): Promise<string> {
    const id = input.id ?? makeId()
    try {
      await underHeadLock(this.#db, realm, async (tx) => {
        const { points } = await configNow(tx, realm)
        if (points.size >= pointsCap && !points.has(id))
          throw refuse('point_limit', `The realm has ${points.size} point types, which is the maximum.`, {
            limit: points.size,
          })
        await insertPoint(tx, realm, changed(plainPoint(id, id), input))
        await record(tx, by, { realm, action: 'point.create', subject: `point ${id}` })
      })
    } catch (error) {
      throw pointRefusal(error, id, '/id')
    }
    return id
  }

  async change(
    { realm, id }: { readonly realm: number; readonly id: string },
    change: PointChange,
    by: Actor,
  ): Promise<void> {
    await underHeadLock(this.#db, realm, async (tx) => {
      const config = await configNow(tx, realm)
      const point = config.points.get(id)
      if (!point) throw pointNotFound(id)
      const after = { ...changed(point, change), archived: change.archived ?? point.archived }
      if (after.archived && config.defaultPoint.id === id && !change.default) throw defaultStays(id)
      await updatePoint(tx, realm, after)
      if (change.default) await updateSettings(tx, realm, { ...config, defaultPoint: usableAsDefault(after) })
      const said = Object.entries(change).filter(([, value]) => value !== undefined)
      const subject = [`point ${id}`, ...said.map(([name, value]) => `${name} ${value ?? 'none'}`)].join(', ')
      await record(tx, by, { realm, action: 'point.change', subject })
    })
  }
}

const defaultStays = (id: string): RefusalError =>
  refuse('default_point', `Point type ${id} is the realm’s default. Make another one the default first.`)

const blank: Omit<Point, 'id' | 'name'> = {
  number: 0,
  emoji: null,
  archived: false,
  maxBalance: null,
  transferable: true,
  maxPerTransfer: null,
  maxPerDay: null,
}

/** A point type without any rule. */
export const plainPoint = (id: string, name: string): Point => ({ ...blank, id, name })

/** Undefined keeps the old value. */
const or = <T>(given: T | undefined, had: T): T => (given === undefined ? had : given)

function changed(point: Point, rules: PointRules): Point {
  return {
    ...point,
    name: or(rules.name, point.name),
    emoji: or(rules.emoji, point.emoji),
    maxBalance: or(rules.maxBalance, point.maxBalance),
    maxPerTransfer: or(rules.maxPerTransfer, point.maxPerTransfer),
    maxPerDay: or(rules.maxPerDay, point.maxPerDay),
    transferable: or(rules.transferable, point.transferable),
  }
}

/** Refusals for rules of an id that are named constraints in the schema. */
export function pointRefusal(error: unknown, id: string | undefined, pointer: string): unknown {
  switch (brokenConstraint(error)) {
    case 'points_id_unique':
      return refuse('already_exists', `The realm already has a point type ${id}.`)
    case 'points_id_form':
      return invalid(pointer, 'Expected 24 hex digits, or a letter and up to 63 letters, digits, _ or -.')
    default:
      return error
  }
}
