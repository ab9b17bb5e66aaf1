import type { RealmConfig } from '../../realms/index.ts'
import type { Change, PostedCommand } from '../rules/command.ts'
import { balanceKey } from '../rules/state.ts'
import type { RealmDecision } from './commit.ts'
import type { Confirm } from './store.ts'

/** A member and a point type whose balance a command reads. */
export type Party = { readonly id: string; readonly point: number }

/** Empty when the realm has no such point type: the command is refused before any balance is read. */
export function partiesOf(command: PostedCommand, config: RealmConfig): Party[] {
  if (command.kind === 'rehearsal' || command.kind === 'list')
    return command.commands.flatMap((one) => partiesOf(one, config))
  if (command.kind === 'batch') return command.changes.flatMap((change) => partyOf(change, config))
  if (!('member' in command)) return []
  const [member] = partyOf(command, config)
  if (!member) return []
  return command.kind === 'transfer' ? [member, { id: command.recipient, point: member.point }] : [member]
}

function partyOf(change: Change, config: RealmConfig): Party[] {
  const point = pointOf(change, config)
  return point ? [{ id: change.member, point: point.number }] : []
}

/** Whether a decision reads only accounts and balances. Anything else is read only under the lock. */
export function isPlain(command: PostedCommand, config: RealmConfig): boolean {
  if (command.dry || hasDayLimit(command)) return false
  switch (command.kind) {
    case 'adjust':
    case 'opening':
      return command.ifMatch === undefined
    case 'batch':
      return true
    case 'transfer':
      return command.ifMatch === undefined && (pointOf(command, config)?.maxPerDay ?? null) === null
    default:
      return false
  }
}

/** What its key has moved that day is read under the lock. */
const hasDayLimit = ({ limits }: PostedCommand): boolean => limits !== undefined && limits.maxPerDay !== null

/** The point type of a command; undefined when the realm does not have it. */
export const pointOf = ({ point }: Pick<Change, 'point'>, config: RealmConfig) =>
  point === undefined ? config.defaultPoint : config.points.get(point)

/** The balances that a refusal was decided on and that no entry changes: nothing else would check them. */
export function lookedAt({ realm, state, commands, decision }: RealmDecision): Confirm[] {
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
