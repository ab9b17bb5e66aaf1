import type { RealmConfig } from '../realms/realms.ts'
import type { Command } from './command.ts'

/** A member and a kind of points whose balance a command looks at. */
export type Party = { readonly id: string; readonly point: number }

/** Nobody's, when the realm has no such kind of points: the command is refused before anyone is looked at. */
export function partiesOf(command: Command, config: RealmConfig): Party[] {
  const kind = command.point === undefined ? config.defaultPoint : config.points.get(command.point)
  if (!kind) return []
  const member = { id: command.member, point: kind.number }
  if (command.kind !== 'transfer') return [member]
  return [member, { id: command.recipient, point: kind.number }]
}
