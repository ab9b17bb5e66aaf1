import { setTimeout as sleep } from 'node:timers/promises'

export type Rush = { readonly passed: number; readonly asked: number; readonly stillMs: number }

/** The number of connections to each URL. */
export type Load = Readonly<Record<string, number>>

/**
 * Sends requests without a pause for this long, and counts what passed. `stillMs` is the longest time that
 * this process did nothing, as on a stalled machine.
 */
export async function rush(
  passes: (url: string) => Promise<boolean>,
  load: Load,
  forMs: number,
): Promise<Rush> {
  const endMs = performance.now() + forMs
  let [passed, asked, stillMs, lastMs] = [0, 0, 0, performance.now()]
  const beat = setInterval(() => {
    stillMs = Math.max(stillMs, performance.now() - lastMs)
    lastMs = performance.now()
  }, 10)
  const ask = async (url: string) => {
    while (performance.now() < endMs) {
      asked += 1
      if (await passes(url)) passed += 1
      await sleep(10)
    }
  }
  try {
    await Promise.all(
      Object.entries(load).flatMap(([url, clients]) => Array.from({ length: clients }, () => ask(url))),
    )
  } finally {
    clearInterval(beat)
  }
  return { passed, asked, stillMs }
}
