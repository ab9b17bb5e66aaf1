import type { KeyData } from '@exchequer/sdk'
import { useState } from 'react'
import { useAct } from '../../act.ts'
import { useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { Ask } from '../../ui/ask.tsx'
import { SelectField } from '../../ui/field.tsx'
import type { OnCreate } from './state.ts'

type RotateProps = {
  readonly of: KeyData
  readonly open: boolean
  readonly onMade: OnCreate
  readonly onClose: () => void
}

const usualOverlap = '86400'

/** Replaces a key. Both work for a while, so that programs have no downtime. */
export function RotateKey({ of: key, open, onMade, onClose }: RotateProps) {
  const { keys: words } = useWords()
  const { id, client } = useRealm()
  const [overlap, setOverlap] = useState(usualOverlap)
  const name = key.name || key.id
  const rotate = useAct(() => client.keys.rotate(key.id, { overlapSeconds: Number(overlap) }), {
    key: [...realmKey(id), 'keys'],
    onDone: (made) => {
      onMade({ title: words.rotated(name), key: made.key })
      onClose()
    },
  })
  return (
    <Ask
      open={open}
      title={words.rotateTitle(name)}
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
