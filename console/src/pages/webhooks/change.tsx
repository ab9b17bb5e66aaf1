import type { WebhookChange, WebhookData } from '@exchequer/sdk'
import { useState } from 'react'
import { useAct } from '../../act.ts'
import { changedOf } from '../../changed.ts'
import { useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { AskButtons } from '../../ui/ask.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { draftOf, faultsOf, settingsOf } from './draft.ts'
import { FormBody, WebhookFields } from './form.tsx'

type ChangeProps = { readonly of: WebhookData; readonly open: boolean; readonly onClose: () => void }

export function ChangeWebhook({ of: webhook, open, onClose }: ChangeProps) {
  const { webhooks: words } = useWords()
  return (
    <Dialog open={open} title={words.changeTitle} onClose={onClose}>
      <ChangeForm of={webhook} onClose={onClose} />
    </Dialog>
  )
}

function ChangeForm({ of: webhook, onClose }: Omit<ChangeProps, 'open'>) {
  const { shell } = useWords()
  const { id, client } = useRealm()
  const [before] = useState(() => draftOf(webhook))
  const [draft, setDraft] = useState(before)
  const [attempt, setAttempt] = useState(0)
  const change = useAct((wanted: WebhookChange) => client.webhooks.change(webhook.id, wanted), {
    key: [...realmKey(id), 'webhooks'],
    done: shell.saved,
    onDone: onClose,
  })
  const faults = faultsOf(draft)
  const submit = () => {
    setAttempt(attempt + 1)
    if (faults.length > 0) return
    const changed = changedOf(settingsOf(before), settingsOf(draft))
    if (Object.keys(changed).length === 0) onClose()
    else change.mutate(changed)
  }
  const footer = <AskButtons label={shell.save} busy={change.isPending} onClose={onClose} />
  return (
    <DialogForm onSubmit={submit} footer={footer}>
      <FormBody attempt={attempt} error={change.error}>
        <WebhookFields draft={draft} faults={attempt > 0 ? faults : []} onChange={setDraft} />
      </FormBody>
    </DialogForm>
  )
}
