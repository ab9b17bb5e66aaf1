import type { Answer, Session } from '../../db/session.ts'
import { seal } from '../rules/chain.ts'
import type { Outcome, PostedCommand, RehearsalOutcome } from '../rules/command.ts'
import { decide } from '../rules/decide.ts'
import type { RealmState } from '../rules/state.ts'
import type { Proof } from './store.ts'
import type { RealmDecision } from './write.ts'

export type Outcomes = ReadonlyMap<PostedCommand, Outcome | RehearsalOutcome>

/**
 * The COMMIT was sent and its outcome is unknown. Never retried before `proof` was looked for under the head
 * lock.
 */
export class CommitUnknown extends Error {
  /** Undefined when the batch has no entry. The transaction is all or nothing, so one entry proves all. */
  readonly proof: Proof | undefined
  readonly outcomes: Outcomes

  constructor(decided: readonly RealmDecision[], cause: unknown) {
    super('the outcome of COMMIT is not known', { cause })
    this.proof = proofOf(decided)
    this.outcomes = outcomesOf(decided)
  }
}

/** Decides a realm's commands and chains their entries to its head. */
export function decideRealm(
  head: { readonly realm: number; readonly hash: string },
  state: RealmState,
  commands: readonly PostedCommand[],
): RealmDecision {
  const decision = decide(state, commands)
  const { realm, hash } = head
  return { realm, hash, state, commands, decision, sealed: seal(hash, decision.entries) }
}

/** Sends the rest of a batch, without its COMMIT. */
type Send = () => Promise<Answer<unknown>>[]

/**
 * Sends a batch and its COMMIT, and finds out how it ended. Any error but CommitUnknown means that nothing
 * was changed.
 */
export async function commitBatch(
  session: Session,
  decided: readonly RealmDecision[],
  send: Send,
): Promise<Outcomes> {
  const answers = await Promise.allSettled(sendWhole(session, send))
  const last = answers.at(-1)
  const failed = answers.find((answer) => answer.status === 'rejected')
  if (last?.status === 'fulfilled' && last.value.command === 'COMMIT') {
    // Should not happen: a statement failed and its transaction went on. Perhaps BEGIN itself failed.
    if (failed) throw new CommitUnknown(decided, failed.reason)
    // A cancelled wait for the standby commits with only a warning: the change may still be lost.
    if (session.doubtful) throw new CommitUnknown(decided, new Error('no standby confirmed it'))
    return outcomesOf(decided)
  }
  // The transaction had failed before COMMIT, so PostgreSQL rolled it back and reports ROLLBACK.
  if (last?.status === 'fulfilled')
    throw failed?.reason ?? new Error(`COMMIT was answered ${last.value.command}`)
  throw new CommitUnknown(decided, last?.reason)
}

/** A batch that was sent in part must not be committed by the next one. */
function sendWhole(session: Session, send: Send): Promise<Answer<unknown>>[] {
  try {
    return session.together(() => [...send(), session.commit()])
  } catch (error) {
    session.destroy()
    throw error
  }
}

function outcomesOf(decided: readonly RealmDecision[]): Outcomes {
  const outcomes = new Map<PostedCommand, Outcome | RehearsalOutcome>()
  for (const { commands, decision } of decided) {
    commands.forEach((command, index) => {
      const outcome = decision.outcomes[index]
      if (outcome) outcomes.set(command, outcome)
    })
  }
  return outcomes
}

function proofOf(decided: readonly RealmDecision[]): Proof | undefined {
  for (const { realm, sealed } of decided) {
    const last = sealed.at(-1)
    if (last) return { realm, seq: last.entry.seq, hash: last.hash }
  }
  return undefined
}
