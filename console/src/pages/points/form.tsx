import type { NewPoint } from '@exchequer/sdk'
import { useState } from 'react'
import { useAct } from '../../act.ts'
import { useWords } from '../../preferences.tsx'
import { type PointKind, realmKey, useRealm } from '../../realm.tsx'
import { AskButtons } from '../../ui/ask.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { Check, TextField } from '../../ui/field.tsx'
import { Refusal } from '../../ui/states.tsx'
import { draftOf, faultsOf, limits, type PointDraft, rulesOf } from './draft.ts'

type DialogProps = { readonly open: boolean; readonly onClose: () => void }

export function AddKind({ open, onClose }: DialogProps) {
  const { points: words } = useWords()
  return (
    <Dialog open={open} title={words.add} onClose={onClose}>
      <AddForm onClose={onClose} />
    </Dialog>
  )
}

type ChangeProps = DialogProps & { readonly kind: PointKind }

export function ChangeKind({ kind, open, onClose }: ChangeProps) {
  const { points: words } = useWords()
  return (
    <Dialog open={open} title={words.changeTitle(kind.name)} intro={words.changeHint} onClose={onClose}>
      <ChangeForm kind={kind} onClose={onClose} />
    </Dialog>
  )
}

function AddForm({ onClose }: Pick<DialogProps, 'onClose'>) {
  const { points: words } = useWords()
  const { id: realm, client } = useRealm()
  const [draft, setDraft] = useState(draftOf(undefined))
  const [asked, setAsked] = useState(false)
  const add = useAct((wanted: NewPoint) => client.points.create(wanted), {
    key: realmKey(realm),
    done: words.added(draft.name),
    onDone: onClose,
  })
  const submit = () => {
    setAsked(true)
    if (faultsOf(draft).length === 0) add.mutate({ ...rulesOf(draft), ...(draft.id && { id: draft.id }) })
  }
  return (
    <DialogForm
      onSubmit={submit}
      footer={<AskButtons label={words.add} busy={add.isPending} onClose={onClose} />}
    >
      <Fields draft={draft} asked={asked} onChange={setDraft} />
      <TextField
        label={words.id}
        hint={words.idHint}
        optional
        autoComplete="off"
        value={draft.id}
        error={asked && faultsOf(draft).includes('id') ? words.idWrong : undefined}
        onChange={({ target }) => setDraft({ ...draft, id: target.value.trim() })}
      />
      <Refusal error={add.error} />
    </DialogForm>
  )
}

function ChangeForm({ kind, onClose }: Omit<ChangeProps, 'open'>) {
  const { shell } = useWords()
  const { id: realm, client } = useRealm()
  const [draft, setDraft] = useState(draftOf(kind))
  const [asked, setAsked] = useState(false)
  const change = useAct(() => client.points.change(kind.id, rulesOf(draft)), {
    key: realmKey(realm),
    done: shell.saved,
    onDone: onClose,
  })
  const submit = () => {
    setAsked(true)
    if (faultsOf(draft).length === 0) change.mutate()
  }
  return (
    <DialogForm
      onSubmit={submit}
      footer={<AskButtons label={shell.save} busy={change.isPending} onClose={onClose} />}
    >
      <Fields draft={draft} asked={asked} onChange={setDraft} />
      <Refusal error={change.error} />
    </DialogForm>
  )
}

type FieldsProps = {
  readonly draft: PointDraft
  readonly asked: boolean
  readonly onChange: (draft: PointDraft) => void
}

function Fields({ draft, asked, onChange }: FieldsProps) {
  const { points: words } = useWords()
  const faults = asked ? faultsOf(draft) : []
  return (
    <>
      <TextField
        label={words.name}
        maxLength={100}
        value={draft.name}
        error={faults.includes('name') ? words.nameMissing : undefined}
        onChange={({ target }) => onChange({ ...draft, name: target.value })}
      />
      <TextField
        label={words.emoji}
        hint={words.emojiHint}
        optional
        maxLength={64}
        value={draft.emoji}
        onChange={({ target }) => onChange({ ...draft, emoji: target.value })}
      />
      <Check
        label={words.transferable}
        checked={draft.transferable}
        onChange={(transferable) => onChange({ ...draft, transferable })}
      />
      <fieldset className="flex flex-col gap-3">
        <legend className="mb-1 font-medium text-sm">{words.limits}</legend>
        <p className="-mt-2 text-muted text-sm">{words.limitHint}</p>
        {limits.map((name) => (
          <TextField
            key={name}
            label={words[name]}
            inputMode="numeric"
            autoComplete="off"
            value={draft[name]}
            error={faults.includes(name) ? words.limitWrong : undefined}
            onChange={({ target }) => onChange({ ...draft, [name]: target.value.trim() })}
          />
        ))}
      </fieldset>
    </>
  )
}
