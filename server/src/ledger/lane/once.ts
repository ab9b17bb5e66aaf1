/**
 * Each key once. All reads under the lock go through this: a batch may name one thing in each of its
 * commands, and every other writer of the realm waits meanwhile.
 */
export function once<T>(all: readonly T[], keyOf: (one: T) => string): T[] {
  return [...new Map(all.map((one) => [keyOf(one), one])).values()]
}
