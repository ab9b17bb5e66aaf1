/** How often processes exchange a limit, while there are few of them. */
export const exchangeEveryMs = 500
/**
 * Each process reads what all others wrote: beyond this many they exchange less often, so that the rows read
 * grow linearly, not quadratically.
 */
const few = 20
const longestEveryMs = 5_000
/** A process does not report a limit of which it uses less than this part. */
const unheardOfOne = 1 / 100
/** All processes together use no more than this part of a limit unreported. */
const unheardOfAll = 1 / 4
/** Limits reported in one statement; any beyond it each process counts alone. */
const limitsPerStatement = 2_000

/** How often processes exchange limits, which and how many. Derived from the number of processes. */
export class Pace {
  everyMs = exchangeEveryMs
  unheard = unheardOfOne
  limitCap = limitsPerStatement

  /** Sets the number of processes, this one included. */
  count(processes: number): void {
    this.everyMs = Math.min(Math.max(1, processes / few) * exchangeEveryMs, longestEveryMs)
    this.unheard = Math.min(unheardOfOne, unheardOfAll / processes)
    this.limitCap = Math.ceil(limitsPerStatement / Math.max(1, processes / few))
  }
}
