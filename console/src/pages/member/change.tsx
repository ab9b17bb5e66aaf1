import type { ListedMember, Member } from '@exchequer/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApp } from '../../app.tsx'
import { useFormat, useWords } from '../../preferences.tsx'
import { renew, useKinds, useRealm } from '../../realm.tsx'
import { useShown } from '../../shown.ts'
import { nameOf } from '../../ui/bits.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { KindSelect } from '../../ui/kinds.tsx'
import { MemberPicker } from '../../ui/memberPicker.tsx'
import { Notice, Refusal } from '../../ui/states.tsx'
import { useFailed, useSuccessToast } from '../../ui/toast.tsx'
import { type Effect, Effects } from './effects.tsx'
import { wholeOf } from './whole.ts'

export type Act = 'award' | 'take' | 'transfer' | 'hold'
type Shown = {
  readonly id: string
  readonly balances: Readonly<Record<string, number>>
  readonly displayName: string | null
  readonly username: string | null
  readonly frozen: boolean
}
type ChangeProps = {
  readonly act: Act | undefined
  readonly member: Shown
  readonly point: string
  readonly onClose: () => void
}

/**
 * A change of points in two steps: a preview by dry run, then the change. It can't be closed while the change
 * is being sent.
 */
export function ChangeDialog({ act, member, point, onClose }: ChangeProps) {
  const { change } = useWords()
  const [busy, setBusy] = useState(false)
  return (
    <Dialog
      open={act !== undefined}
      title={act ? change.titles[act] : ''}
      intro={act && change.intros[act]}
      onClose={() => busy || onClose()}
    >
      {act && <ChangeForm {...{ act, member, point, onClose }} onBusy={setBusy} />}
    </Dialog>
  )
}

export type ChangeRequest = {
  readonly tokens: string
  readonly minutes: string
  readonly reason: string
  readonly reference: string
  readonly point: string
  readonly recipient: ListedMember | null
}
const safe = 9_007_199_254_740_991
const longestMinutes = 44_640
const isWhole = (text: string, most: number): boolean => /^[1-9][0-9]*$/.test(text) && Number(text) <= most

/** Sends it with an idempotency key, or as a dry run. */
async function send(
  act: Act,
  { client, asked }: { client: Member; asked: ChangeRequest },
  idempotencyKey?: string,
): Promise<readonly Effect[]> {
  const { point: realmPointId, reason, reference, recipient } = asked
  const tokens = Number(wholeOf(asked.tokens))
  const said = { realmPointId, ...(reason && { reason }), ...(reference && { reference }) }
  const options = { ...said, ...(idempotencyKey === undefined ? { dryRun: true } : { idempotencyKey }) }
  if (act === 'transfer' && recipient) {
    const done = await client.transfer(recipient.id, tokens, options)
    return [
      { id: client.id, balance: done.newBalance },
      { id: recipient.id, balance: done.recipientBalance },
    ]
  }
  if (act === 'hold') {
    const { data } = await client.hold(tokens, { ...options, expiresIn: Number(asked.minutes) * 60 })
    return [{ id: client.id, balance: data.newBalance, held: data.held[data.realmPointId] }]
  }
  const { newBalance } = await client.adjust(act === 'take' ? -tokens : tokens, options)
  return [{ id: client.id, balance: newBalance }]
}

type FormProps = ChangeProps & { readonly act: Act; readonly onBusy: (busy: boolean) => void }

function useChange({ act, member, onClose, onBusy }: FormProps, asked: ChangeRequest) {
  const { change } = useWords()
  const format = useFormat()
  const { id: realm, client } = useRealm()
  const queries = useQueryClient()
  const showSuccess = useSuccessToast()
  const failed = useFailed()
  const isShown = useShown()
  const { unsettled } = useApp()
  const what = { client: client.member(member.id), asked }
  const preview = useMutation({ mutationFn: () => send(act, what) })
  const confirm = useMutation({
    mutationFn: () => unsettled.send(`${realm} ${member.id} ${act}`, (key) => send(act, what, key)),
    onSuccess: () => {
      showSuccess(change.done[act](format.number(Number(wholeOf(asked.tokens))), nameOf(member)))
      if (isShown()) onClose()
    },
    onError: (error) => isShown() || failed(error, `${change.titles[act]} · ${nameOf(member)}`),
    onSettled: () => {
      onBusy(false)
      void renew(queries, realm)
    },
  })
  return { preview, confirm }
}

function ChangeForm(props: FormProps) {
  const { act, member, point, onClose, onBusy } = props
  const { change, freeze, shell } = useWords()
  const isStopped = member.frozen && act !== 'award'
  const kinds = useKinds()
  const [tried, setTried] = useState(false)
  const [asked, setAsked] = useState<ChangeRequest>({
    tokens: '',
    minutes: '15',
    reason: '',
    reference: '',
    point,
    recipient: null,
  })
  const { preview, confirm } = useChange(props, asked)
  const wrong = {
    tokens: !isWhole(wholeOf(asked.tokens), safe),
    recipient: act === 'transfer' && asked.recipient === null,
    minutes: act === 'hold' && !isWhole(asked.minutes, longestMinutes),
  }
  const submit = () => {
    setTried(true)
    if (preview.data) {
      onBusy(true)
      confirm.mutate()
    } else if (!Object.values(wrong).includes(true)) preview.mutate()
  }
  const footer = (
    <>
      <Button disabled={confirm.isPending} onClick={preview.data ? preview.reset : onClose}>
        {preview.data ? change.back : shell.cancel}
      </Button>
      <Button look="primary" type="submit" disabled={isStopped} busy={preview.isPending || confirm.isPending}>
        {preview.data ? change.confirm[act] : change.preview}
      </Button>
    </>
  )
  return (
    <DialogForm onSubmit={submit} footer={footer}>
      {preview.data ? (
        <Effects
          effects={preview.data}
          kind={kinds.find(({ id }) => id === asked.point)}
          before={
            new Map([
              [member.id, member],
              ...(asked.recipient ? [[asked.recipient.id, asked.recipient] as const] : []),
            ])
          }
          reason={asked.reason}
        />
      ) : (
        <Fields act={act} asked={asked} wrong={tried ? wrong : {}} onChange={setAsked} />
      )}
      {member.frozen && <Notice tone="warn">{isStopped ? freeze.stopped : change.frozen}</Notice>}
      <Refusal error={confirm.error ?? preview.error} />
    </DialogForm>
  )
}

type FieldsProps = {
  readonly act: Act
  readonly asked: ChangeRequest
  readonly wrong: { readonly tokens?: boolean; readonly recipient?: boolean; readonly minutes?: boolean }
  readonly onChange: (asked: ChangeRequest) => void
}

function Fields({ act, asked, wrong, onChange }: FieldsProps) {
  const { change } = useWords()
  const set = (next: Partial<ChangeRequest>) => onChange({ ...asked, ...next })
  return (
    <>
      <TextField
        label={change.tokens}
        value={asked.tokens}
        inputMode="numeric"
        autoComplete="off"
        error={wrong.tokens ? change.tokensWrong : undefined}
        onChange={({ target }) => set({ tokens: target.value })}
      />
      <KindSelect value={asked.point} showLabel onChoose={(point) => set({ point })} />
      {act === 'transfer' && (
        <MemberPicker
          label={change.recipient}
          hint={change.recipientHint}
          error={wrong.recipient ? change.recipientWrong : undefined}
          value={asked.recipient}
          onPick={(recipient) => set({ recipient })}
        />
      )}
      {act === 'hold' && (
        <TextField
          label={change.minutes}
          value={asked.minutes}
          inputMode="numeric"
          error={wrong.minutes ? change.minutesWrong : undefined}
          onChange={({ target }) => set({ minutes: target.value.trim() })}
        />
      )}
      <TextField
        label={change.reason}
        hint={change.reasonHint}
        optional
        maxLength={500}
        value={asked.reason}
        onChange={({ target }) => set({ reason: target.value })}
      />
      <TextField
        label={change.reference}
        optional
        maxLength={255}
        value={asked.reference}
        onChange={({ target }) => set({ reference: target.value })}
      />
    </>
  )
}
