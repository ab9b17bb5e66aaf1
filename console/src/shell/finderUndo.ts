import type { HistoryEntry } from '@exchequer/sdk'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useApp } from '../app.tsx'
import { useFormat, useWords } from '../preferences.tsx'
import { realmKey } from '../realm.tsx'
import type { Action } from './finderActions.ts'

type UndoAction = Omit<Action, 'also'> & { readonly note?: string }

export const isEntry = (text: string): boolean => /^[1-9][0-9]{0,15}$/.test(text)

/**
 * What can be undone, by what is typed after the verb: the entry with that number, or, before a number is
 * typed, the newest ones of the member whose page is open, and any in the journal. Undefined: no verb.
 */
export function useUndo(typed: string | undefined) {
  const { finder } = useWords()
  const format = useFormat()
  const { realm = '' } = useParams({ strict: false })
  const { newest, isAnswered } = useNewest(typed === '')
  const undone = useMemo((): readonly UndoAction[] => {
    const journal = { to: '/r/$realm/journal', params: { realm } }
    const undo = (seq: string): UndoAction => {
      const target = { ...journal, search: { entry: seq, act: 'undo' } }
      return { label: finder.undoEntry(seq), icon: 'undo', target }
    }
    if (typed === undefined) return []
    if (typed !== '') return isEntry(typed) ? [undo(typed)] : []
    const noteOf = ({ tokens, reason }: HistoryEntry) =>
      [tokens && format.signed(tokens), reason].filter(Boolean).join(' · ')
    const listed = newest.map((one) => ({ ...undo(one.transactionId), note: noteOf(one) }))
    return [...listed, { label: finder.undoIn, icon: 'journal', target: journal }]
  }, [typed, newest, realm, finder, format])
  return { undone, isAnswered }
}

const readAtMost = 20
const listedAtMost = 3
const none: readonly HistoryEntry[] = []

/** The newest entries that can be undone, of the member whose page is open. */
function useNewest(isAsked: boolean) {
  const { realm = '', member = '' } = useParams({ strict: false })
  const { session } = useApp()
  const isRead = isAsked && member !== ''
  const { data = none, isFetchedAfterMount } = useQuery({
    queryKey: [...realmKey(realm), 'member', member, 'newest'],
    queryFn: async ({ signal }) => {
      const list = session.realm(realm).member(member).history({ limit: readAtMost, signal })
      return (await list.page()).data.filter(({ reversible }) => reversible).slice(0, listedAtMost)
    },
    enabled: isRead,
    staleTime: 0,
  })
  const isAnswered = !isRead || isFetchedAfterMount
  return { newest: isRead && isAnswered ? data : none, isAnswered }
}
