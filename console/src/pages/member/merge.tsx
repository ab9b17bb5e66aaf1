import type { ListedMember, ProfileData } from '@exchequer/sdk'
import { Merges } from '@exchequer/sdk/merges'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApp } from '../../app.tsx'
import { useFormat, useWords } from '../../preferences.tsx'
import { realmKey, renew, useKinds, useRealm } from '../../realm.tsx'
import { useShown } from '../../shown.ts'
import { AskButtons } from '../../ui/ask.tsx'
import { nameOf } from '../../ui/bits.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { kindName } from '../../ui/kinds.tsx'
import { MemberPicker } from '../../ui/memberPicker.tsx'
import { Refusal, Skeleton } from '../../ui/states.tsx'
import { useFailed, useSuccessToast } from '../../ui/toast.tsx'

type MergeProps = { readonly member: ProfileData; readonly onClose: () => void }

/** Merges another member into this one, after a preview by dry run. */
export function MergeDialog({ member, onClose }: MergeProps) {
  const { merge: words } = useWords()
  return (
    <Dialog open title={words.title(nameOf(member))} intro={words.intro} onClose={onClose}>
      <MergeForm member={member} onClose={onClose} />
    </Dialog>
  )
}

function MergeForm({ member, onClose }: MergeProps) {
  const { merge: words } = useWords()
  const { id: realm, client } = useRealm()
  const queries = useQueryClient()
  const showSuccess = useSuccessToast()
  const failed = useFailed()
  const isShown = useShown()
  const { unsettled } = useApp()
  const [from, setFrom] = useState<ListedMember | null>(null)
  const merges = new Merges(client)
  const preview = useQuery({
    queryKey: [...realmKey(realm), 'merge', member.id, from?.id],
    enabled: from !== null,
    gcTime: 0,
    staleTime: 0,
    retry: false,
    queryFn: () => merges.merge(member.id, from?.id ?? '', { force: true, dryRun: true }),
  })
  const merge = useMutation({
    mutationFn: () =>
      unsettled.send(`${realm} merge ${from?.id} into ${member.id}`, (idempotencyKey) =>
        merges.merge(member.id, from?.id ?? '', { force: true, idempotencyKey }),
      ),
    onSuccess: () => {
      showSuccess(words.done(from ? nameOf(from) : '', nameOf(member)))
      void renew(queries, realm)
      if (isShown()) onClose()
    },
    onError: (error) => isShown() || failed(error, words.title(nameOf(member))),
  })
  const buttons = { label: words.confirm, danger: true, busy: merge.isPending, disabled: !preview.data }
  return (
    <DialogForm onSubmit={() => merge.mutate()} footer={<AskButtons {...buttons} onClose={onClose} />}>
      <MemberPicker label={words.from} hint={words.fromHint} value={from} onPick={setFrom} />
      {preview.data ? (
        <MergeEffect effect={preview.data} />
      ) : (
        from && !preview.error && <Skeleton lines={2} className="!p-0" />
      )}
      <Refusal error={merge.error ?? (from ? preview.error : null)} />
    </DialogForm>
  )
}

type Effect = Awaited<ReturnType<Merges['merge']>>

type MergeEffectProps = {
  readonly effect: Pick<Effect, 'points' | 'identities' | 'wallets'>
  readonly isUndo?: boolean
}

/** What moves, as a list that screen readers announce when it is there. */
export function MergeEffect({ effect, isUndo = false }: MergeEffectProps) {
  const { merge: words } = useWords()
  const format = useFormat()
  const kinds = useKinds()
  const named = (id: string) => {
    const kind = kinds.find((one) => one.id === id)
    return kind ? kindName(kind) : id
  }
  return (
    <ul aria-live="polite" className="flex list-disc flex-col gap-1 pl-5 text-sm">
      {effect.points.map(({ realmPointId, tokens, newBalance }) => (
        <li key={realmPointId}>
          {isUndo
            ? words.pointsBack(format.number(tokens), named(realmPointId))
            : words.points(format.number(tokens), named(realmPointId), format.number(newBalance))}
        </li>
      ))}
      {effect.points.length === 0 && <li>{words.noPoints}</li>}
      {effect.identities > 0 && <li>{words.identities(effect.identities)}</li>}
      {effect.wallets > 0 && <li>{words.wallets(effect.wallets)}</li>}
    </ul>
  )
}
