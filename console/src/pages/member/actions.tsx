import type { ProfileData } from '@exchequer/sdk'
import { useState } from 'react'
import { changedOf } from '../../changed.ts'
import { useWords } from '../../preferences.tsx'
import { useRealm } from '../../realm.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { Refusal } from '../../ui/states.tsx'
import { EraseDialog } from './erase.tsx'
import { FreezeDialog } from './freeze.tsx'
import { GainsDialog } from './gainsDialog.tsx'
import { MergeDialog } from './merge.tsx'
import { usePut } from './put.ts'

type ActionsProps = {
  readonly member: ProfileData
  /** The open dialog, if it is one of these. */
  readonly act: string | undefined
  readonly onAct: (act: 'freeze' | 'unfreeze' | 'edit' | undefined) => void
}

export function MemberActions({ member, act, onAct }: ActionsProps) {
  const { member: words, merge: merging, freeze: freezing, gains, erase } = useWords()
  const { can } = useRealm()
  const [opened, setOpened] = useState<'merge' | 'gains' | 'erase'>()
  const close = () => setOpened(undefined)
  const put = usePut(member.id)
  const other = member.frozen ? 'unfreeze' : 'freeze'
  return (
    <>
      <Menu trigger={<Button icon="dots" aria-label={words.more} busy={put.isPending} />}>
        <MenuItem icon="edit" onSelect={() => onAct('edit')}>
          {words.edit}
        </MenuItem>
        <MenuItem icon="snow" onSelect={() => onAct(other)}>
          {freezing[other].label}
        </MenuItem>
        <MenuItem icon="eyeoff" onSelect={() => put.mutate({ hidden: !member.hidden })}>
          {member.hidden ? words.show : words.hide}
        </MenuItem>
        {can('points:write') && (
          <MenuItem icon="undo" onSelect={() => setOpened('gains')}>
            {gains.action}
          </MenuItem>
        )}
        {can('realm:admin') && (
          <>
            <MenuItem icon="link" onSelect={() => setOpened('merge')}>
              {merging.action}
            </MenuItem>
            <MenuLine />
            <MenuItem icon="close" danger onSelect={() => setOpened('erase')}>
              {erase.action}
            </MenuItem>
          </>
        )}
      </Menu>
      <EditMember member={member} open={act === 'edit'} onClose={() => onAct(undefined)} />
      {act === other && (
        <FreezeDialog members={[member]} frozen={!member.frozen} onClose={() => onAct(undefined)} />
      )}
      {opened === 'merge' && <MergeDialog member={member} onClose={close} />}
      {opened === 'erase' && <EraseDialog member={member} onClose={close} />}
      {opened === 'gains' && <GainsDialog member={member} onClose={close} />}
    </>
  )
}

type EditProps = { readonly member: ProfileData; readonly open: boolean; readonly onClose: () => void }

export function EditMember({ member, open, onClose }: EditProps) {
  const { member: words } = useWords()
  return (
    <Dialog open={open} title={words.editTitle} onClose={onClose}>
      <EditForm member={member} onClose={onClose} />
    </Dialog>
  )
}

function EditForm({ member, onClose }: Omit<EditProps, 'open'>) {
  const { members: names, member: words, shell } = useWords()
  const [displayName, setDisplayName] = useState(member.displayName ?? '')
  const [username, setUsername] = useState(member.username ?? '')
  const [note, setNote] = useState(member.note ?? '')
  const [before] = useState({ displayName, username, note })
  const put = usePut(member.id, { onDone: onClose })
  const submit = () => {
    const change = changedOf(before, { displayName, username, note })
    if (Object.keys(change).length === 0) onClose()
    else put.mutate(change)
  }
  const footer = (
    <>
      <Button onClick={onClose}>{shell.cancel}</Button>
      <Button look="primary" type="submit" busy={put.isPending}>
        {shell.save}
      </Button>
    </>
  )
  return (
    <DialogForm onSubmit={submit} footer={footer}>
      <TextField
        label={names.displayName}
        optional
        maxLength={100}
        value={displayName}
        onChange={({ target }) => setDisplayName(target.value)}
      />
      <TextField
        label={names.username}
        optional
        maxLength={100}
        value={username}
        onChange={({ target }) => setUsername(target.value)}
      />
      <TextArea
        label={words.note}
        hint={words.noteHint}
        optional
        rows={4}
        maxLength={2000}
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
      <Refusal error={put.error} />
    </DialogForm>
  )
}
