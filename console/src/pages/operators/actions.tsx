import type { IssuedByPerson, OperatorData, Operators } from '@exchequer/sdk'
import { useState } from 'react'
import { useAct } from '../../act.ts'
import { sessionKey, useApp } from '../../app.tsx'
import { useWords } from '../../preferences.tsx'
import { useSession } from '../../signedIn.ts'
import { Ask } from '../../ui/ask.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { Notice } from '../../ui/states.tsx'
import type { Circle, OnCreate } from '../people/circle.ts'
import { calledOf } from '../people/columns.tsx'
import { NewLink } from '../people/newLink.tsx'
import { isAnyLeft, type OnLeft } from './left.tsx'

type ActionsProps = {
  readonly person: OperatorData
  readonly circle: Circle
  readonly onMade: OnCreate
  readonly onLeft: OnLeft
}

export function OperatorActions({ person, circle, onMade, onLeft }: ActionsProps) {
  const words = useWords()
  const [act, setAct] = useState<'link' | 'remove'>()
  const close = () => setAct(undefined)
  const trigger = (
    <IconButton icon="dots" label={words.shell.actions(calledOf(person, words))} className="-my-1" />
  )
  return (
    <>
      <Menu trigger={trigger}>
        <MenuItem icon="link" onSelect={() => setAct('link')}>
          {words.people.newLink}
        </MenuItem>
        <MenuLine />
        <MenuItem icon="close" danger onSelect={() => setAct('remove')}>
          {words.operators.remove}
        </MenuItem>
      </Menu>
      <NewLink person={person} circle={circle} open={act === 'link'} onMade={onMade} onClose={close} />
      <Remove person={person} open={act === 'remove'} onLeft={onLeft} onClose={close} />
    </>
  )
}

type RemoveProps = Pick<ActionsProps, 'person' | 'onLeft'> & {
  readonly open: boolean
  readonly onClose: () => void
}

/** Their keys and tokens are read first: operators who remove themselves can read nothing afterwards. */
async function forget(people: Operators, id: string): Promise<IssuedByPerson> {
  const issued = await people.issued(id)
  await people.forget(id)
  return issued
}

function Remove({ person, open, onLeft, onClose }: RemoveProps) {
  const words = useWords()
  const { session } = useApp()
  const name = calledOf(person, words)
  const isYou = useSession().person.id === person.id
  const remove = useAct(() => forget(session.operator().people, person.id), {
    key: isYou ? sessionKey : ['operators'],
    done: words.operators.removed(name),
    onDone: (issued) => {
      if (isAnyLeft(issued)) onLeft({ name, issued })
      onClose()
    },
  })
  return (
    <Ask
      open={open}
      title={words.operators.removeTitle(name)}
      label={words.operators.remove}
      danger
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{words.operators.removeText}</p>
      {isYou && <Notice tone="warn">{words.operators.removeSelf}</Notice>}
    </Ask>
  )
}
