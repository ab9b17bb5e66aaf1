import { readFileSync } from 'node:fs'

export type TimeLimit = { readonly minutes: number; readonly what: string }

/** The processes that this one has started and not yet seen end; none when the kernel does not list them. */
function childProcesses(): number[] {
  try {
    const listed = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    return listed.split(' ').map(Number).filter(Boolean)
  } catch {
    return []
  }
}

/**
 * Ends this program with an error after this many minutes, and the processes it started: a check that
 * hangs must fail and say so, not keep CI waiting. Loops have their own limits; this catches the rest.
 */
export function limitTime({ minutes, what }: TimeLimit): void {
  const timer = setTimeout(() => {
    console.error(`TIME LIMIT: ${what} did not end within ${minutes} minutes.`)
    for (const pid of childProcesses()) process.kill(pid, 'SIGTERM')
    process.exit(1)
  }, minutes * 60_000)
  timer.unref()
}

/** Throws when `deadlineMs`, by performance.now(), has passed. */
export function checkDeadline(deadlineMs: number, what: string): void {
  if (performance.now() > deadlineMs) throw new Error(`${what} did not happen in time`)
}
