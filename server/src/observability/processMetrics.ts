import { collectDefaultMetrics, type Metric, Registry } from 'prom-client'

/**
 * Of the library's default metrics these are left out: percentiles of the event loop's delay, as each
 * scrape resets them for the next; collections of garbage, as it counts one where several are reported at
 * once; active handles, requests and resources, whose labels come and go.
 */
const omitted = /^nodejs_(active|eventloop|gc)_/

const registry = new Registry()
// Once in a process, as it can't be stopped. The timer of the delay, which is not used, runs once a second.
collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 1_000 })

/** CPU time, memory and file descriptors: all servers of one process share them. */
export const processMetrics: readonly Metric[] = registry
  .getMetricsAsArray()
  .filter(({ name }) => !omitted.test(name))
  .flatMap(({ name }) => registry.getSingleMetric(name) ?? [])
