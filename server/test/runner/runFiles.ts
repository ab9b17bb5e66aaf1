import { spec } from 'node:test/reporters'
import { type Counts, counted, labels } from './counts.ts'
import { chooseReruns, mostFiles, mostTimes, type Rerun } from './rerun.ts'
import { type Outcome, runGroup } from './runGroup.ts'
import { slowest } from './slowest.ts'
import { StallWatch } from './stalls.ts'

export type RunOptions = {
  readonly files: readonly string[]
  /** Removed from printed paths. */
  readonly root: string
  /** Timeout of one file: its process is killed then, and the file has failed. */
  readonly timeoutMs: number
  /** So many processes at a time. */
  readonly concurrency: number
  /** So many files in each of them at most. */
  readonly filesEach: number
}

export type RunResult = { readonly success: boolean; readonly passed: number; readonly failed: number }

/** `done` is called as each file ends. */
async function runAll(options: RunOptions, done: (outcome: Outcome) => void): Promise<Outcome[]> {
  const { files, filesEach, timeoutMs, concurrency } = options
  const outcomes: Outcome[] = []
  let next = 0
  const work = async () => {
    while (next < files.length) {
      const group = files.slice(next, next + filesEach)
      next += group.length
      for (const outcome of await runGroup(group, timeoutMs)) {
        outcomes.push(outcome)
        done(outcome)
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return outcomes
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

function reasonOf({ failure, stall }: Rerun): string {
  const beforeMs = failure.fromMs - stall.toMs
  const when = beforeMs > 0 ? `${seconds(beforeMs)} before` : 'during'
  return `“${failure.test}” failed; the machine was kept waiting ${stall.lateMs} ms ${when} it`
}

type Again = { readonly options: RunOptions; readonly rerun: Rerun; readonly watch: StallWatch }

/** Runs a file until it passes, or fails without a stall of the machine. */
async function runAgain(
  { options, rerun: first, watch }: Again,
  say: (note: string) => void,
): Promise<Outcome> {
  let rerun = first
  for (let time = 1; ; time += 1) {
    const { file } = rerun.failure
    const [outcome] = await runGroup([file], options.timeoutMs)
    if (!outcome) throw new Error(`${file} has no outcome`)
    const verdict = outcome.passed ? 'passed' : 'failed again'
    say(`run again, ${verdict}: ${file.slice(options.root.length)}: ${reasonOf(rerun)}`)
    const next = outcome.failure && chooseReruns([outcome.failure], watch.stalls)[0]
    if (outcome.passed || !next || time === mostTimes) return outcome
    rerun = next
  }
}

/**
 * Runs test files, several in a process, and reports as Node's own runner does. A file that failed while the
 * machine stalled is run again, at most six of them and twice each; the report names each time.
 */
export async function runFiles(options: RunOptions): Promise<RunResult> {
  const startMs = performance.now()
  const reporter = new spec()
  reporter.pipe(process.stdout)
  const write = ({ events }: Outcome) => {
    for (const event of events) reporter.write(event)
  }
  const note = (message: string) =>
    reporter.write({ type: 'test:diagnostic', data: { nesting: 0, message, level: 'info' } })
  const watch = new StallWatch()
  const outcomes = await runAll(options, (outcome) => void (outcome.passed && write(outcome)))
  const failures = outcomes.flatMap(({ passed, failure }) => (passed || !failure ? [] : [failure]))
  const reruns = chooseReruns(failures, watch.stalls)
  const final = new Map(outcomes.map((outcome) => [outcome.file, outcome]))
  const notes: string[] = []
  for (const rerun of reruns) {
    const again = await runAgain({ options, rerun, watch }, (one) => notes.push(one))
    final.set(again.file, again)
    if (again.passed) write(again)
  }
  watch.stop()
  for (const outcome of final.values()) if (!outcome.passed) write(outcome)
  const counts = Object.fromEntries(
    counted.map((name) => [name, [...final.values()].reduce((sum, one) => sum + one.counts[name], 0)]),
  ) as Counts
  for (const name of counted) note(`${labels[name]} ${counts[name]}`)
  const longestMs = Math.max(0, ...watch.stalls.map(({ lateMs }) => lateMs))
  note(`duration_ms ${Math.round(performance.now() - startMs)}`)
  note(
    `files run again ${reruns.length} of at most ${mostFiles}; longest wait of the machine ${longestMs} ms`,
  )
  for (const one of notes) note(one)
  const events = [...final.values()].flatMap((outcome) => outcome.events)
  for (const line of slowest(events, options.root)) note(line)
  const success = [...final.values()].every(({ passed }) => passed)
  reporter.write({
    type: 'test:summary',
    data: { counts, success, duration_ms: performance.now() - startMs },
  })
  await new Promise<void>((resolve) => {
    reporter.on('end', resolve)
    reporter.end()
  })
  return { success, passed: counts.passed, failed: counts.failed + counts.cancelled }
}
