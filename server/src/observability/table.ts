import { addLooked } from './gauges.ts'
import { addReported } from './labelled.ts'
import { Metrics } from './metrics.ts'
import { TaskTimes } from './taskTimes.ts'
import { TopRealms } from './topRealms.ts'

/** A metric's name, type, help text and labels. */
type MetricDescription = {
  readonly name: string
  readonly kind: string
  readonly help: string
  readonly labels: readonly string[]
}

/** All metrics. */
export function everyMetric(): readonly MetricDescription[] {
  const metrics = new Metrics()
  addReported(metrics, { top: new TopRealms(), tasks: new TaskTimes(), facts: () => undefined })
  const none = { waiting: 0, queued: 0, contended: 0 }
  addLooked(
    metrics,
    {
      ledger: () => none,
      pool: () => ({ open: 0, idle: 0, waiting: 0, waits: 0 }),
      due: () => ({ realms: 0, lagMs: 0 }),
      connections: () => 0,
      streams: () => 0,
    },
    () => ({
      up: false,
      standbys: undefined,
      standbyNeeded: undefined,
      clockGapMs: undefined,
      verified: undefined,
    }),
  )
  // The library's types leave out the labels, and have a number for the type.
  const all = metrics.registry.getMetricsAsArray() as unknown as {
    readonly name: string
    readonly type: string
    readonly help: string
    readonly labelNames: readonly string[]
  }[]
  return all.map(({ name, type, help, labelNames }) => ({ name, kind: type, help, labels: labelNames }))
}

/** The table in docs/operate/watch.md. */
export function metricsTable(): string {
  const rows = everyMetric().map(
    ({ name, kind, help, labels }) =>
      `| \`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |\n`,
  )
  return `| name | type | labels | description |\n|---|---|---|---|\n${rows.join('')}`
}
