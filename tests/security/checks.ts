/** Counts passed and failed checks, and prints the failed ones. */
export class Checks {
  passed = 0
  failed = 0

  check(holds: boolean, words: string): void {
    if (holds) this.passed += 1
    else {
      this.failed += 1
      console.log(`  FAILED ${words}`)
    }
  }

  /** A measured value that must not exceed its limit. */
  atMost(figure: number, bound: number, words: string): void {
    console.log(`  ${words}: ${short(figure)}, at most ${short(bound)}`)
    this.check(figure <= bound, words)
  }
}

/** One decimal is enough. */
const short = (figure: number): string => String(Math.round(figure * 10) / 10)
