import { run } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Counts, countsOf } from './counts.ts'
import { killGroup } from './processTree.ts'
import type { Failure } from './rerun.ts'

export type Outcome = {
  readonly file: string
  readonly events: readonly TestEvent[]
  readonly counts: Counts
  readonly passed: boolean
  /** The first test that failed: a suite fails after its tests. */
  readonly failure: Failure | undefined
}

const entry = fileURLToPath(new URL('group.ts', import.meta.url))
/** How long a killed process may take to be gone, with its output. */
const graceMs = 5_000

type EndEvent = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>

const nestingOf = ({ data }: TestEvent): number | undefined =>
  data && 'nesting' in data ? data.nesting : undefined
/** The end of the suite that group.ts makes of a file. */
const isFileEnd = (event: TestEvent): event is EndEvent =>
  (event.type === 'test:pass' || event.type === 'test:fail') && event.data.nesting === 0
/** Whether the file failed because of its tests, which are reported, not because of a hook or an import. */
const isOfTests = ({ data }: EndEvent): boolean =>
  (data.details as { error?: { failureType?: string } }).error?.failureType === 'subtestsFailed'
/** Of the whole run: the summary of one process names its file. */
const isTotal = ({ type, data }: TestEvent): boolean => type === 'test:summary' && data.file === undefined
const isCount = ({ type, data }: TestEvent): boolean => type === 'test:diagnostic' && data.file === undefined

/**
 * The events of a group's process, until it has ended or is given up because no file has ended for so long.
 * Node's own `timeout` fails a test, but waits forever for a process that something keeps alive: a server
 * that a failed test left open, or a process that holds its output.
 */
async function* eventsOf(files: readonly string[], timeoutMs: number): AsyncGenerator<TestEvent | 'killed'> {
  const stream = run({ files: [entry], argv: [...files], concurrency: 1 }) as AsyncIterable<TestEvent>
  const events = stream[Symbol.asyncIterator]()
  const settled = new AbortController()
  const { signal } = settled
  let endMs = performance.now() + timeoutMs
  let isLate = false
  const givenUp = (async () => {
    while (performance.now() < endMs) await sleep(endMs - performance.now() + 1, undefined, { signal })
    isLate = true
    killGroup(files)
    return sleep(graceMs, 'given up' as const, { signal })
  })()
  givenUp.catch(() => {}) // the process has ended before
  try {
    for (;;) {
      const next = await Promise.race([events.next(), givenUp])
      if (next === 'given up' || next.done) break
      if (isFileEnd(next.value)) endMs = performance.now() + timeoutMs
      yield next.value
    }
  } finally {
    settled.abort()
  }
  if (isLate) yield 'killed'
}

/** The events of one file as if it were alone: without the suite that group.ts makes of it. */
class FileReport {
  readonly #file: string
  readonly #events: TestEvent[] = []
  #startMs: number | undefined
  #failure: Failure | undefined

  constructor(file: string) {
    this.#file = file
  }

  get hasStarted(): boolean {
    return this.#startMs !== undefined
  }

  add(event: TestEvent): void {
    if (event.type === 'test:dequeue' && event.data.name === this.#file) this.#startMs ??= performance.now()
    const nesting = nestingOf(event)
    if (nesting === 0) return
    const { type, data } = event
    if (type === 'test:complete' && !data.details.passed) this.#failed(data.name, data.details.duration_ms)
    const moved = nesting === undefined ? data : { ...data, nesting: nesting - 1 }
    this.#events.push({ type, data: moved } as TestEvent)
  }

  #failed(test: string, durationMs: number): void {
    const toMs = performance.now()
    this.#failure ??= { file: this.#file, test, fromMs: toMs - durationMs, toMs }
  }

  /** Reports the file itself as a failed test: it could not be loaded, or one of its hooks failed. */
  fail(error: unknown): void {
    const details = { duration_ms: performance.now() - (this.#startMs ?? 0), error, passed: false }
    const data = { name: this.#file, nesting: 0, testNumber: 1, details, file: this.#file }
    this.#events.push({ type: 'test:fail', data } as never)
    this.#failed(this.#file, details.duration_ms)
  }

  outcome(): Outcome {
    const counts = countsOf(this.#events)
    const passed = counts.failed + counts.cancelled === 0
    return { file: this.#file, events: this.#events, counts, passed, failure: this.#failure }
  }
}

type Ended = {
  readonly reports: readonly FileReport[]
  /** How many of the files have ended. */
  readonly count: number
  /** Why the process did not end as it should. */
  readonly fault: string | undefined
}

async function runProcess(files: readonly string[], timeoutMs: number): Promise<Ended> {
  const reports = files.map((file) => new FileReport(file))
  let count = 0
  let isRight = false
  let isKilled = false
  for await (const event of eventsOf(files, timeoutMs)) {
    if (event === 'killed') {
      isKilled = true
    } else if (isTotal(event)) {
      isRight = (event.data as unknown as { success: boolean }).success
    } else if (!isCount(event)) {
      const report = reports[count]
      report?.add(event)
      if (!isFileEnd(event) || event.data.name !== files[count]) continue
      if (event.type === 'test:fail' && !isOfTests(event)) report?.fail(event.data.details.error)
      count += 1
    }
  }
  if (isKilled) {
    const fault = `This file did not end within ${timeoutMs / 1000} s, and its process was killed.`
    return { reports, count, fault }
  }
  const isExplained = isRight || reports.some((report) => !report.outcome().passed)
  const isWhole = count === files.length && isExplained
  return { reports, count, fault: isWhole ? undefined : 'The process ended too early, or not with 0.' }
}

/**
 * Runs test files in one process, which is killed when a file does not end within its timeout. When the
 * process does not end as it should, the file that was running has failed, and each file after it gets its
 * own process. When none was running, all that are left get one: one of them is the cause.
 */
export async function runGroup(files: readonly string[], timeoutMs: number): Promise<Outcome[]> {
  const runAlone = async (some: readonly string[]) => {
    const outcomes: Outcome[] = []
    for (const file of some) outcomes.push(...(await runGroup([file], timeoutMs)))
    return outcomes
  }
  const { reports, count, fault } = await runProcess(files, timeoutMs)
  const outcomes = (to: number) => reports.slice(0, to).map((report) => report.outcome())
  if (fault === undefined) return outcomes(count)
  const at = Math.min(count, files.length - 1)
  const running = files.length === 1 || reports[count]?.hasStarted ? reports[at] : undefined
  running?.fail(new Error(fault))
  if (running) return [...outcomes(at + 1), ...(await runAlone(files.slice(at + 1)))]
  return count === files.length
    ? runAlone(files)
    : [...outcomes(count), ...(await runAlone(files.slice(count)))]
}
