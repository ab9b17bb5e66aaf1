import type { ListedMember, MemberChange, ProfileData } from '@exchequer/sdk'
import { useState } from 'react'
import { firstOfLast } from '../../days.ts'
import { useFormat, useWords } from '../../preferences.tsx'
import { useRealm } from '../../realm.tsx'
import { Ask } from '../../ui/ask.tsx'
import { nameOf } from '../../ui/bits.tsx'
import { Check, TextField } from '../../ui/field.tsx'
import { Progress } from '../../ui/progress.tsx'
import { useMany } from './many.ts'

type Listed = Pick<ListedMember, 'id' | 'username' | 'displayName' | 'hidden'>
type FreezeProps = {
  readonly members: readonly Listed[]
  /** Freezes them, or unfreezes them. */
  readonly frozen: boolean
  readonly onClose: () => void
  readonly onDone?: () => void
}

const noteCap = 2000
const reasonCap = 300

class NoteFull extends Error {}

/** Says what it stops and what it does not, and writes the reason into each member's note. */
export function FreezeDialog({ members, frozen, onClose, onDone = onClose }: FreezeProps) {
  const { freeze: words } = useWords()
  const format = useFormat()
  const { data } = useRealm()
  const [withHidden, setWithHidden] = useState(false)
  const [reason, setReason] = useState('')
  const said = words[frozen ? 'freeze' : 'unfreeze']
  const [first] = members
  const only = members.length === 1 && first ? nameOf(first) : undefined
  const title = only === undefined ? said.titleMany(format.number(members.length)) : said.title(only)
  const line = reason.trim() && said.noteLine(firstOfLast(1, data.timeZone), reason.trim())
  const { change, read } = useMany({
    ids: members.map(({ id }) => id),
    changeOf: (member) => changeOf(member, { frozen, withHidden, line }),
    done: (count) => (only === undefined ? said.doneMany(format.number(count)) : said.done(only)),
    title,
    onDone,
  })
  const noteFull = change.error instanceof NoteFull ? words.noteFull(change.error.message) : undefined
  return (
    <Ask
      open
      danger={frozen}
      title={title}
      label={said.label}
      busy={change.isPending}
      error={noteFull === undefined && change.error}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    >
      {said.effects.map((effect) => (
        <p key={effect}>{effect}</p>
      ))}
      {members.some(({ hidden }) => hidden !== frozen) ? (
        <Check label={said.option} hint={said.optionHint} checked={withHidden} onChange={setWithHidden} />
      ) : (
        <p>{said.optionDone}</p>
      )}
      <TextField
        label={words.reason}
        hint={words.reasonHint}
        optional
        maxLength={reasonCap}
        value={reason}
        error={noteFull}
        onChange={({ target }) => setReason(target.value)}
      />
      {change.isPending && members.length > 1 && (
        <Progress label={title} done={read} all={members.length}>
          {words.reading(format.number(read), format.number(members.length))}
        </Progress>
      )}
    </Ask>
  )
}

type Wanted = { readonly frozen: boolean; readonly withHidden: boolean; readonly line: string }

function changeOf(member: ProfileData, { frozen, withHidden, line }: Wanted): MemberChange | undefined {
  const isSame = member.frozen === frozen
  const isSeenAsWanted = !withHidden || member.hidden === frozen
  if (isSame && isSeenAsWanted) return undefined
  const note = line && [member.note, line].filter(Boolean).join('\n')
  if (note.length > noteCap) throw new NoteFull(nameOf(member))
  return { frozen, ...(withHidden && { hidden: frozen }), ...(note && { note }) }
}
