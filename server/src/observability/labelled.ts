import { Counter, Gauge } from 'prom-client'
import type { Metrics } from './metrics.ts'
import type { Facts } from './postgresFacts.ts'
import type { TaskTimes } from './taskTimes.ts'
import type { TopRealms } from './topRealms.ts'

export type Reported = {
  readonly top: TopRealms
  readonly tasks: TaskTimes
  readonly facts: () => Facts | undefined
}

type Rows = readonly (readonly [label: string, value: number | null | undefined])[]
type Labelled = readonly (readonly [name: string, help: string, rows: () => Rows])[]
type Single = readonly (readonly [name: string, help: string, value: () => number | null | undefined])[]

/** Adds metrics that have a bounded number of label values, or that PostgreSQL reports now and then. */
export function addReported({ registry }: Metrics, { top, tasks, facts }: Reported): void {
  const registers = [registry]
  const addLabelled = (label: string, numbers: Labelled) => {
    for (const [name, help, rows] of numbers)
      new Gauge({ name, help, registers, labelNames: [label], collect: setRows(label, rows) })
  }
  addLabelled('realm', topNumbers(top, facts))
  addLabelled('task', [
    [
      'exchequer_task_last_success_timestamp_seconds',
      'When this process last completed a recurring task, or found that another process does it.',
      () => tasks.lastSuccesses(),
    ],
    ['exchequer_task_interval_seconds', 'How often the task runs.', () => tasks.intervals()],
  ])
  for (const [name, help, value] of postgresGauges(facts))
    new Gauge({ name, help, registers, collect: setOne(value) })
  for (const [name, help, value] of postgresCounters(facts))
    new Counter({ name, help, registers, collect: countTo(value) })
  addLabelled('slot', slotNumbers(facts))
  addLabelled('standby', standbyNumbers(facts))
}

const setRows = (label: string, rows: () => Rows) =>
  function (this: Gauge): void {
    this.reset()
    for (const [name, value] of rows()) if (typeof value === 'number') this.set({ [label]: name }, value)
  }

/** Unknown values are left out. */
const setOne = (look: () => number | null | undefined) =>
  function (this: Gauge): void {
    const value = look()
    if (typeof value === 'number') this.set(value)
    else this.remove()
  }

/** An unknown total is left out: 0 would be mistaken for a reset. */
const countTo = (look: () => number | null | undefined) =>
  function (this: Counter): void {
    const value = look()
    if (typeof value === 'number') this.reset()
    if (typeof value === 'number') this.inc(value)
    else this.remove()
  }

const topNumbers = (top: TopRealms, facts: () => Facts | undefined): Labelled => [
  [
    'exchequer_top_realm_requests_per_second',
    'The 10 realms with most requests to this process in the last full minute.',
    () => top.busiest(),
  ],
  [
    'exchequer_top_realm_rejections_per_second',
    'The 10 realms with most responses of 400 and above in that minute.',
    () => top.mostRejected(),
  ],
  [
    'exchequer_top_realm_mean_seconds',
    'The 10 realms with the longest mean response in that minute, of those with 10 requests or more.',
    () => top.slowest(),
  ],
  [
    'exchequer_top_realm_entries',
    'The 10 realms with most journal entries, read every ten minutes by one process.',
    () => facts()?.largest.map(({ realm, entries }) => [realm, entries] as const) ?? [],
  ],
]

const postgresGauges = (facts: () => Facts | undefined): Single => [
  ['exchequer_postgres_database_bytes', 'Size of the database.', () => facts()?.basics.bytes],
  [
    'exchequer_postgres_transaction_id_age',
    'Age of the oldest transaction id or multixact of all databases; PostgreSQL stops writes at 2 billion.',
    () => facts()?.basics.id_age,
  ],
  ['exchequer_postgres_sessions', 'Sessions of all clients of PostgreSQL.', () => facts()?.basics.sessions],
  [
    'exchequer_postgres_sessions_limit',
    'Sessions that PostgreSQL allows, without those reserved for administrators.',
    () => facts()?.basics.sessions_limit,
  ],
  [
    'exchequer_postgres_oldest_transaction_seconds',
    'Age of the oldest open transaction; absent without pg_read_all_stats.',
    () => facts()?.basics.oldest_transaction,
  ],
  [
    'exchequer_postgres_wal_folder_bytes',
    'Size of all WAL segments on disk; absent without pg_monitor.',
    () => facts()?.walFolder,
  ],
  [
    'exchequer_postgres_archive_failing',
    'Whether the last segment could not be archived; absent without an archive.',
    () => flag(facts()?.archive?.failing),
  ],
  [
    'exchequer_postgres_last_archived_timestamp_seconds',
    'When a WAL segment was last archived.',
    () => facts()?.archive?.last_archived,
  ],
]

const postgresCounters = (facts: () => Facts | undefined): Single => [
  ['exchequer_postgres_wal_bytes_total', 'WAL that was written.', () => facts()?.walWritten],
  [
    'exchequer_postgres_archived_segments_total',
    'WAL segments that were archived.',
    () => facts()?.archive?.archived,
  ],
  [
    'exchequer_postgres_archive_failures_total',
    'Failed attempts to archive a WAL segment.',
    () => facts()?.archive?.failures,
  ],
  [
    'exchequer_postgres_checkpoints_timed_total',
    'Checkpoints that were due by time.',
    () => facts()?.checkpoints?.timed,
  ],
  [
    'exchequer_postgres_checkpoints_requested_total',
    'Checkpoints before their time, mostly as max_wal_size was reached.',
    () => facts()?.checkpoints?.requested,
  ],
]

const slotNumbers = (facts: () => Facts | undefined): Labelled => [
  [
    'exchequer_postgres_slot_retained_bytes',
    'WAL that a replication slot keeps, for 20 slots at most.',
    () => facts()?.slots?.map(({ slot, retained }) => [slot, retained] as const) ?? [],
  ],
  [
    'exchequer_postgres_slot_safe_bytes',
    'WAL that can be written until PostgreSQL gives up the slot; absent without max_slot_wal_keep_size.',
    () => facts()?.slots?.map(({ slot, safe }) => [slot, safe] as const) ?? [],
  ],
  [
    'exchequer_postgres_slot_lost',
    'Whether WAL that the slot needs is deleted, or will be at the next checkpoint.',
    () => facts()?.slots?.map(({ slot, lost }) => [slot, Number(lost)] as const) ?? [],
  ],
]

const standbyNumbers = (facts: () => Facts | undefined): Labelled => [
  [
    'exchequer_postgres_standby_lag_bytes',
    'WAL that a standby has not applied yet, for 20 at most; absent without pg_read_all_stats.',
    () => facts()?.standbys?.map(({ standby, bytes }) => [standby, bytes] as const) ?? [],
  ],
  [
    'exchequer_postgres_standby_lag_seconds',
    'How far the standby is behind; 0 when there is nothing to apply.',
    () => facts()?.standbys?.map(({ standby, seconds }) => [standby, seconds] as const) ?? [],
  ],
]

const flag = (value: boolean | undefined): number | undefined =>
  value === undefined ? undefined : Number(value)
