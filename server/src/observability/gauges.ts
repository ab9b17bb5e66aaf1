import type { Metrics } from './metrics.ts'

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
}

/** What only the database can report; undefined where it can't, or does not answer. */
export type Heard = {
  readonly up: boolean
  readonly standbys: number | undefined
  readonly standbyNeeded: boolean | undefined
  readonly clockGapMs: number | undefined
  readonly verified: { readonly at: Date; readonly ok: boolean } | undefined
}

type Numbers = readonly (readonly [name: string, help: string, look: () => number | undefined])[]

/** Adds all metrics that are read when they are scraped. */
export function addLooked({ registry }: Metrics, at: Lookouts, heard: () => Heard): void {
  const add = (kind: 'gauge' | 'counter', numbers: Numbers) => {
    for (const [name, help, look] of numbers) registry.looked({ name, kind, help }, look)
  }
  add('gauge', laneNumbers(at))
  add('gauge', poolNumbers(at))
  add('counter', [
    [
      'exchequer_pool_waits_total',
      'Statements that had to wait for a session of the pool.',
      () => at.pool().waits,
    ],
  ])
  add('gauge', databaseNumbers(heard))
  add('gauge', processGauges(at))
  add('counter', processCounters)
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

const startedAt = Date.now() / 1000 - process.uptime()

const processGauges = ({ connections }: Lookouts): Numbers => [
  ['exchequer_connections', 'Open client connections.', connections],
  ['process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss()],
  ['nodejs_heap_size_used_bytes', 'Heap memory in use.', () => process.memoryUsage().heapUsed],
  ['nodejs_external_memory_bytes', 'Memory of buffers.', () => process.memoryUsage().external],
  ['process_start_time_seconds', 'Start time of the process.', () => startedAt],
]

const processCounters: Numbers = [
  [
    'process_cpu_seconds_total',
    'CPU time used, in seconds.',
    () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    },
  ],
  [
    'exchequer_event_loop_busy_seconds_total',
    'Time that the event loop was busy.',
    () => performance.eventLoopUtilization().active / 1000,
  ],
]
