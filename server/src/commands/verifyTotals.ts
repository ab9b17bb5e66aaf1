import type { RunResult } from '../ledger/journal/verifyNew.ts'

/** What a run of verify replayed in all realms, in words. */
export class VerifyTotals {
  wrong = 0
  #realms = 0
  #fresh = 0n
  #older = 0n
  #trusted = 0n
  /** The oldest of the runs that the result relies on. */
  #since: Date | undefined

  add({ verdict, counts }: RunResult, verifiedAt: Date | undefined): void {
    this.#realms += 1
    if (!verdict.ok) this.wrong += 1
    this.#fresh += counts.fresh
    this.#older += counts.older
    this.#trusted += counts.trusted
    if (counts.trusted > 0n && verifiedAt && (!this.#since || verifiedAt < this.#since))
      this.#since = verifiedAt
  }

  print(say: (line: string) => void): void {
    say(`replayed: ${this.#fresh} new entries, ${this.#older} older ones`)
    if (this.#since)
      say(`not replayed: ${this.#trusted} entries, verified by earlier runs (${this.#since.toISOString()})`)
  }

  /** For the audit log. */
  subject(shard: { readonly shard: number; readonly of: number } | undefined): string {
    const realms = this.wrong === 0 ? `${this.#realms} realms` : `${this.wrong} of ${this.#realms} realms`
    return shard ? `${realms}, shard ${shard.shard}/${shard.of}` : realms
  }
}
