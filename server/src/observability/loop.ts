import type { Histogram } from 'prom-client'

const everyMs = 50

/** Measures how late a timer is: how long every request waits while the only thread is busy. */
export function watchLoop(delays: Histogram): { close(): void } {
  let dueMs = performance.now() + everyMs
  const timer = setInterval(() => {
    const nowMs = performance.now()
    delays.observe(Math.max(0, nowMs - dueMs) / 1000)
    dueMs = nowMs + everyMs
  }, everyMs).unref()
  return { close: () => clearInterval(timer) }
}
