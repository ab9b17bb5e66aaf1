import { run } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { setTimeout as sleep } from 'node:timers/promises'
import { killTestFile } from './processTree.ts'
import type { Failure } from './rerun.ts'

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

export type Outcome = {
  readonly file: string
  readonly events: readonly TestEvent[]
  readonly counts: Counts
  readonly passed: boolean
  /** The first test that failed: a suite fails after its tests. */
  readonly failure: Failure | undefined
}

type Summary = { readonly counts: Readonly<Record<string, number>>; readonly success: boolean }

function failureIn({ type, data }: TestEvent, file: string): Failure | undefined {
  if (type !== 'test:complete' || data.details.passed) return undefined
  const toMs = performance.now()
  return { file, test: data.name, fromMs: toMs - data.details.duration_ms, toMs }
}

/** Of the whole run: the summary of one process names its file. */
const isTotal = ({ type, data }: TestEvent): boolean => type === 'test:summary' && data.file === undefined
const isCount = ({ type, data }: TestEvent): boolean => type === 'test:diagnostic' && data.file === undefined

/** The report of a file that was killed. */
function endedEvent(file: string, timeoutMs: number): TestEvent {
  const message = `This file did not end within ${timeoutMs / 1000} s, and its process was killed.`
  const details = { duration_ms: timeoutMs, error: new Error(message), passed: false }
  return { type: 'test:fail', data: { name: file, nesting: 0, testNumber: 1, details, file } } as never
}

/** How long a killed process may take to be gone, with its output. */
const graceMs = 5_000

/**
 * The events of one file, until its process has ended or is given up. Node's own `timeout` fails a test, but
 * waits forever for a process that something keeps alive: a server that a failed test left open, or a
 * process that holds its output.
 */
async function* eventsOf(file: string, timeoutMs: number): AsyncGenerator<TestEvent | 'ended'> {
  const stream = run({ files: [file], timeout: timeoutMs, concurrency: 1 }) as AsyncIterable<TestEvent>
  const events = stream[Symbol.asyncIterator]()
  const settled = new AbortController()
  const { signal } = settled
  let isLate = false
  const givenUp = (async () => {
    await sleep(timeoutMs, undefined, { signal })
    isLate = true
    killTestFile(file)
    return sleep(graceMs, 'given up' as const, { signal })
  })()
  givenUp.catch(() => {}) // the file has ended before
  try {
    for (;;) {
      const next = await Promise.race([events.next(), givenUp])
      if (next === 'given up' || next.done) break
      yield next.value
    }
  } finally {
    settled.abort()
  }
  if (isLate) yield 'ended'
}

/**
 * One file, in its own process, which is killed at its timeout. A run that exits non-zero without a
 * failed test counts as failed.
 */
export async function runFile(file: string, timeoutMs: number): Promise<Outcome> {
  const startMs = performance.now()
  const events: TestEvent[] = []
  let failure: Failure | undefined
  let summary: Summary | undefined
  let isEnded = false
  for await (const event of eventsOf(file, timeoutMs)) {
    if (event === 'ended') {
      isEnded = true
      events.push(endedEvent(file, timeoutMs))
      failure ??= { file, test: file, fromMs: startMs, toMs: performance.now() }
    } else {
      failure ??= failureIn(event, file)
      if (isTotal(event)) summary = event.data as unknown as Summary
      else if (!isCount(event)) events.push(event)
    }
  }
  const counts = Object.fromEntries(counted.map((name) => [name, summary?.counts[name] ?? 0])) as Counts
  const passed = summary?.success === true && !isEnded
  const isCounted = passed || counts.failed + counts.cancelled > 0
  return { file, events, counts: isCounted ? counts : { ...counts, failed: 1 }, passed, failure }
}
