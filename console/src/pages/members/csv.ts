import type { ListedMember } from '@exchequer/sdk'
import { idCell, numberCell, rowOf, textCell } from '../../../../server/src/files/exports/csv.ts'

/** Members as a file, with the columns of `balances.csv`, written by the server's own writer. */
export function csvOf(members: readonly ListedMember[], points: readonly string[]): string[] {
  const columns = points.flatMap((point) => [`balance:${point}`, `held:${point}`])
  const header = ['id', 'username', 'displayName', ...columns, 'frozen', 'hidden', 'joinedAt']
  const rows = members.map((member) => [
    idCell(member.id),
    textCell(member.username),
    textCell(member.displayName),
    ...points.flatMap((point) => [
      numberCell(BigInt(member.balances[point] ?? 0)),
      numberCell(BigInt(member.held[point] ?? 0)),
    ]),
    String(member.frozen),
    String(member.hidden),
    member.joinedAt ?? '',
  ])
  return [header, ...rows].map(rowOf)
}
