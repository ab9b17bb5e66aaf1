import type { Refusal } from '../../errors.ts'
import type { Point } from '../../realms/realm.ts'
import type { Change, IfMatch } from './command.ts'
import { accountOf, type Draft, versionOf } from './draft.ts'
import * as words from './refusals.ts'

/** Whether a member does not match `If-Match`. */
export const isMoved = (draft: Draft, member: number | undefined, ifMatch: IfMatch | undefined): boolean => {
  if (ifMatch === 'exists') return member === undefined
  if (ifMatch === undefined) return false
  const seq = versionOf(draft, member)
  return !ifMatch.some((tag) => tag.seq === seq && tag.account === (member ?? 0))
}

export const isOpen = (draft: Draft): boolean => draft.state.config.unknownMembers === 'create'

export const isFrozen = (draft: Draft, account: number | undefined): boolean =>
  account !== undefined && draft.state.frozen.has(account)

type Found = { readonly point: Point; readonly member: number | undefined }

/** The point type and the member's account: undefined for an unknown member in an open realm. */
export function find(draft: Draft, { member: id, point: named }: Change): Found | Refusal {
  const { config } = draft.state
  const pointId = named ?? config.defaultPoint.id
  const point = config.points.get(pointId)
  if (!point || point.archived) return words.noPoint(pointId)
  const member = accountOf(draft, id)
  if (member === undefined && !isOpen(draft)) return words.notFound('member_not_found', id)
  return { point, member }
}

export function pointNumbered(draft: Draft, number: number): Point {
  for (const point of draft.state.config.points.values()) if (point.number === number) return point
  throw new Error(`the realm has no point ${number}`)
}
