import { setTimeout as sleep } from 'node:timers/promises'

export type Clock = { readonly nowMs: () => number; readonly sleep: (ms: number) => Promise<unknown> }

/** A tick: the elapsed share of the time span (0 to 1), and the time since the tick before. */
export type Tick = { readonly part: number; readonly sinceMs: number }

const system: Clock = { nowMs: () => performance.now(), sleep }

/** Ticks every `everyMs` until `seconds` have passed; the last one is at the end. */
export async function* ticks(seconds: number, everyMs: number, clock: Clock = system): AsyncGenerator<Tick> {
  const startMs = clock.nowMs()
  // Times are compared with the end itself: `endMs - startMs` can be below `seconds * 1000` by a rounding,
  // and a loop that waits for that difference never ends.
  const endMs = startMs + seconds * 1000
  for (let lastMs = startMs; lastMs < endMs; ) {
    await clock.sleep(everyMs)
    const nowMs = Math.min(clock.nowMs(), endMs)
    yield { part: (nowMs - startMs) / (endMs - startMs), sinceMs: nowMs - lastMs }
    lastMs = nowMs
  }
}
