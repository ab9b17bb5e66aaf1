import type { RealmConfig } from '../realms/realms.ts'
import type { Command } from './command.ts'

/** A member and a kind of points whose balance a command looks at. */
export type Party = { readonly id: string; readonly point: number }

/** The number of the kind of points that a command means; undefined when the realm has none such. */
export function pointOf(command: Command, config: RealmConfig): number | undefined {
  return (command.point === undefined ? config.defaultPoint : config.points.get(command.point))?.number
}

/** Nobody's, when the realm has no such kind of points: the command is refused before anyone is looked at. */
export function partiesOf(command: Command, config: RealmConfig): Party[] {
  const point = pointOf(command, config)
  if (point === undefined) return []
  const member = { id: command.member, point }
  return command.kind === 'transfer' ? [member, { id: command.recipient, point }] : [member]
}
