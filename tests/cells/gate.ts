import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { checkDeadline } from '../support/timeLimit.ts'

/** No other program here takes this advisory lock. */
const lock = 7_001_001

const setUp = `
  create table public.gate_steps (step text primary key);
  create function public.pass_gate() returns trigger language plpgsql security definer as $$
  begin
    if exists (select from public.gate_steps g where g.step = new.step) then
      perform pg_advisory_xact_lock(${lock});
    end if;
    return new;
  end $$;
  create trigger pass_gate before insert or update of step on exchequer.moves
    for each row execute function public.pass_gate();`

/** The name of its session. */
export const gateName = 'gate'

const waitingText = `select pid from pg_locks where locktype = 'advisory' and objid = ${lock} and not granted`
const reachedMs = 120_000

/**
 * Stops a mover exactly where it records a step in the directory: the work of the step is done, its record
 * is not committed. What happens next is the test's decision.
 */
export class StepGate {
  readonly #url: string
  #client: pg.Client | undefined
  #isClosed = false

  private constructor(url: string) {
    this.#url = url
  }

  static async open(directoryUrl: string): Promise<StepGate> {
    const gate = new StepGate(directoryUrl)
    await gate.#query(setUp)
    return gate
  }

  /** The next mover that records this step waits. */
  async stopAt(step: string): Promise<void> {
    await this.#query(`select pg_advisory_lock(${lock})`)
    await this.#query('insert into public.gate_steps values ($1) on conflict do nothing', [step])
    this.#isClosed = true
  }

  /** Resolves when a mover waits; throws when `isOver` says that it has ended instead. */
  async untilReached(isOver: () => boolean = () => false): Promise<void> {
    const deadlineMs = performance.now() + reachedMs
    while ((await this.#waiting()).length === 0) {
      if (isOver()) throw new Error('the mover ended before it reached the step')
      checkDeadline(deadlineMs, 'the step')
      await sleep(5)
    }
  }

  /** The record of the step is committed, also when the mover that sent it was killed. */
  async release(): Promise<void> {
    if (!this.#isClosed) return
    this.#isClosed = false
    await this.#query('delete from public.gate_steps')
    await this.#query(`select pg_advisory_unlock(${lock})`)
  }

  /** The record of the step is lost, as if the mover had ended just before it. */
  async drop(): Promise<void> {
    for (const pid of await this.#waiting()) await this.#query('select pg_terminate_backend($1)', [pid])
    await this.release()
  }

  async close(): Promise<void> {
    await this.#client?.end()
  }

  /** On one session, which is opened again when the directory was away. */
  async #query(text: string, values: readonly unknown[] = []): Promise<pg.QueryResult> {
    this.#client ??= await this.#connect()
    return this.#client.query(text, [...values])
  }

  async #connect(): Promise<pg.Client> {
    const options = { application_name: gateName, query_timeout: 10_000 }
    const client = new pg.Client({ connectionString: this.#url, ...options })
    client.on('error', () => {
      this.#client = undefined
    })
    await client.connect()
    return client
  }

  async #waiting(): Promise<number[]> {
    const { rows } = await this.#query(waitingText)
    return rows.map(({ pid }) => pid as number)
  }
}
