import type { Refusal } from '../../errors.ts'
import type { Merge } from './command.ts'
import { balanceOf, type Draft } from './draft.ts'
import { entryTypes } from './entryTypes.ts'
import { pointNumbered } from './lookups.ts'
import { move } from './move.ts'
import type { Entry } from './state.ts'

/**
 * One entry for each point type of which the merged member has any, archived ones too: the whole balance. The
 * further ones link to the first. An account number keeps its history; after a merge it never moves again,
 * unless the merge is undone.
 */
export function merge(draft: Draft, command: Merge): Entry[] | Refusal {
  if (command.undoes) return undo(draft, command)
  const { from, to } = command
  const entries: Entry[] = []
  const points = [...draft.state.config.points.values()].sort((a, b) => a.number - b.number)
  for (const point of points) {
    const amount = balanceOf(draft, from.account, point)
    if (amount === 0n) continue
    const link = entries[0]?.seq ?? null
    const made = move(draft, command, { kind: 'merge', point, from, to, amount, link })
    if ('code' in made) return made
    entries.push(made)
  }
  return entries
}

/** Each entry of the merge is reversed. The points may have been spent since: then none is. */
function undo(draft: Draft, command: Merge): Entry[] | Refusal {
  const { from, to, undoes = [] } = command
  const entries: Entry[] = []
  for (const { seq: link, point: number, amount, lots } of undoes) {
    const point = pointNumbered(draft, number)
    const linked = { kind: entryTypes.merge.number, from: from.account, amount, lots }
    const asked = { kind: 'reversal', point, from: to, to: from, amount, link, linked } as const
    const made = move(draft, command, asked)
    if ('code' in made) return made
    entries.push(made)
  }
  return entries
}
