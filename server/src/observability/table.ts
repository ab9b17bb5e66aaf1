import { addLooked } from './gauges.ts'
import { Metrics } from './metrics.ts'
import type { MetricDescription } from './registry.ts'

/** All metrics. */
export function everyMetric(): readonly MetricDescription[] {
  const metrics = new Metrics()
  const none = { waiting: 0, queued: 0, contended: 0 }
  addLooked(
    metrics,
    {
      ledger: () => none,
      pool: () => ({ open: 0, idle: 0, waiting: 0, waits: 0 }),
      due: () => ({ realms: 0, lagMs: 0 }),
      connections: () => 0,
    },
    () => ({
      up: false,
      standbys: undefined,
      standbyNeeded: undefined,
      clockGapMs: undefined,
      verified: undefined,
    }),
  )
  return metrics.registry.described
}

/** The table in docs/operate/watch.md. */
export function metricsTable(): string {
  const rows = everyMetric().map(
    ({ name, kind, help, labels }) =>
      `| \`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |\n`,
  )
  return `| name | type | labels | description |\n|---|---|---|---|\n${rows.join('')}`
}
