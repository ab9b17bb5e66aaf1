/**
 * Moments as the journal has them, in microseconds. An entry's time that is sent back must be that very
 * moment, so none of its digits may be lost on the way.
 */

/** Of a text that `time` has checked. Digits below a microsecond are left out. */
export function microsecondsOf(text: string): bigint {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? ''
  const wholeMs = Date.parse(text.replace(/\.\d+/, ''))
  return BigInt(wholeMs) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'))
}

export function isoOf(microseconds: bigint): string {
  const below = ((microseconds % 1000n) + 1000n) % 1000n
  const milliseconds = Number((microseconds - below) / 1000n)
  return new Date(milliseconds).toISOString().replace('Z', `${String(below).padStart(3, '0')}Z`)
}
