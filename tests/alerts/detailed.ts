import { Checks } from '../security/checks.ts'

/** Prints what a program said, for a check that failed. */
export class DetailedChecks extends Checks {
  that(holds: boolean, words: string, said: string): void {
    this.check(holds, said === '' ? words : `${words}\n${said.replaceAll(/^/gm, '    ')}`)
  }
}
