import { areApart, clockGapMs, clockProblem } from '../../db/clock.ts'
import { bind } from '../../db/rowSecurity.ts'
import type { Session } from '../../db/session.ts'
import { clocksApart, RefusalError } from '../../errors.ts'
import type { Configs } from '../../realms/index.ts'
import type { PostedCommand } from '../rules/command.ts'
import { commitBatch, decideRealm, type Outcomes } from './commit.ts'
import { type ConfigMap, gather, statesOf } from './loadState.ts'
import type { Memory } from './memory.ts'
import { begin, lockHeads } from './store.ts'
import { type Render, writeHeads, writeRows } from './write.ts'

export type Tools = { readonly configs: Configs; readonly render: Render; readonly memory: Memory }

/** How heads are locked: skip those that other sessions hold, or wait for them. */
export type LockMode = 'free' | 'wait'

/**
 * One transaction for all these commands, in two round trips: the heads are locked, and what the decision
 * needs is read under the lock. Commands of realms that another session has locked get no outcome. Any error
 * but CommitUnknown means that nothing was changed.
 */
export async function runLocked(
  session: Session,
  commands: readonly PostedCommand[],
  options: Tools & { readonly mode: LockMode },
): Promise<Outcomes> {
  const { configs, render, mode, memory } = options
  const byRealm = Map.groupBy(commands, (command) => command.realm)
  const realms = [...byRealm.keys()].sort((a, b) => a - b)
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
      gather(session, commands, held),
    ]),
  )
  for (const { now_us: nowUs } of heads.rows.slice(-1)) refuseIfApart(nowUs, sentAtMs)
  let seen = first
  const stale = heads.rows.filter((head) => held.get(head.realm)?.version !== head.config_version)
  if (stale.length > 0) {
    const wanted = stale.map((head) => [head.realm, head.config_version] as const)
    held = new Map([...held, ...(await configs.resolve(session, wanted))])
    seen = await gather(session, commands, held)
  }
  const states = statesOf(heads.rows, seen, held)
  const decided = heads.rows.map((head) => {
    const state = states.get(head.realm)
    if (!state) throw new Error(`no state was read for realm ${head.realm}`)
    return decideRealm(head, state, byRealm.get(head.realm) ?? [])
  })
  const moved = decided.filter(({ sealed }) => sealed.length > 0)
  const outcomes = await commitBatch(session, decided, () => [
    ...(moved.length > 0 ? [writeHeads(session, moved)] : []),
    ...writeRows(session, decided, render),
  ])
  for (const one of decided) memory.keep(one)
  return outcomes
}

/** Refuses to write when the clock is wrong: `nowUs` is the database's time, requested at `sentAtMs`. */
export function refuseIfApart(nowUs: bigint, sentAtMs: number): void {
  const gapMs = clockGapMs(nowUs, sentAtMs)
  if (areApart(gapMs)) throw new RefusalError(clocksApart, new Error(clockProblem(gapMs)))
}
