import type { PersonData } from '@exchequer/sdk'
import { useState } from 'react'
import { useAct } from '../../act.ts'
import { useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { useSession } from '../../signedIn.ts'
import { Ask } from '../../ui/ask.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { Notice } from '../../ui/states.tsx'
import type { Circle, OnCreate } from './circle.ts'
import { calledOf } from './columns.tsx'
import { NewLink } from './newLink.tsx'
import { ChangeRole } from './role.tsx'

type ActionsProps = { readonly person: PersonData; readonly circle: Circle; readonly onMade: OnCreate }

export function PersonActions({ person, circle, onMade }: ActionsProps) {
  const words = useWords()
  const [act, setAct] = useState<'role' | 'link' | 'remove'>()
  const close = () => setAct(undefined)
  const name = calledOf(person, words)
  const trigger = <IconButton icon="dots" label={words.shell.actions(name)} className="-my-1" />
  return (
    <>
      <Menu trigger={trigger}>
        <MenuItem icon="edit" onSelect={() => setAct('role')}>
          {words.people.changeRole}
        </MenuItem>
        {person.signsInBy === 'link' && (
          <MenuItem icon="link" onSelect={() => setAct('link')}>
            {words.people.newLink}
          </MenuItem>
        )}
        <MenuLine />
        <MenuItem icon="close" danger onSelect={() => setAct('remove')}>
          {words.people.remove}
        </MenuItem>
      </Menu>
      <ChangeRole key={person.role} person={person} open={act === 'role'} onClose={close} />
      <NewLink person={person} circle={circle} open={act === 'link'} onMade={onMade} onClose={close} />
      <Remove person={person} open={act === 'remove'} onClose={close} />
    </>
  )
}

type RemoveProps = { readonly person: PersonData; readonly open: boolean; readonly onClose: () => void }

function Remove({ person, open, onClose }: RemoveProps) {
  const words = useWords()
  const { id, client } = useRealm()
  const name = calledOf(person, words)
  const isYou = useSession().person.id === person.id
  const remove = useAct(() => client.people.remove(person.id), {
    key: realmKey(id),
    done: words.people.removed(name),
    onDone: onClose,
  })
  return (
    <Ask
      open={open}
      title={words.people.removeTitle(name)}
      label={words.people.remove}
      danger
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{words.people.removeText}</p>
      {isYou && <Notice tone="warn">{words.people.removeSelf}</Notice>}
    </Ask>
  )
}
