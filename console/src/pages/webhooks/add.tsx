import type { NewWebhook } from '@exchequer/sdk'
import { useState } from 'react'
import { useAct } from '../../act.ts'
import { useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { AskButtons } from '../../ui/ask.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { emptyDraft, faultsOf, settingsOf } from './draft.ts'
import { FormBody, WebhookFields } from './form.tsx'
import { nameOf, type OnSecret } from './state.ts'

type AddProps = { readonly open: boolean; readonly onMade: OnSecret; readonly onClose: () => void }

export function AddWebhook({ open, onMade, onClose }: AddProps) {
  const { webhooks: words } = useWords()
  return (
    <Dialog open={open} title={words.add} intro={words.addIntro} onClose={onClose}>
      <AddForm onMade={onMade} onClose={onClose} />
    </Dialog>
  )
}

function AddForm({ onMade, onClose }: Omit<AddProps, 'open'>) {
  const { webhooks: words } = useWords()
  const { id, client } = useRealm()
  const [draft, setDraft] = useState(emptyDraft)
  const [attempt, setAttempt] = useState(0)
  const add = useAct((wanted: NewWebhook) => client.webhooks.create(wanted), {
    key: [...realmKey(id), 'webhooks'],
    onDone: (made) => {
      onMade({ title: words.created(nameOf(made)), secret: made.secret })
      onClose()
    },
  })
  const faults = faultsOf(draft)
  const submit = () => {
    setAttempt(attempt + 1)
    if (faults.length === 0) add.mutate(settingsOf(draft))
  }
  const footer = <AskButtons label={words.add} busy={add.isPending} onClose={onClose} />
  return (
    <DialogForm onSubmit={submit} footer={footer}>
      <FormBody attempt={attempt} error={add.error}>
        <WebhookFields draft={draft} faults={attempt > 0 ? faults : []} onChange={setDraft} />
      </FormBody>
    </DialogForm>
  )
}
