import type { ProfileData } from '@exchequer/sdk'
import { type MergeData, Merges } from '@exchequer/sdk/merges'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAct } from '../../act.ts'
import { useFormat, useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { Ask } from '../../ui/ask.tsx'
import { nameOf } from '../../ui/bits.tsx'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { MergeEffect } from './merge.tsx'

type Of = { readonly member: ProfileData }

/** The members that were merged into this one; not shown where there are none. */
export function Merged({ member }: Of) {
  const { merge: words } = useWords()
  const format = useFormat()
  const { id: realm, client, can } = useRealm()
  const [undoing, setUndoing] = useState<MergeData>()
  const { data } = useQuery({
    queryKey: [...realmKey(realm), 'merges', member.id],
    queryFn: () => new Merges(client).list({ memberId: member.id, limit: 20 }).page(),
  })
  const merges = data?.data.filter(({ undone }) => !undone) ?? []
  if (merges.length === 0) return null
  return (
    <Section title={words.section}>
      <ul className="flex flex-col gap-2">
        {merges.map((one) => (
          <li key={one.number} className="flex items-center justify-between gap-2">
            <span className="min-w-0">
              <span className="block truncate">{one.mergedId}</span>
              <span className="block text-muted text-xs">{format.day(one.mergedAt)}</span>
            </span>
            {can('realm:admin') && (
              <Button aria-label={words.undoOf(one.mergedId ?? '')} onClick={() => setUndoing(one)}>
                {words.undo}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {undoing && <UndoMerge member={member} merge={undoing} onClose={() => setUndoing(undefined)} />}
    </Section>
  )
}

type UndoProps = Of & { readonly merge: MergeData; readonly onClose: () => void }

/** Asks, after a preview by dry run. */
function UndoMerge({ member, merge, onClose }: UndoProps) {
  const { merge: words } = useWords()
  const { id: realm, client } = useRealm()
  const merges = new Merges(client)
  const preview = useQuery({
    queryKey: [...realmKey(realm), 'merge', 'undo', merge.number],
    gcTime: 0,
    staleTime: 0,
    retry: false,
    queryFn: () => merges.undo(merge.number, { dryRun: true }),
  })
  const undo = useAct(() => merges.undo(merge.number), {
    key: realmKey(realm),
    done: words.undone(merge.mergedId ?? ''),
    onDone: onClose,
  })
  return (
    <Ask
      open
      danger
      title={words.undoTitle(merge.mergedId ?? '')}
      label={words.undo}
      busy={undo.isPending}
      disabled={!preview.data}
      error={undo.error ?? preview.error}
      onConfirm={() => undo.mutate()}
      onClose={onClose}
    >
      <p>{words.undoIntro(merge.mergedId ?? '', nameOf(member))}</p>
      {preview.data ? (
        <MergeEffect effect={preview.data} isUndo />
      ) : (
        !preview.error && <Skeleton lines={2} className="!p-0" />
      )}
    </Ask>
  )
}
