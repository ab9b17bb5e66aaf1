import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { checkDeadline } from '../tests/support/timeLimit.ts'

/** So much is added to a lag at most. */
const pollMs = 50
const caughtUpPollMs = 200
const foldMs = 600_000

export type Entry = { readonly realm: number; readonly seq: number; readonly atMs: number }
/** That a realm was folded up to a seq, and when this was noticed. */
export type Fold = Entry
/** Of one entry: when it was written, and how long after that it was folded. */
export type Lag = { readonly atMs: number; readonly lagMs: number }

/** From each entry to the first fold that includes it. Entries and folds of a realm are in order of seq. */
export function lagsOf(entries: readonly Entry[], folds: readonly Fold[]): Lag[] {
  const foldsOf = Map.groupBy(folds, ({ realm }) => realm)
  const entriesOf = Map.groupBy(entries, ({ realm }) => realm)
  return [...entriesOf].flatMap(([realm, own]) => {
    const later = (foldsOf.get(realm) ?? []).values()
    let fold = later.next().value
    return own.map(({ seq, atMs }) => {
      while (fold && fold.seq < seq) fold = later.next().value
      if (!fold) throw new Error(`entry ${seq} of realm ${realm} was never folded`)
      return { atMs, lagMs: fold.atMs - atMs }
    })
  })
}

/** Notices when leaderboards fold the entries of some realms: reads their progress 20 times a second. */
export class FoldSampler {
  readonly #client: pg.Client
  readonly #realms: readonly number[]
  readonly #seqs: Map<number, number>
  readonly #before: ReadonlyMap<number, number>
  readonly #folds: Fold[] = []
  readonly #polling: Promise<void>
  #isStopped = false

  private constructor(client: pg.Client, seqs: ReadonlyMap<number, number>) {
    this.#client = client
    this.#realms = [...seqs.keys()]
    this.#before = seqs
    this.#seqs = new Map(seqs)
    this.#polling = this.#run()
    // Its error is thrown by `stop`.
    this.#polling.catch(() => undefined)
  }

  /** Of realms that are caught up. */
  static async start(client: pg.Client, realms: readonly number[]): Promise<FoldSampler> {
    return new FoldSampler(client, await readSeqs(client, realms))
  }

  /** The lags of all entries written since the start. Everything must be folded. */
  async stop(): Promise<Lag[]> {
    this.#isStopped = true
    await this.#polling
    await this.#poll()
    const text = `select j.realm, j.seq::float8, (j.at_us / 1000.0)::float8 as "atMs"
      from unnest($1::integer[], $2::bigint[]) as asked (realm, seq)
      join exchequer.journal j on j.realm = asked.realm and j.seq > asked.seq order by j.realm, j.seq`
    const before = [...this.#before]
    const values = [before.map(([realm]) => realm), before.map(([, seq]) => seq)]
    return lagsOf((await this.#client.query<Entry>(text, values)).rows, this.#folds)
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      await this.#poll()
      await sleep(pollMs)
    }
  }

  async #poll(): Promise<void> {
    const seqs = await readSeqs(this.#client, this.#realms)
    const atMs = Date.now()
    for (const [realm, seq] of seqs) {
      if (seq === this.#seqs.get(realm)) continue
      this.#seqs.set(realm, seq)
      this.#folds.push({ realm, seq, atMs })
    }
  }
}

async function readSeqs(client: pg.Client, realms: readonly number[]): Promise<Map<number, number>> {
  const text = `select realm, coalesce(s.seq, 0)::float8 as seq
    from unnest($1::integer[]) as asked (realm) left join exchequer.standings s using (realm)`
  const { rows } = await client.query<{ realm: number; seq: number }>(text, [realms])
  return new Map(rows.map(({ realm, seq }) => [realm, seq]))
}

/** Realms with entries that are not folded. */
export async function countBehind(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from exchequer.heads h left join exchequer.standings s using (realm)
     where coalesce(s.seq, 0) < h.seq`,
  )
  return rows[0]?.count ?? Number.NaN
}

/** Waits until all realms are folded. */
export async function caughtUp(client: pg.Client): Promise<void> {
  const deadlineMs = performance.now() + foldMs
  while ((await countBehind(client)) > 0) {
    checkDeadline(deadlineMs, 'the fold of all realms')
    await sleep(caughtUpPollMs)
  }
}
