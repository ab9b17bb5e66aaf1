import type { TestEvent } from 'node:test/reporters'

/** What is counted, and Node's own name for it in the report, which CI reads. */
export const labels = {
  tests: 'tests',
  suites: 'suites',
  passed: 'pass',
  failed: 'fail',
  cancelled: 'cancelled',
  skipped: 'skipped',
  todo: 'todo',
} as const
type Counted = keyof typeof labels
export type Counts = Readonly<Record<Counted, number>>
export const counted = Object.keys(labels) as Counted[]

/** A test whose suite or process ended before it. */
const cancelledTypes = new Set(['cancelledByParent', 'testAborted'])

function countedAs({ type, data }: TestEvent): Counted | undefined {
  if (type !== 'test:pass' && type !== 'test:fail') return undefined
  if (data.skip !== undefined) return 'skipped'
  if (data.todo !== undefined) return 'todo'
  if (type === 'test:pass') return 'passed'
  const { failureType } = data.details.error as { failureType?: string }
  return cancelledTypes.has(failureType ?? '') ? 'cancelled' : 'failed'
}

const isSuite = ({ type, data }: TestEvent): boolean =>
  (type === 'test:pass' || type === 'test:fail') && data.details.type === 'suite'

/** The counts that Node would report for these events. */
export function countsOf(events: readonly TestEvent[]): Counts {
  const counts = Object.fromEntries(counted.map((name) => [name, 0])) as Record<Counted, number>
  for (const event of events) {
    const as = countedAs(event)
    if (as === undefined) continue
    if (!isSuite(event)) {
      counts.tests += 1
      counts[as] += 1
    } else {
      counts.suites += 1
    }
  }
  return counts
}
