import type { ProfileData } from '@exchequer/sdk'
import { useState } from 'react'
import { useWords } from '../../preferences.tsx'
import { Ask } from '../../ui/ask.tsx'
import { nameOf } from '../../ui/bits.tsx'
import { Check } from '../../ui/field.tsx'
import { usePut } from './put.ts'

type FreezeProps = { readonly member: ProfileData; readonly onClose: () => void }

/** Asks before freezing, and says what a freeze stops and what it does not. */
export function Freeze({ member, onClose }: FreezeProps) {
  const { member: words } = useWords()
  const [alsoHide, setAlsoHide] = useState(false)
  const name = nameOf(member)
  const put = usePut(member.id, { done: words.frozenNow(name), onDone: onClose })
  return (
    <Ask
      open
      danger
      title={words.freezeTitle(name)}
      label={words.freeze}
      busy={put.isPending}
      error={put.error}
      onConfirm={() => put.mutate({ frozen: true, ...(alsoHide && { hidden: true }) })}
      onClose={onClose}
    >
      <p>{words.freezeStops}</p>
      <p>{words.freezeAllows}</p>
      {member.hidden ? (
        <p>{words.freezeHidden}</p>
      ) : (
        <Check
          label={words.freezeAlsoHide}
          hint={words.freezeAlsoHideHint}
          checked={alsoHide}
          onChange={setAlsoHide}
        />
      )}
    </Ask>
  )
}
