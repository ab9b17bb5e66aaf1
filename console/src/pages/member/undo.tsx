import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApp } from '../../app.tsx'
import { useWords } from '../../preferences.tsx'
import { realmKey, renew, useKinds, useRealm } from '../../realm.tsx'
import { useShown } from '../../shown.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Refusal, Skeleton } from '../../ui/states.tsx'
import { useFailed, useSuccessToast } from '../../ui/toast.tsx'
import { Effects } from './effects.tsx'

type UndoProps = {
  readonly entry: { readonly transactionId: string } | undefined
  readonly onClose: () => void
}

/** Undoes an entry, after a preview by dry run. */
export function UndoDialog({ entry, onClose }: UndoProps) {
  const { member: words } = useWords()
  return (
    <Dialog
      open={entry !== undefined}
      title={entry ? words.undoTitle(entry.transactionId) : ''}
      intro={words.undoIntro}
      onClose={onClose}
    >
      {entry && <UndoForm entry={entry.transactionId} onClose={onClose} />}
    </Dialog>
  )
}

function UndoForm({ entry, onClose }: { readonly entry: string; readonly onClose: () => void }) {
  const { member: words, change, shell } = useWords()
  const { id: realm, client } = useRealm()
  const kinds = useKinds()
  const queries = useQueryClient()
  const showSuccess = useSuccessToast()
  const failed = useFailed()
  const isShown = useShown()
  const { unsettled } = useApp()
  const [reason, setReason] = useState('')
  const preview = useQuery({
    queryKey: [...realmKey(realm), 'undo', entry],
    gcTime: 0,
    staleTime: 0,
    queryFn: async () => {
      const dry = await client.reverse(entry, { dryRun: true })
      const members = await Promise.all(dry.balances.map(({ memberId }) => client.member(memberId).get()))
      return { dry, members: new Map(members.map((one) => [one.id, one] as const)) }
    },
  })
  const undo = useMutation({
    mutationFn: () =>
      unsettled.send(`${realm} undo ${entry}`, (idempotencyKey) =>
        client.reverse(entry, { idempotencyKey, ...(reason && { reason }) }),
      ),
    onSuccess: () => {
      showSuccess(words.undoDone(entry))
      void renew(queries, realm)
      if (isShown()) onClose()
    },
    onError: (error) => isShown() || failed(error, words.undoTitle(entry)),
  })
  const footer = (
    <>
      <Button onClick={onClose}>{shell.cancel}</Button>
      <Button look="danger" type="submit" busy={undo.isPending} disabled={!preview.data}>
        {change.confirm.undo}
      </Button>
    </>
  )
  return (
    <DialogForm onSubmit={() => undo.mutate()} footer={footer}>
      {preview.data ? (
        <Effects
          effects={preview.data.dry.balances.map(({ memberId, newBalance }) => ({
            id: memberId,
            balance: newBalance,
          }))}
          kind={kinds.find(({ id }) => id === preview.data.dry.realmPointId)}
          before={preview.data.members}
          reason=""
        />
      ) : (
        !preview.error && <Skeleton lines={2} className="!p-0" />
      )}
      <TextField
        label={change.reason}
        optional
        maxLength={500}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
      <Refusal error={undo.error ?? preview.error} />
    </DialogForm>
  )
}
