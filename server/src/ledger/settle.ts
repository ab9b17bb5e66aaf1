import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from '../db/session.ts'
import { outcomeUnknown } from '../errors.ts'
import type { CommitUnknown } from './batch.ts'
import type { Pending } from './pending.ts'
import { begin, commit, findEntries, lockHeads } from './store.ts'

const pauseMs = 100

/**
 * Did the batch happen? Asked under the head locks: whoever sent the COMMIT has ended by then, one way or the
 * other.
 */
async function happened(session: Session, unknown: CommitUnknown): Promise<boolean> {
  // One realm tells for all: the transaction was all or nothing. So no realm waits for another's head here.
  const proof = unknown.proof.slice(0, 1)
  const realms = proof.map(({ realm }) => realm)
  const [, , found, ended] = await session.together(() =>
    Promise.all([
      begin(session),
      lockHeads(session, realms, 'wait'),
      findEntries(session, proof),
      commit(session),
    ]),
  )
  if (ended.command !== 'COMMIT' || session.doubtful) throw new Error('could not settle')
  return found === proof.length
}

export type Settle = {
  readonly unknown: CommitUnknown
  readonly pendings: readonly Pending[]
  readonly open: () => Promise<Session>
  /** Takes the commands of a batch that did not happen. */
  readonly again: (pendings: readonly Pending[]) => void
}

/** Finds out how a lost COMMIT ended and answers its callers, within their deadline. */
export async function settle({ unknown, pendings, open, again }: Settle): Promise<void> {
  // A batch without entries changed no balance: it can be repeated without a look.
  if (unknown.proof.length === 0) return again(pendings)
  const deadlineMs = Math.min(...pendings.map((pending) => pending.deadlineMs))
  while (performance.now() < deadlineMs) {
    let session: Session | undefined
    // No timeout of PostgreSQL's ends a wait for a standby.
    const timer = setTimeout(() => session?.destroy(), deadlineMs - performance.now())
    try {
      session = await open()
      if (!(await happened(session, unknown))) return again(pendings)
      return answer(unknown, pendings)
    } catch {
      await sleep(pauseMs)
    } finally {
      clearTimeout(timer)
      session?.destroy()
    }
  }
  for (const pending of pendings) pending.refuse(outcomeUnknown)
}

function answer(unknown: CommitUnknown, pendings: readonly Pending[]): void {
  for (const pending of pendings) {
    const outcome = unknown.outcomes.get(pending.command)
    if (outcome) pending.end(outcome)
    else pending.refuse(outcomeUnknown)
  }
}
