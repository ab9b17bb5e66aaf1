import { bind } from '../../db/rowSecurity.ts'
import type { Session } from '../../db/session.ts'
import type { PostedCommand } from '../rules/command.ts'
import { balanceKey } from '../rules/state.ts'
import { commitBatch, decideRealm, type Outcomes } from './commit.ts'
import { partiesOf } from './parties.ts'
import type { Tools } from './pessimistic.ts'
import {
  begin,
  type Confirm,
  confirmBalances,
  confirmRequests,
  confirmUnused,
  type RetryQuery,
} from './store.ts'
import { type RealmDecision, writeHeads, writeRows } from './write.ts'

/**
 * One transaction in one round trip, decided from memory before anything is locked. PostgreSQL checks in it
 * everything the decision relied on: the head still has that hash and configuration, every balance was last
 * changed by the same entry, and no Idempotency-Key was used before. Any error but CommitUnknown means that
 * nothing was changed. Everything is sent when this returns its promise, so the next batch can be decided and
 * sent behind it.
 */
export async function runAhead(
  session: Session,
  commands: readonly PostedCommand[],
  { memory, render }: Omit<Tools, 'configs'>,
): Promise<Outcomes> {
  const byRealm = Map.groupBy(commands, (command) => command.realm)
  const realms = [...byRealm.keys()].sort((a, b) => a - b)
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
  const outcomes = await commitBatch(session, decided, () => [
    begin(session),
    bind(session, realms),
    writeHeads(session, decided).then((answer) => {
      const [row] = answer.rows
      if (row) memory.readClock(row.now_us)
      return answer
    }),
    ...(keyed.length > 0 ? [confirmRequests(session, keyed)] : []),
    ...(refused.length > 0 ? [confirmUnused(session, refused)] : []),
    ...(looked.length > 0 ? [confirmBalances(session, looked)] : []),
    ...writeRows(session, decided, render),
  ])
  for (const one of decided) memory.confirm(one)
  return outcomes
}

const keyOf = ({ realm, retry }: PostedCommand): RetryQuery[] => (retry ? [{ realm, retry }] : [])

/** The balances that a refusal was decided on and that no entry changes: nothing else would check them. */
function lookedAt({ realm, state, commands, decision }: RealmDecision): Confirm[] {
  if (decision.outcomes.every(({ kind }) => kind === 'done')) return []
  const changed = new Set(decision.balances.map(({ account, point }) => balanceKey(account, point)))
  return commands.flatMap((command) =>
    partiesOf(command, state.config).flatMap(({ id, point }) => {
      const account = state.accounts.get(id)
      if (account === undefined || changed.has(balanceKey(account, point))) return []
      return [{ realm, account, point, seq: state.balances.get(balanceKey(account, point))?.seq ?? null }]
    }),
  )
}
