import { refuseIfApart } from '../../db/clock.ts'
import { isPassing, sqlState } from '../../db/failures.ts'
import { bind } from '../../db/rowSecurity.ts'
import type { Session } from '../../db/session.ts'
import { outcomeUnknown, RefusalError, unavailable } from '../../errors.ts'
import type { Configs } from '../../realms/index.ts'
import type { PostedCommand } from '../rules/command.ts'
import type { BatchPath } from './batchWatch.ts'
import {
  CommitUnknown,
  commitBatch,
  decideRealm,
  type Outcomes,
  type RealmDecision,
  type Render,
  type Send,
  writeHeads,
  writeRows,
} from './commit.ts'
import type { ConfigMap } from './loadState.ts'
import type { Memory } from './memory.ts'
import { isDrawnTwice, loadNamed, statesNamed } from './names.ts'
import { lookedAt } from './parties.ts'
import { dropExpired, type Pending, toSend } from './pending.ts'
import { type FailureOptions, Failures } from './settle.ts'
import {
  begin,
  confirmBalances,
  confirmRequests,
  confirmUnused,
  lockHeads,
  type RetryQuery,
} from './store.ts'

type Tools = {
  readonly configs: Configs
  readonly render: Render
  readonly memory: Memory
  /** Whether the operator feed is written. */
  readonly feed: boolean
}

export type WriterOptions = Tools &
  FailureOptions & {
    /** Called for each realm of a batch, once the batch is durable. */
    readonly onWritten: (realm: number) => void
    /** Called for a realm that has no head in this cell any more. */
    readonly onGone: (realm: number) => void
  }

/** How heads are locked: skip those that other sessions hold, or wait for them. */
export type LockMode = 'free' | 'wait'

/** A decided batch. Any error but CommitUnknown means that nothing of it was changed. */
type Attempt = {
  readonly decided: readonly RealmDecision[]
  /** Sends its statements, without the COMMIT. */
  readonly send: Send
  /** Stores in memory what was written. */
  readonly keep: (one: RealmDecision) => void
}

type Batch = { readonly session: Session; readonly pendings: readonly Pending[]; readonly path: BatchPath }

/** One session that writes batches and answers their callers, whatever happens. */
export class Writer {
  readonly #options: WriterOptions
  readonly #failures: Failures
  #session: Session | undefined
  #closed = false

  constructor(options: WriterOptions) {
    this.#options = options
    this.#failures = new Failures(options)
  }

  /** Ends every command except those of realms that another session has locked, which it returns. */
  async run(pendings: readonly Pending[], mode: LockMode): Promise<Pending[]> {
    const due = dropExpired(pendings, performance.now())
    if (due.length === 0) return []
    const session = await this.ready()
    if (!session) {
      for (const pending of due) pending.refuse(unavailable)
      return []
    }
    const sent = toSend(due)
    if (sent.length === 0) return []
    try {
      return await this.#lockAndRun(session, sent, mode)
    } catch (error) {
      this.giveUp(error, sent)
      return []
    }
  }

  /**
   * Ends commands that can be decided from memory. Everything is sent when this returns its promise. Returns
   * those that memory was wrong about: nothing of them was changed, and they have to be decided under the
   * lock.
   */
  async runOptimistic(session: Session, pendings: readonly Pending[]): Promise<readonly Pending[]> {
    if (session.lost) return pendings
    const { memory } = this.#options
    try {
      return await this.#attempt({ session, pendings, path: 'optimistic' }, (commands) =>
        optimistic(session, commands, this.#options),
      )
    } catch (error) {
      for (const realm of new Set(pendings.map(({ command }) => command.realm))) memory.suspect(realm)
      if (!(error instanceof CommitUnknown)) return pendings
      session.destroy()
      return this.#failures.settle(error, pendings)
    }
  }

  /** The session, opened if necessary; undefined when the database can't be reached. */
  async ready(): Promise<Session | undefined> {
    if (this.#session && !this.#session.lost) return this.#session
    try {
      const session = await this.#options.open()
      this.#session = session
      if (this.#closed) await session.close()
      return session
    } catch (error) {
      this.#failures.report(error)
      return undefined
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#session?.close()
  }

  /** Should not happen. Still, every caller is answered and the lane goes on. */
  giveUp(error: unknown, pendings: readonly Pending[]): void {
    this.#options.onFault(error, pendings)
    for (const pending of pendings) pending.refuse(outcomeUnknown)
  }

  async #lockAndRun(session: Session, pendings: readonly Pending[], mode: LockMode): Promise<Pending[]> {
    try {
      return await this.#attempt({ session, pendings, path: 'pessimistic' }, (commands) =>
        pessimistic(session, commands, { ...this.#options, mode }),
      )
    } catch (error) {
      const passing =
        session.lost || isDrawnTwice(error) || (sqlState(error) !== undefined && isPassing(error))
      session.destroy()
      if (error instanceof CommitUnknown) return this.#failures.settle(error, pendings)
      if (error instanceof RefusalError) this.#failures.refuse(error, pendings)
      else if (passing) this.#failures.retry(pendings)
      else return this.#isolate(error, pendings, mode)
      return []
    }
  }

  /** Returns the commands without an outcome: their realm is locked by another session. */
  async #attempt(
    { session, pendings, path }: Batch,
    make: (commands: readonly PostedCommand[]) => Attempt | Promise<Attempt>,
  ): Promise<Pending[]> {
    const ended = this.#options.watch.began(pendings, path)
    // After the last of its deadlines no caller waits for this batch: its connection counts as lost.
    const deadlineMs = Math.max(...pendings.map((pending) => pending.deadlineMs))
    const timer = setTimeout(() => session.destroy(), deadlineMs - performance.now())
    try {
      const made = make(pendings.map((pending) => pending.command))
      // An optimistic batch is sent at once, so that the next one can follow it.
      const { decided, send, keep } = made instanceof Promise ? await made : made
      const outcomes = await commitBatch(session, decided, send)
      for (const one of decided) keep(one)
      ended('committed')
      const left = end(pendings, outcomes)
      for (const realm of new Set(pendings.map(({ command }) => command.realm)))
        this.#options.onWritten(realm)
      return left
    } catch (error) {
      const failed = path === 'optimistic' ? 'returned' : 'failed'
      ended(error instanceof CommitUnknown ? 'unknown' : failed)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** One of these commands broke the transaction. Halving the batch finds the one that fails alone. */
  async #isolate(error: unknown, pendings: readonly Pending[], mode: LockMode): Promise<Pending[]> {
    this.#options.onFault(error, pendings)
    const [first] = pendings
    if (pendings.length === 1 && first) {
      first.fail(error instanceof Error ? error : new Error(String(error)))
      return []
    }
    const middle = Math.ceil(pendings.length / 2)
    const left = await this.run(pendings.slice(0, middle), mode)
    return [...left, ...(await this.run(pendings.slice(middle), mode))]
  }
}

/** Ends those that have an outcome; returns the others. */
function end(pendings: readonly Pending[], outcomes: Outcomes): Pending[] {
  return pendings.filter((pending) => {
    const outcome = outcomes.get(pending.command)
    if (outcome) pending.end(outcome)
    return !outcome
  })
}

function realmsOf(commands: readonly PostedCommand[]) {
  const byRealm = Map.groupBy(commands, (command) => command.realm)
  return { byRealm, realms: [...byRealm.keys()].sort((a, b) => a - b) }
}

/**
 * One transaction in one round trip, decided from memory before anything is locked. PostgreSQL checks in it
 * everything the decision relied on: the head still has that hash and configuration, every balance was last
 * changed by the same entry, and no Idempotency-Key was used before.
 */
function optimistic(
  session: Session,
  commands: readonly PostedCommand[],
  { memory, render, feed }: Tools,
): Attempt {
  const { byRealm, realms } = realmsOf(commands)
  const { nowUs } = memory
  const decided = realms.map((realm) => {
    const { hash, state } = memory.stateOf(realm, nowUs)
    return decideRealm({ realm, hash }, state, byRealm.get(realm) ?? [])
  })
  const looked = decided.flatMap(lookedAt)
  const refused = decided.flatMap(({ commands: own, decision }) =>
    own.filter((_, index) => decision.outcomes[index]?.kind === 'refused').flatMap(keyOf),
  )
  const keyed = commands.flatMap(keyOf)
  for (const one of decided) memory.advance(one)
  const send = () => [
    begin(session),
    bind(session, realms),
    writeHeads(session, decided, feed).then((answer) => {
      const [row] = answer.rows
      if (row) memory.readClock(row.now_us)
      return answer
    }),
    ...(keyed.length > 0 ? [confirmRequests(session, keyed)] : []),
    ...(refused.length > 0 ? [confirmUnused(session, refused)] : []),
    ...(looked.length > 0 ? [confirmBalances(session, looked)] : []),
    ...writeRows(session, decided, render),
  ]
  return { decided, send, keep: (one) => memory.confirm(one) }
}

const keyOf = ({ realm, retry }: PostedCommand): RetryQuery[] => (retry ? [{ realm, retry }] : [])

/**
 * One transaction in two round trips: the heads are locked, and what the decision needs is read under the
 * lock. Commands of realms that another session has locked get no outcome.
 */
async function pessimistic(
  session: Session,
  commands: readonly PostedCommand[],
  { configs, render, mode, memory, feed }: Tools & { readonly mode: LockMode },
): Promise<Attempt> {
  const { byRealm, realms } = realmsOf(commands)
  // The same for the whole batch: what was read must be what is decided with, whatever others load meanwhile.
  let held: ConfigMap = await configs.resolve(
    session.within(realms),
    realms.map((realm) => [realm]),
  )
  const sentAtMs = Date.now()
  const [, , heads, first] = await session.together(() =>
    Promise.all([
      begin(session),
      bind(session, realms),
      lockHeads(session, realms, mode),
      loadNamed(session, commands, held),
    ]),
  )
  for (const { now_us: nowUs } of heads.rows.slice(-1)) refuseIfApart(nowUs, sentAtMs)
  let seen = first
  const stale = heads.rows.filter((head) => held.get(head.realm)?.version !== head.config_version)
  if (stale.length > 0) {
    const wanted = stale.map((head) => [head.realm, head.config_version] as const)
    held = new Map([...held, ...(await configs.resolve(session, wanted))])
    seen = await loadNamed(session, commands, held)
  }
  const states = statesNamed(heads.rows, seen, held)
  const decided = heads.rows.map((head) => {
    const state = states.get(head.realm)
    if (!state) throw new Error(`no state was read for realm ${head.realm}`)
    return decideRealm(head, state, byRealm.get(head.realm) ?? [])
  })
  const moved = decided.filter(({ sealed }) => sealed.length > 0)
  const send = () => [
    ...(moved.length > 0 ? [writeHeads(session, moved, feed)] : []),
    ...writeRows(session, decided, render),
  ]
  return { decided, send, keep: (one) => memory.keep(one) }
}
