/** How often processes tell each other of a limit, while they are few. */
export const tellEveryMs = 500
/** Each reads what all others wrote: more do it less often, so that rows grow as they do, not squared. */
const few = 20
const longestEveryMs = 5_000
/** Of a limit that a process uses less than this part of, it tells nothing. */
const unheardOfOne = 1 / 100
/** And all together use no more than this part of it unheard. */
const unheardOfAll = 1 / 4
/** Limits that are told of in one statement; of any beyond, each process keeps count alone. */
const toldCap = 2_000

/** How often, of what and of how much processes tell each other. It follows from how many they are. */
export class Pace {
  everyMs = tellEveryMs
  unheard = unheardOfOne
  told = toldCap

  /** There are so many processes, this one included. */
  count(processes: number): void {
    this.everyMs = Math.min(Math.max(1, processes / few) * tellEveryMs, longestEveryMs)
    this.unheard = Math.min(unheardOfOne, unheardOfAll / processes)
    this.told = Math.ceil(toldCap / Math.max(1, processes / few))
  }
}
