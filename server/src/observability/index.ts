import type { Logger } from 'pino'
import type { Audit } from '../audit/index.ts'
import { release } from '../config/release.ts'
import type { Database } from '../db/database.ts'
import type { Durability } from '../db/durability.ts'
import { Batches } from './batches.ts'
import { Hearing } from './databaseStatus.ts'
import { addLooked, type Lookouts } from './gauges.ts'
import { type Health, healthOf } from './health.ts'
import { addReported } from './labelled.ts'
import { watchLoop } from './loop.ts'
import { Metrics } from './metrics.ts'
import { factsEverySeconds, PostgresFacts } from './postgresFacts.ts'
import { Requests } from './requests.ts'
import { TaskTimes } from './taskTimes.ts'
import { TopRealms } from './topRealms.ts'
import { Tracing } from './tracing.ts'

type Watched = {
  readonly db: Database
  readonly audit: Audit
  readonly log: Logger
  readonly durability: Durability
}

/** Metrics, traces and log lines, for operators and monitoring. */
export class Watch {
  readonly metrics = new Metrics()
  readonly requests: Requests
  readonly batches: Batches
  readonly tasks = new TaskTimes()
  readonly #facts: PostgresFacts
  readonly #hearing: Hearing
  readonly #loop: { close(): void }
  readonly #durability: Durability
  #lookouts: Lookouts | undefined

  constructor({ db, audit, log, durability }: Watched) {
    this.#durability = durability
    const tracing = Tracing.open(release)
    const top = new TopRealms()
    this.requests = new Requests({ metrics: this.metrics, tracing, log, top })
    this.batches = new Batches(this.metrics, tracing, log)
    this.#hearing = new Hearing(db, audit)
    this.#facts = new PostgresFacts({ db, onDone: this.tasks.add('postgres', factsEverySeconds) })
    addReported(this.metrics, { top, tasks: this.tasks, facts: () => this.#facts.latest })
    this.#loop = watchLoop(this.metrics.loopDelays)
  }

  /** Adds what other modules can report, once they exist. */
  lookAt(lookouts: Lookouts): void {
    this.#lookouts = lookouts
    addLooked(this.metrics, lookouts, () => this.#hearing.latest)
  }

  /** All metrics, in Prometheus's text format. */
  async text(): Promise<string> {
    await Promise.all([this.#hearing.refresh(), this.#facts.refresh()])
    return this.metrics.registry.metrics()
  }

  async health(): Promise<Health> {
    return { durability: this.#durability, ...(await healthOf(this.#hearing, this.#lookouts)) }
  }

  async close(): Promise<void> {
    this.#loop.close()
    await this.#facts.close()
  }
}
