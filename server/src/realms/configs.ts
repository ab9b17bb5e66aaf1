import type { Queryable } from '../db/session.ts'
import type { Point, RealmConfig } from './realm.ts'
import { type ConfigRow, readConfigs, readConfigVersions } from './store.ts'

/** Realms whose configuration a process keeps; the longest unused goes first. */
const kept = 20_000

/**
 * The configurations this process has seen. One is used only after its version was compared with the head's.
 */
export class Configs {
  readonly #known = new Map<number, RealmConfig>()

  get(realm: number): RealmConfig | undefined {
    return this.#known.get(realm)
  }

  /** A configuration that was ensured before. */
  of(realm: number): RealmConfig {
    const config = this.#known.get(realm)
    if (!config) throw new Error(`the configuration of realm ${realm} was not loaded`)
    return config
  }

  /** Loads what is missing or older than the versions given. True when something was loaded. */
  async refresh(
    db: Queryable,
    realms: Iterable<readonly [realm: number, version?: number]>,
  ): Promise<boolean> {
    const stale: number[] = []
    for (const [realm, version] of realms) {
      const known = this.#known.get(realm)
      if (!known || (version !== undefined && known.version !== version)) stale.push(realm)
    }
    if (stale.length === 0) return false
    for (const rows of byRealm(await readConfigs(db, stale))) this.#keep(rows)
    return true
  }

  /** The realm's configuration as it is now. */
  async latest(db: Queryable, realm: number): Promise<RealmConfig> {
    const { rows } = await readConfigVersions(db, [realm])
    await this.refresh(
      db,
      rows.map((row) => [row.realm, row.config_version]),
    )
    return this.of(realm)
  }

  #keep(rows: readonly ConfigRow[]): void {
    const [first] = rows
    // An answer that was overtaken by a newer one is not kept.
    if (!first || first.config_version < (this.#known.get(first.realm)?.version ?? 0)) return
    this.#known.delete(first.realm)
    this.#known.set(first.realm, configOf(first, rows))
    if (this.#known.size > kept) {
      const [oldest] = this.#known.keys()
      if (oldest !== undefined) this.#known.delete(oldest)
    }
  }
}

function byRealm(rows: readonly ConfigRow[]): Iterable<ConfigRow[]> {
  return Map.groupBy(rows, (row) => row.realm).values()
}

function pointOf(row: ConfigRow): Point {
  return { number: row.point, id: row.point_id, name: row.point_name, archived: row.archived }
}

function configOf(first: ConfigRow, rows: readonly ConfigRow[]): RealmConfig {
  return {
    version: first.config_version,
    id: first.realm_id,
    name: first.name,
    unknownMembers: first.unknown_members,
    defaultPoint: pointOf(first),
    points: new Map(rows.map((row) => [row.point_id, pointOf(row)])),
  }
}
