/** Series by their names and labels, with promtool's values; null for none. One value a minute. */
export type Series = Readonly<Record<string, string | null>>

const forever = 'x140'
const steady = (value: number): string => `${value}${forever}`
const growing = (step: number): string => `0+${step}${forever}`
/** Always the current time: the tests of promtool begin at 0. */
const now = growing(60)

const route = 'route="/api/v4"'
const requests = (status: number) =>
  `exchequer_http_requests_total{instance="a",method="GET",${route},status="${status}"}`
const bucketOf = (le: string) =>
  `exchequer_http_request_duration_seconds_bucket{instance="a",${route},le="${le}"}`
const loopBucket = (le: string) => `exchequer_event_loop_delay_seconds_bucket{instance="a",le="${le}"}`
const refusals = (code: string) => `exchequer_refusals_total{code="${code}",instance="a"}`
const own = (name: string, labels = '') => `exchequer_${name}{instance="a"${labels}}`
const slot = ',slot="cdc"'
const standby = ',standby="s1"'
const task = ',task="expiry"'
const disk = (name: string) => `node_filesystem_${name}_bytes{fstype="ext4",instance="a",mountpoint="/"}`

/** A server, its PostgreSQL and its machine on a normal day. */
export const normal: Series = {
  'up{instance="a",job="exchequer"}': steady(1),
  [requests(200)]: growing(6_000),
  [requests(500)]: steady(3),
  [`exchequer_http_request_duration_seconds_count{instance="a",${route}}`]: growing(6_000),
  [bucketOf('0.1')]: growing(5_900),
  [bucketOf('1')]: growing(5_998),
  [bucketOf('10')]: growing(6_000),
  [bucketOf('+Inf')]: growing(6_000),
  [own('leaderboard_delay_seconds_count')]: growing(1_000),
  [own('leaderboard_delay_seconds_bucket', ',le="60"')]: growing(999),
  [own('delivery_delay_seconds_count')]: growing(1_000),
  [own('delivery_delay_seconds_bucket', ',le="10"')]: growing(999),
  [refusals('internal_error')]: steady(2),
  [refusals('outcome_unknown')]: steady(2),
  [refusals('overloaded')]: steady(2),
  [loopBucket('0.01')]: growing(1_195),
  [loopBucket('0.25')]: growing(1_200),
  [loopBucket('1')]: growing(1_200),
  [loopBucket('+Inf')]: growing(1_200),
  [own('pool_waiting')]: '0 3 0 0'.concat(` 0${forever}`),
  [own('lane_contended')]: '0 3 0 0'.concat(` 0${forever}`),
  [own('projection_lag_seconds')]: steady(2),
  [own('connections_refused_total')]: steady(5),
  'process_resident_memory_bytes{instance="a",job="exchequer"}': steady(4e8),
  [own('task_last_success_timestamp_seconds', task)]: now,
  [own('task_interval_seconds', task)]: steady(1),
  [own('last_verify_ok')]: steady(1),
  [own('last_verify_timestamp_seconds')]: steady(0),
  [own('database_up')]: steady(1),
  [own('synchronous_standby_needed')]: steady(1),
  [own('synchronous_standbys')]: steady(1),
  [own('database_clock_ahead_seconds')]: steady(-0.2),
  [own('postgres_sessions')]: steady(40),
  [own('postgres_sessions_limit')]: steady(97),
  [own('postgres_oldest_transaction_seconds')]: steady(3),
  [own('postgres_transaction_id_age')]: steady(2.5e8),
  [own('postgres_checkpoints_requested_total')]: growing(0.05),
  [own('postgres_checkpoints_timed_total')]: growing(0.2),
  [own('postgres_standby_lag_bytes', standby)]: steady(4_096),
  [own('postgres_standby_lag_seconds', standby)]: steady(0),
  [own('postgres_archive_failing')]: steady(0),
  [own('postgres_last_archived_timestamp_seconds')]: now,
  [own('postgres_wal_bytes_total')]: growing(2e6),
  [own('postgres_wal_folder_bytes')]: steady(2e9),
  [own('postgres_slot_retained_bytes', slot)]: steady(1e8),
  [own('postgres_slot_safe_bytes', slot)]: steady(2e10),
  [own('postgres_slot_lost', slot)]: steady(0),
  'exchequer_backup_last_success_timestamp_seconds{instance="a"}': steady(0),
  [disk('avail')]: steady(6e10),
  [disk('size')]: steady(1e11),
  'probe_ssl_earliest_cert_expiry{instance="https://points.example.com"}': steady(1e7),
}

export type Case = {
  readonly alert: string
  /** The labels of the alert, beside its severity. */
  readonly labels: Readonly<Record<string, string>>
  /** What is different from a normal day. */
  readonly cause: Series
  readonly minutes?: number
  /** Alerts that this cause fires too. No other may. */
  readonly also?: readonly string[]
}

const a = { instance: 'a' }
const burn = (slo: string) => ({ slo })
const cert = { instance: 'https://points.example.com' }
const certificate = `probe_ssl_earliest_cert_expiry{instance="${cert.instance}"}`
const onDisk = { instance: 'a', mountpoint: '/', fstype: 'ext4' }
const afterAnHour = 100
/** Where labels depend on other series, only the name is compared. */
export const cases: readonly Case[] = [
  {
    alert: 'ExchequerAvailabilityFastBurn',
    labels: burn('availability'),
    cause: { [requests(500)]: growing(600) },
    also: ['ExchequerAvailabilitySlowBurn'],
  },
  {
    alert: 'ExchequerAvailabilitySlowBurn',
    labels: burn('availability'),
    cause: { [requests(500)]: growing(12) },
  },
  {
    alert: 'ExchequerLatencyFastBurn',
    labels: burn('latency'),
    cause: { [bucketOf('0.1')]: growing(4_000), [bucketOf('1')]: growing(4_500) },
    also: ['ExchequerLatencySlowBurn', 'ExchequerSlow'],
  },
  {
    alert: 'ExchequerLatencySlowBurn',
    labels: burn('latency'),
    cause: { [bucketOf('0.1')]: growing(5_000), [bucketOf('1')]: growing(5_880) },
    also: ['ExchequerSlow'],
  },
  {
    alert: 'ExchequerLeaderboardFastBurn',
    labels: burn('leaderboards'),
    cause: { [own('leaderboard_delay_seconds_bucket', ',le="60"')]: growing(700) },
    also: ['ExchequerLeaderboardSlowBurn'],
  },
  {
    alert: 'ExchequerLeaderboardSlowBurn',
    labels: burn('leaderboards'),
    cause: { [own('leaderboard_delay_seconds_bucket', ',le="60"')]: growing(980) },
  },
  {
    alert: 'ExchequerDeliveryFastBurn',
    labels: burn('deliveries'),
    cause: { [own('delivery_delay_seconds_bucket', ',le="10"')]: growing(700) },
    also: ['ExchequerDeliverySlowBurn'],
  },
  {
    alert: 'ExchequerDeliverySlowBurn',
    labels: burn('deliveries'),
    cause: { [own('delivery_delay_seconds_bucket', ',le="10"')]: growing(980) },
  },
  {
    alert: 'ExchequerDown',
    labels: { ...a, job: 'exchequer' },
    cause: { 'up{instance="a",job="exchequer"}': steady(0) },
  },
  {
    alert: 'ExchequerFaults',
    labels: { ...a, code: 'internal_error' },
    cause: { [refusals('internal_error')]: '2x15 4x100' },
  },
  {
    alert: 'ExchequerOutcomesUnknown',
    labels: { ...a, code: 'outcome_unknown' },
    cause: { [refusals('outcome_unknown')]: '2x15 3x100' },
  },
  {
    alert: 'ExchequerOverloaded',
    labels: { ...a, code: 'overloaded' },
    cause: { [refusals('overloaded')]: growing(5) },
  },
  {
    alert: 'ExchequerSlow',
    labels: a,
    cause: { [bucketOf('0.1')]: growing(5_000), [bucketOf('1')]: growing(5_900) },
    also: ['ExchequerLatencySlowBurn'],
  },
  {
    alert: 'ExchequerEventLoopLate',
    labels: a,
    cause: { [loopBucket('0.01')]: growing(800), [loopBucket('0.25')]: growing(1_100) },
  },
  { alert: 'ExchequerPoolExhausted', labels: a, cause: { [own('pool_waiting')]: steady(4) } },
  { alert: 'ExchequerLaneContended', labels: a, cause: { [own('lane_contended')]: steady(2) } },
  { alert: 'ExchequerLeaderboardsBehind', labels: a, cause: { [own('projection_lag_seconds')]: steady(70) } },
  {
    alert: 'ExchequerConnectionsRefused',
    labels: a,
    cause: { [own('connections_refused_total')]: growing(3) },
  },
  {
    alert: 'ExchequerMemory',
    labels: { ...a, job: 'exchequer' },
    cause: { 'process_resident_memory_bytes{instance="a",job="exchequer"}': steady(1.2e9) },
  },
  {
    alert: 'ExchequerTaskLate',
    labels: { ...a, task: 'expiry' },
    cause: { [own('task_last_success_timestamp_seconds', task)]: steady(0) },
  },
  { alert: 'ExchequerLedgerWrong', labels: a, cause: { [own('last_verify_ok')]: steady(0) } },
  {
    alert: 'ExchequerNotVerified',
    labels: {},
    cause: { [own('last_verify_timestamp_seconds')]: null },
    minutes: afterAnHour,
  },
  { alert: 'ExchequerDatabaseDown', labels: a, cause: { [own('database_up')]: steady(0) } },
  { alert: 'ExchequerNoSynchronousStandby', labels: a, cause: { [own('synchronous_standbys')]: steady(0) } },
  { alert: 'ExchequerClocksApart', labels: a, cause: { [own('database_clock_ahead_seconds')]: steady(-30) } },
  { alert: 'ExchequerSessionsHigh', labels: a, cause: { [own('postgres_sessions')]: steady(85) } },
  {
    alert: 'ExchequerSessionsExhausted',
    labels: a,
    cause: { [own('postgres_sessions')]: steady(96) },
    also: ['ExchequerSessionsHigh'],
  },
  {
    alert: 'ExchequerLongTransaction',
    labels: a,
    cause: { [own('postgres_oldest_transaction_seconds')]: '3600+60x140' },
  },
  {
    alert: 'ExchequerTransactionIds',
    labels: a,
    cause: { [own('postgres_transaction_id_age')]: steady(1.2e9) },
    minutes: 35,
  },
  {
    alert: 'ExchequerTransactionIdsCritical',
    labels: a,
    cause: { [own('postgres_transaction_id_age')]: steady(1.7e9) },
    minutes: 35,
    also: ['ExchequerTransactionIds'],
  },
  {
    alert: 'ExchequerCheckpointsOften',
    labels: a,
    cause: { [own('postgres_checkpoints_requested_total')]: growing(0.5) },
    minutes: afterAnHour,
  },
  {
    alert: 'ExchequerStandbyBehind',
    labels: { ...a, standby: 's1' },
    cause: { [own('postgres_standby_lag_bytes', standby)]: steady(2e9) },
  },
  {
    alert: 'ExchequerStandbyGone',
    labels: { standby: 's1' },
    cause: {
      [own('postgres_standby_lag_bytes', standby)]: '4096x60',
      [own('postgres_standby_lag_seconds', standby)]: '0x60',
    },
    minutes: afterAnHour,
  },
  { alert: 'ExchequerArchiveFailing', labels: a, cause: { [own('postgres_archive_failing')]: steady(1) } },
  {
    alert: 'ExchequerArchiveOld',
    labels: a,
    cause: { [own('postgres_last_archived_timestamp_seconds')]: steady(0) },
    minutes: afterAnHour,
  },
  { alert: 'ExchequerWalLarge', labels: a, cause: { [own('postgres_wal_folder_bytes')]: steady(3e10) } },
  {
    alert: 'ExchequerSlotRetains',
    labels: { ...a, slot: 'cdc' },
    cause: { [own('postgres_slot_retained_bytes', slot)]: steady(3e10) },
  },
  {
    alert: 'ExchequerSlotBehind',
    labels: { ...a, slot: 'cdc' },
    cause: { [own('postgres_slot_safe_bytes', slot)]: steady(4e9) },
  },
  {
    alert: 'ExchequerSlotLost',
    labels: { ...a, slot: 'cdc' },
    cause: { [own('postgres_slot_lost', slot)]: steady(1) },
  },
  {
    alert: 'ExchequerBackupOld',
    labels: {},
    cause: { 'exchequer_backup_last_success_timestamp_seconds{instance="a"}': null },
    minutes: afterAnHour,
  },
  {
    alert: 'ExchequerDiskFilling',
    labels: onDisk,
    cause: { [disk('avail')]: '4e10-1e8x140' },
    minutes: 40,
  },
  { alert: 'ExchequerDiskFull', labels: onDisk, cause: { [disk('avail')]: steady(5e9) } },
  {
    alert: 'ExchequerCertificateExpiring',
    labels: cert,
    cause: { [certificate]: steady(10 * 86_400) },
    minutes: afterAnHour,
  },
  {
    alert: 'ExchequerCertificateExpired',
    labels: cert,
    cause: { [certificate]: steady(86_400) },
    minutes: afterAnHour,
    also: ['ExchequerCertificateExpiring'],
  },
]
