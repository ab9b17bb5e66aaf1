import type { ListedMember } from '@exchequer/sdk'
import { useEffect, useMemo } from 'react'
import { useDraft } from '../../drafts.ts'
import { membersCap } from '../member/many.ts'

type Selected = ReadonlyMap<string, ListedMember>

/** The selected members, in the order in which they were selected. */
export type Selection = {
  readonly members: Selected
  readonly isFull: boolean
  readonly set: (members: readonly ListedMember[], isSelected: boolean) => void
  readonly clear: () => void
}

/** The checkbox for all: it gets the focus when the bar of actions has gone. */
export const allId = 'select-all'

const none: Selected = new Map()

/** It outlives the page and a search, up to what one request can change. */
export function useSelection(realm: string): Selection {
  const [members, setMembers] = useDraft(`${realm} selection`, none)
  return useMemo(
    () => ({
      members,
      isFull: members.size >= membersCap,
      set: (changed, isSelected) => setMembers((before) => changedOf(before, changed, isSelected)),
      clear: () => setMembers(none),
    }),
    [members, setMembers],
  )
}

function changedOf(before: Selected, changed: readonly ListedMember[], isSelected: boolean): Selected {
  const next = new Map(before)
  for (const member of changed) {
    if (!isSelected) next.delete(member.id)
    else if (next.size < membersCap) next.set(member.id, member)
  }
  return next
}

const opened = '[role=menu], [role=listbox], [role=dialog]:not([aria-modal=false])'

/** Escape, unless something is open that it closes, or a field has the focus that it empties. */
export function useEscape(isActive: boolean, onEscape: () => void): void {
  useEffect(() => {
    if (!isActive) return
    const press = ({ key, target }: KeyboardEvent) => {
      if (key !== 'Escape' || document.querySelector(opened)) return
      if (target instanceof HTMLInputElement && target.type !== 'checkbox' && target.value !== '') return
      onEscape()
    }
    // Before the listener that closes a dialog.
    addEventListener('keydown', press, true)
    return () => removeEventListener('keydown', press, true)
  }, [isActive, onEscape])
}
