import { Counter, Gauge } from 'prom-client'
import type { Metrics } from './metrics.ts'
import { processMetrics } from './processMetrics.ts'

/** What other modules can report at any time, without a query. */
export type Lookouts = {
  readonly ledger: () => { readonly waiting: number; readonly queued: number; readonly contended: number }
  readonly pool: () => {
    readonly open: number
    readonly idle: number
    readonly waiting: number
    readonly waits: number
  }
  readonly due: () => { readonly realms: number; readonly lagMs: number }
  readonly connections: () => number
  readonly streams: () => number
}

/** What only the database can report; undefined where it can't, or does not answer. */
export type Heard = {
  readonly up: boolean
  readonly standbys: number | undefined
  readonly standbyNeeded: boolean | undefined
  readonly clockGapMs: number | undefined
  readonly verified: { readonly at: Date; readonly ok: boolean } | undefined
}

type Look = () => number | undefined
type Numbers = readonly (readonly [name: string, help: string, look: Look])[]

/** Adds all metrics that are read when they are scraped. */
export function addLooked({ registry }: Metrics, at: Lookouts, heard: () => Heard): void {
  const registers = [registry]
  const addGauges = (numbers: Numbers) => {
    for (const [name, help, look] of numbers) new Gauge({ name, help, registers, collect: setter(look) })
  }
  const addCounters = (numbers: Numbers) => {
    for (const [name, help, look] of numbers) new Counter({ name, help, registers, collect: counter(look) })
  }
  addGauges(laneNumbers(at))
  addGauges(poolNumbers(at))
  addCounters([
    [
      'exchequer_pool_waits_total',
      'Statements that had to wait for a session of the pool.',
      () => at.pool().waits,
    ],
  ])
  addGauges(databaseNumbers(heard))
  addGauges([
    ['exchequer_connections', 'Open client connections.', at.connections],
    ['exchequer_streams', 'Open streams of events.', at.streams],
  ])
  addCounters([
    [
      'exchequer_event_loop_busy_seconds_total',
      'Time that the event loop was busy.',
      () => performance.eventLoopUtilization().active / 1000,
    ],
  ])
  for (const metric of processMetrics) registry.registerMetric(metric)
}

/** Unknown values are left out: a stale number would be mistaken for a current one. */
const setter = (look: Look) =>
  function (this: Gauge): void {
    const value = look()
    if (value === undefined) this.remove()
    else this.set(value)
  }

/** `inc` without a value adds 1. */
const counter = (look: Look) =>
  function (this: Counter): void {
    this.reset()
    this.inc(look() ?? 0)
  }

const laneNumbers = ({ ledger, due }: Lookouts): Numbers => [
  ['exchequer_commands_waiting', 'Commands whose callers wait for their outcome.', () => ledger().waiting],
  ['exchequer_lane_depth', 'Commands in the queues of the lanes, not yet sent.', () => ledger().queued],
  [
    'exchequer_lane_contended',
    'Commands that wait for the head of a realm which another process holds.',
    () => ledger().contended,
  ],
  [
    'exchequer_projection_lag_seconds',
    'Age of the oldest change of this process that leaderboards do not show yet.',
    () => due().lagMs / 1000,
  ],
  ['exchequer_projection_realms_due', 'Realms whose leaderboards are behind.', () => due().realms],
]

const poolNumbers = ({ pool }: Lookouts): Numbers => [
  ['exchequer_pool_sessions', 'Sessions of the pool, for reads and small changes.', () => pool().open],
  ['exchequer_pool_idle', 'Idle sessions of the pool.', () => pool().idle],
  ['exchequer_pool_waiting', 'Statements that wait for a session of the pool.', () => pool().waiting],
]

const flag = (value: boolean | undefined): number | undefined =>
  value === undefined ? undefined : Number(value)

const databaseNumbers = (heard: () => Heard): Numbers => [
  ['exchequer_database_up', 'Whether PostgreSQL answered just now.', () => flag(heard().up)],
  [
    'exchequer_synchronous_standbys',
    'Standbys that confirm commits; absent where the role may not see them.',
    () => heard().standbys,
  ],
  [
    'exchequer_synchronous_standby_needed',
    'Whether a commit waits for a standby.',
    () => flag(heard().standbyNeeded),
  ],
  [
    'exchequer_database_clock_ahead_seconds',
    'How far the database’s clock is ahead of this server’s; nothing is written beyond 60 either way.',
    () => {
      const { clockGapMs } = heard()
      return clockGapMs === undefined ? undefined : clockGapMs / 1000
    },
  ],
  [
    'exchequer_last_verify_timestamp_seconds',
    'When the whole ledger was last verified, or found wrong.',
    () => {
      const { verified } = heard()
      return verified && verified.at.getTime() / 1000
    },
  ],
  ['exchequer_last_verify_ok', 'Whether the ledger was correct then.', () => flag(heard().verified?.ok)],
]
