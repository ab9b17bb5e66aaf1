/** A time span in which this machine stalled, and for how much of it. */
export type Stall = { readonly fromMs: number; readonly toMs: number; readonly lateMs: number }

/** The first failed test of a file. */
export type Failure = {
  readonly file: string
  readonly test: string
  readonly fromMs: number
  readonly toMs: number
}

export type Rerun = { readonly failure: Failure; readonly stall: Stall }

/** Shorter stalls are normal on a busy machine, and no test may fail because of them. */
export const stallMs = 100
/** A stall sometimes affects the test that follows it. */
export const beforeMs = 2_000
/** How often one file is run again, each time for its own stall. */
export const mostTimes = 2
/** A short stall does not make more files than this fail. */
export const mostFiles = 6

/** The longest stall that can have caused this failure, if there is one. */
function causeOf(failure: Failure, stalls: readonly Stall[]): Stall | undefined {
  return stalls
    .filter(({ lateMs }) => lateMs >= stallMs)
    .filter(({ fromMs, toMs }) => toMs >= failure.fromMs - beforeMs && fromMs <= failure.toMs)
    .reduce<Stall | undefined>((most, one) => (one.lateMs > (most?.lateMs ?? 0) ? one : most), undefined)
}

/** Which of the failed files are run a second time, and why. All others have failed. */
export function chooseReruns(failures: readonly Failure[], stalls: readonly Stall[]): Rerun[] {
  return failures
    .flatMap((failure) => {
      const stall = causeOf(failure, stalls)
      return stall ? [{ failure, stall }] : []
    })
    .slice(0, mostFiles)
}
