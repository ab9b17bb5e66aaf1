import { Recent } from '../db/recent.ts'
import type { Queryable } from '../db/session.ts'
import { RefusalError, wrongCell } from '../errors.ts'
import { stepsOf } from './lapse/index.ts'
import type { Point, RealmConfig } from './realm.ts'
import { type ConfigRow, readConfigs, readConfigVersions } from './store.ts'
import { suspensionOf } from './suspension.ts'

/**
 * The configurations this process has loaded. One is used only after its version was compared with the
 * head's.
 */
export class Configs {
  readonly #known: Recent<number, RealmConfig>

  /** At least `kept` realms, those that were used last, and at most twice as many. */
  constructor(kept = 15_000) {
    this.#known = new Recent(kept)
  }

  /**
   * The configurations of these realms, which `db` must be bound to, loaded where they are missing or of
   * another version. The result does not change, whatever others load meanwhile.
   */
  async resolve(db: Queryable, realms: Iterable<ConfigQuery>): Promise<ReadonlyMap<number, RealmConfig>> {
    const resolved = new Map<number, RealmConfig>()
    const stale: number[] = []
    for (const [realm, version] of realms) {
      const known = this.#known.get(realm)
      if (known && (version === undefined || known.version === version)) resolved.set(realm, known)
      else stale.push(realm)
    }
    if (stale.length === 0) return resolved
    for (const rows of byRealm(await readConfigs(db, stale))) {
      const [first] = rows
      if (!first) continue
      const config = configOf(first, rows)
      this.#known.set(first.realm, config)
      resolved.set(first.realm, config)
    }
    return resolved
  }

  /** The realm's current configuration. */
  async latest(db: Queryable, realm: number): Promise<RealmConfig> {
    const { rows } = await readConfigVersions(db, [realm])
    const wanted = rows.map((row) => [row.realm, row.config_version] as const)
    return configIn(await this.resolve(db, wanted), realm)
  }

  /** Drops that of a realm which is not in this cell any more. */
  drop(realm: number): void {
    this.#known.delete(realm)
  }

  /** Drops all of them. */
  clear(): void {
    this.#known.clear()
  }
}

/** A realm, and the version that its configuration must have, if known. */
export type ConfigQuery = readonly [realm: number, version?: number]

export function configIn(resolved: ReadonlyMap<number, RealmConfig>, realm: number): RealmConfig {
  const config = resolved.get(realm)
  // A configuration is read together with the head.
  if (!config) throw new RefusalError(wrongCell)
  return config
}

function byRealm(rows: readonly ConfigRow[]): Iterable<ConfigRow[]> {
  return Map.groupBy(rows, (row) => row.realm).values()
}

function pointOf(row: ConfigRow): Point {
  return {
    number: row.point,
    id: row.point_id,
    name: row.point_name,
    emoji: row.emoji,
    archived: row.archived,
    maxBalance: row.max_balance,
    transferable: row.transferable,
    maxPerTransfer: row.max_per_transfer,
    maxPerDay: row.max_per_day,
    lapse: stepsOf(row.lapse),
  }
}

function configOf(first: ConfigRow, rows: readonly ConfigRow[]): RealmConfig {
  return {
    version: first.config_version,
    id: first.realm_id,
    name: first.name,
    logo: first.logo,
    colours: first.colours,
    timeZone: first.time_zone,
    publicBoard: first.public_board,
    unknownMembers: first.unknown_members,
    hasMerges: first.has_merges,
    suspended: suspensionOf(first),
    defaultPoint: pointOf(first),
    points: new Map(rows.map((row) => [row.point_id, pointOf(row)])),
  }
}
