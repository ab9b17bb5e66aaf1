import { setTimeout as sleep } from 'node:timers/promises'

export type Clock = { readonly nowMs: () => number; readonly sleep: (ms: number) => Promise<unknown> }

/** A moment of a span: how much of the span is over (0 to 1), and how long ago the moment before was. */
export type Tick = { readonly part: number; readonly sinceMs: number }

const system: Clock = { nowMs: () => performance.now(), sleep }

/** Moments every `everyMs` until `seconds` are over; the last one is the end itself. */
export async function* ticks(seconds: number, everyMs: number, clock: Clock = system): AsyncGenerator<Tick> {
  const startMs = clock.nowMs()
  // Moments are compared with the end itself: `endMs - startMs` can be below `seconds * 1000` by a rounding,
  // and a loop that waits for that difference never ends.
  const endMs = startMs + seconds * 1000
  for (let lastMs = startMs; lastMs < endMs; ) {
    await clock.sleep(everyMs)
    const nowMs = Math.min(clock.nowMs(), endMs)
    yield { part: (nowMs - startMs) / (endMs - startMs), sinceMs: nowMs - lastMs }
    lastMs = nowMs
  }
}
