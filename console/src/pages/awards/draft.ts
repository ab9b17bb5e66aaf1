import type { Drafts } from '../../drafts.ts'
import type { AwardRequest } from './useAwards.ts'

/** What the form holds, which outlives its page. */
export const draftName = (realm: string): string => `${realm} awards`

export const blankRequest = (point: string): AwardRequest => ({ text: '', points: '', reason: '', point })

type Added = { readonly realm: string; readonly point: string; readonly ids: readonly string[] }

/** Adds a line for each member to what was typed before. */
export function addMembers(drafts: Drafts, { realm, point, ids }: Added): void {
  const before = (drafts.get(draftName(realm)) as AwardRequest | undefined) ?? blankRequest(point)
  const text = [before.text.trimEnd(), ...ids].filter((line) => line !== '').join('\n')
  drafts.set(draftName(realm), { ...before, text })
}
