import type { TestEvent } from 'node:test/reporters'

type Timed = { readonly name: string; readonly ms: number }

const shown = 20
/** A run with fewer tests lists none. */
const longRun = 100

const isSuite = (details: { readonly type?: string }): boolean => details.type === 'suite'

/** The tests that took longest, without their suites, as lines of a report. Empty for a short run. */
export function slowest(events: Iterable<TestEvent>, root: string): string[] {
  const all: Timed[] = []
  for (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const { details, file = '', name } = data
    if (!isSuite(details)) all.push({ name: `${file.replace(root, '')}: ${name}`, ms: details.duration_ms })
  }
  if (all.length < longRun) return []
  const some = all.sort((a, b) => b.ms - a.ms).slice(0, shown)
  return [
    `the ${shown} slowest tests:`,
    ...some.map(({ name, ms }) => `${(ms / 1000).toFixed(1)} s  ${name}`),
  ]
}
