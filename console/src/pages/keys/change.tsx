import type { KeyChange, KeyData } from '@exchequer/sdk'
import { useState } from 'react'
import { useAct } from '../../act.ts'
import { useFormat, useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { AskButtons } from '../../ui/ask.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Refusal } from '../../ui/states.tsx'
import { type Expiry, ExpiryField, endOf } from './expiry.tsx'
import { areLimits, changedLimits, draftOf, LimitFields } from './limits.tsx'

type ChangeProps = { readonly of: KeyData; readonly open: boolean; readonly onClose: () => void }

export function ChangeKey({ of: key, open, onClose }: ChangeProps) {
  const { keys: words } = useWords()
  return (
    <Dialog open={open} title={words.changeTitle(key.name || key.id)} onClose={onClose}>
      <ChangeForm of={key} onClose={onClose} />
    </Dialog>
  )
}

function ChangeForm({ of: key, onClose }: Omit<ChangeProps, 'open'>) {
  const { keys: words, shell } = useWords()
  const format = useFormat()
  const { id, client } = useRealm()
  const [name, setName] = useState(key.name)
  const [expiry, setExpiry] = useState<Expiry>({ length: 'same', day: '' })
  const [limits, setLimits] = useState(draftOf(key))
  const [asked, setAsked] = useState(false)
  const change = useAct((wanted: KeyChange) => client.keys.change(key.id, wanted), {
    key: [...realmKey(id), 'keys'],
    done: shell.saved,
    onDone: onClose,
  })
  const end = expiry.length === 'same' ? undefined : endOf(expiry)
  const isWrong = expiry.length !== 'same' && end === undefined
  const submit = () => {
    setAsked(true)
    if (name.trim() === '' || isWrong || !areLimits(limits)) return
    const ends = end === undefined ? {} : { expiresAt: end }
    change.mutate({ name: name.trim(), ...ends, ...changedLimits(limits, key) })
  }
  const now = key.expiresAt ? format.moment(key.expiresAt) : words.untilRevoked
  const footer = <AskButtons label={shell.save} busy={change.isPending} onClose={onClose} />
  return (
    <DialogForm onSubmit={submit} footer={footer}>
      <TextField
        label={words.name}
        maxLength={100}
        value={name}
        error={asked && name.trim() === '' ? words.nameMissing : undefined}
        onChange={({ target }) => setName(target.value)}
      />
      <ExpiryField
        value={expiry}
        same={`${words.asItIs}: ${now}`}
        error={asked && isWrong ? words.dayWrong : undefined}
        onChange={setExpiry}
      />
      <LimitFields value={limits} asked={asked} onChange={setLimits} />
      <Refusal error={change.error} />
    </DialogForm>
  )
}
