import type { WebhookData } from '@exchequer/sdk'
import { useState } from 'react'
import { useAct } from '../../act.ts'
import { useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { Ask } from '../../ui/ask.tsx'
import { SelectField } from '../../ui/field.tsx'
import type { OnSecret } from './state.ts'

type RotateProps = {
  readonly of: WebhookData
  readonly open: boolean
  readonly onMade: OnSecret
  readonly onClose: () => void
}

const usualOverlap = '86400'

/** Replaces the secret. Both sign for a while, so that no event is rejected. */
export function RotateSecret({ of: webhook, open, onMade, onClose }: RotateProps) {
  const { webhooks: words } = useWords()
  const { id, client } = useRealm()
  const [overlap, setOverlap] = useState(usualOverlap)
  const rotate = useAct(() => client.webhooks.rotateSecret(webhook.id, { overlapSeconds: Number(overlap) }), {
    key: [...realmKey(id), 'webhooks'],
    onDone: ({ secret }) => {
      onMade({ title: words.rotated, secret })
      onClose()
    },
  })
  return (
    <Ask
      open={open}
      title={words.rotateTitle}
      label={words.rotate}
      busy={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate()}
      onClose={onClose}
    >
      <p className="text-muted">{words.rotateIntro}</p>
      <SelectField
        label={words.overlap}
        value={overlap}
        choices={Object.entries(words.overlaps).map(([value, label]) => ({ value, label }))}
        onChange={({ target }) => setOverlap(target.value)}
      />
    </Ask>
  )
}
