import type { Notice } from '../notices/index.ts'
import type { NewMember, UpdatedMember } from './store.ts'

/**
 * Names, metadata and notes stay out: what was sent can't be erased. A member that was stored as it is has no
 * notice.
 */
export function noticesOf(
  created: readonly (NewMember & { readonly account: number })[],
  updated: readonly UpdatedMember[],
): Notice[] {
  return [
    ...created.map(({ account, frozen = false, hidden = false }): Notice => {
      return { type: 'member.created', account, data: { frozen, hidden } }
    }),
    ...updated
      .filter(({ changed }) => changed.length > 0)
      .map(({ account, changed, frozen, hidden }): Notice => {
        return { type: 'member.changed', account, data: { changed, frozen, hidden } }
      }),
  ]
}
