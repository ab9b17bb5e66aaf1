import { randomUUID } from 'node:crypto'
import type { Queryable } from './session.ts'

export const statements = {
  /** Renewed when half of its time is over, so that its holder does not write it each time. */
  take: {
    name: 'leases_take',
    text: `with taken as (
        update leases set holder = $2, until = now() + $3 * interval '1 second'
        where name = $1
          and (until <= now() or (holder = $2 and until < now() + $3 * interval '1 second' / 2))
        returning name)
      select exists (select from taken) or exists (select from leases
        where name = $1 and holder = $2 and until > now()) as mine`,
  },
  leave: {
    name: 'leases_leave',
    text: 'update leases set until = now() where name = $1 and holder = $2',
  },
} as const

/** Work that only one process does at a time. Its row is in `leases`. */
export class Lease {
  readonly #db: Queryable
  readonly #name: string
  readonly #seconds: number
  readonly #holder = randomUUID()

  constructor(db: Queryable, name: string, seconds: number) {
    this.#db = db
    this.#name = name
    this.#seconds = seconds
  }

  /** Whether this process has the lease for the next seconds. */
  async take(): Promise<boolean> {
    const values = [this.#name, this.#holder, this.#seconds]
    const { rows } = await this.#db.query<{ mine: boolean }>(statements.take, values)
    return rows[0]?.mine ?? false
  }

  /** Releases the lease, so that another process can take it. */
  async leave(): Promise<void> {
    await this.#db.query(statements.leave, [this.#name, this.#holder])
  }
}
