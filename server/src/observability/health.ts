import type { Durability } from '../db/durability.ts'
import type { Hearing } from './databaseStatus.ts'
import type { Lookouts } from './gauges.ts'

/** The health of the installation, as one process sees it. Unknown values are null. */
export type Health = {
  /** The durability required of PostgreSQL, from `DURABILITY`. */
  readonly durability: Durability
  readonly database: {
    readonly up: boolean
    /** Whether a commit waits for a standby. */
    readonly standbyNeeded: boolean | null
    /** Standbys that confirm commits. */
    readonly standbys: number | null
  }
  readonly standings: { readonly lagMs: number; readonly realmsBehind: number }
  readonly writes: { readonly waiting: number }
  readonly connections: number
  /** When the whole ledger was last verified, or found wrong, in the last five weeks. */
  readonly verified: { readonly at: Date; readonly ok: boolean } | null
}

type MeasuredHealth = Omit<Health, 'durability'>

export async function healthOf(hearing: Hearing, at: Lookouts | undefined): Promise<MeasuredHealth> {
  await hearing.refresh()
  const { up, standbyNeeded, standbys, verified } = hearing.latest
  const { lagMs, realms } = at?.due() ?? { lagMs: 0, realms: 0 }
  return {
    database: { up, standbyNeeded: standbyNeeded ?? null, standbys: standbys ?? null },
    standings: { lagMs: Math.round(lagMs), realmsBehind: realms },
    writes: { waiting: at?.ledger().waiting ?? 0 },
    connections: at?.connections() ?? 0,
    verified: verified ?? null,
  }
}
