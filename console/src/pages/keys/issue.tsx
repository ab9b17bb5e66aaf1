import type { NewKey, Scope } from '@exchequer/sdk'
import { useState } from 'react'
import { useAct } from '../../act.ts'
import { useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { AskButtons } from '../../ui/ask.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Refusal } from '../../ui/states.tsx'
import { type Expiry, ExpiryField, endOf } from './expiry.tsx'
import { areLimits, changedLimits, draftOf, LimitFields } from './limits.tsx'
import { ScopeChoice } from './scopes.tsx'
import type { OnCreate } from './state.ts'

type IssueProps = { readonly open: boolean; readonly onMade: OnCreate; readonly onClose: () => void }

export function IssueKey({ open, onMade, onClose }: IssueProps) {
  const { keys: words } = useWords()
  return (
    <Dialog open={open} title={words.issue} intro={words.issueIntro} onClose={onClose}>
      <IssueForm onMade={onMade} onClose={onClose} />
    </Dialog>
  )
}

const usual: Scope[] = ['members:read', 'wallets:read', 'points:write']

function IssueForm({ onMade, onClose }: Omit<IssueProps, 'open'>) {
  const { keys: words } = useWords()
  const { id, client } = useRealm()
  const [asked, setAsked] = useState(false)
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState(usual)
  const [expiry, setExpiry] = useState<Expiry>({ length: 'never', day: '' })
  const [limits, setLimits] = useState(draftOf())
  const issue = useAct((wanted: NewKey) => client.keys.issue(wanted), {
    key: [...realmKey(id), 'keys'],
    onDone: (made) => {
      onMade({ title: words.issued(made.name), key: made.key })
      onClose()
    },
  })
  const submit = () => {
    setAsked(true)
    const end = endOf(expiry)
    if (name.trim() === '' || scopes.length === 0 || end === undefined || !areLimits(limits)) return
    const ends = end === 'never' ? {} : { expiresAt: end }
    issue.mutate({ name: name.trim(), scopes, ...ends, ...changedLimits(limits) })
  }
  const footer = <AskButtons label={words.issue} busy={issue.isPending} onClose={onClose} />
  return (
    <DialogForm onSubmit={submit} footer={footer}>
      <TextField
        label={words.name}
        hint={words.nameHint}
        maxLength={100}
        autoComplete="off"
        value={name}
        error={asked && name.trim() === '' ? words.nameMissing : undefined}
        onChange={({ target }) => setName(target.value)}
      />
      <ScopeChoice
        chosen={scopes}
        error={asked && scopes.length === 0 ? words.scopesMissing : undefined}
        onChoose={setScopes}
      />
      <ExpiryField
        value={expiry}
        error={asked && endOf(expiry) === undefined ? words.dayWrong : undefined}
        onChange={setExpiry}
      />
      <LimitFields value={limits} asked={asked} onChange={setLimits} />
      <Refusal error={issue.error} />
    </DialogForm>
  )
}
