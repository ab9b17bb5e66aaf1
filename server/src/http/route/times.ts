/**
 * Times as the journal stores them, in microseconds. A client can send an entry's time back, so it must not
 * lose a digit.
 */

/** Parses a text that `time` has checked. Digits below a microsecond are dropped. */
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
