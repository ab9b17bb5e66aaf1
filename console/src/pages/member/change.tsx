import type { ListedMember, Member } from '@exchequer/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { newKey } from '../../newKey.ts'
import { useFormat, useWords } from '../../preferences.tsx'
import { realmKey, useKinds, useRealm } from '../../realm.tsx'
import { nameOf } from '../../ui/bits.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { KindSelect } from '../../ui/kinds.tsx'
import { MemberPicker } from '../../ui/memberPicker.tsx'
import { Refusal } from '../../ui/states.tsx'
import { useTold } from '../../ui/toast.tsx'
import { type Effect, Effects } from './effects.tsx'

export type Act = 'award' | 'take' | 'transfer' | 'hold'
type Shown = {
  readonly id: string
  readonly balances: Readonly<Record<string, number>>
  readonly displayName: string | null
  readonly username: string | null
}
type ChangeProps = {
  readonly act: Act | undefined
  readonly member: Shown
  readonly point: string
  readonly onClose: () => void
}

/** A change of points in two steps: what would happen, by a dry run, and then the change. */
export function ChangeDialog({ act, member, point, onClose }: ChangeProps) {
  const { change } = useWords()
  return (
    <Dialog
      open={act !== undefined}
      title={act ? change.titles[act] : ''}
      intro={act && change.intros[act]}
      onClose={onClose}
    >
      {act && <ChangeForm act={act} member={member} point={point} onClose={onClose} />}
    </Dialog>
  )
}

export type Asked = {
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

/** Sends it, or asks what it would do. The key stays the same however often it is sent. */
async function send(
  act: Act,
  { client, asked }: { client: Member; asked: Asked },
  how: { readonly dryRun: boolean; readonly idempotencyKey: string },
): Promise<readonly Effect[]> {
  const { point: realmPointId, reason, reference, recipient } = asked
  const tokens = Number(asked.tokens)
  const said = { realmPointId, ...(reason && { reason }), ...(reference && { reference }) }
  const options = { ...said, ...(how.dryRun ? { dryRun: true } : { idempotencyKey: how.idempotencyKey }) }
  if (act === 'transfer' && recipient) {
    const done = await client.transfer(recipient.id, tokens, options)
    return [
      { id: client.id, balance: done.newBalance },
      { id: recipient.id, balance: done.recipientBalance },
    ]
  }
  if (act === 'hold') {
    const { data } = await client.hold(tokens, { ...options, expiresIn: Number(asked.minutes) * 60 })
    return [{ id: client.id, balance: data.newBalance, held: data.held }]
  }
  const { newBalance } = await client.adjust(act === 'take' ? -tokens : tokens, options)
  return [{ id: client.id, balance: newBalance }]
}

function useChange({ act, member, onClose }: ChangeProps & { readonly act: Act }, asked: Asked) {
  const { change } = useWords()
  const format = useFormat()
  const { id: realm, client } = useRealm()
  const queries = useQueryClient()
  const told = useTold()
  const idempotencyKey = useRef(newKey())
  const run = (dryRun: boolean) =>
    send(act, { client: client.member(member.id), asked }, { dryRun, idempotencyKey: idempotencyKey.current })
  const preview = useMutation({ mutationFn: () => run(true) })
  const confirm = useMutation({
    mutationFn: () => run(false),
    onSuccess: () => {
      told(change.done[act](format.number(Number(asked.tokens)), nameOf(member)))
      void queries.invalidateQueries({ queryKey: realmKey(realm) })
      onClose()
    },
  })
  return { preview, confirm }
}

function ChangeForm(props: ChangeProps & { readonly act: Act }) {
  const { act, member, point, onClose } = props
  const { change, shell } = useWords()
  const kinds = useKinds()
  const [tried, setTried] = useState(false)
  const [asked, setAsked] = useState<Asked>({
    tokens: '',
    minutes: '15',
    reason: '',
    reference: '',
    point,
    recipient: null,
  })
  const { preview, confirm } = useChange(props, asked)
  const wrong = {
    tokens: !isWhole(asked.tokens, safe),
    recipient: act === 'transfer' && asked.recipient === null,
    minutes: act === 'hold' && !isWhole(asked.minutes, longestMinutes),
  }
  const submit = () => {
    setTried(true)
    if (preview.data) confirm.mutate()
    else if (!Object.values(wrong).includes(true)) preview.mutate()
  }
  const footer = (
    <>
      <Button onClick={preview.data ? preview.reset : onClose}>
        {preview.data ? change.back : shell.cancel}
      </Button>
      <Button look="primary" type="submit" busy={preview.isPending || confirm.isPending}>
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
      <Refusal error={confirm.error ?? preview.error} />
    </DialogForm>
  )
}

type FieldsProps = {
  readonly act: Act
  readonly asked: Asked
  readonly wrong: { readonly tokens?: boolean; readonly recipient?: boolean; readonly minutes?: boolean }
  readonly onChange: (asked: Asked) => void
}

function Fields({ act, asked, wrong, onChange }: FieldsProps) {
  const { change } = useWords()
  const set = (next: Partial<Asked>) => onChange({ ...asked, ...next })
  return (
    <>
      <TextField
        label={change.tokens}
        value={asked.tokens}
        inputMode="numeric"
        autoComplete="off"
        error={wrong.tokens ? change.tokensWrong : undefined}
        onChange={({ target }) => set({ tokens: target.value.replaceAll(/[\s.,']/g, '') })}
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
