import type { NewRealm } from '@exchequer/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAct } from '../../act.ts'
import { useApp } from '../../app.tsx'
import { useWords } from '../../preferences.tsx'
import { AskButtons } from '../../ui/ask.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Refusal } from '../../ui/states.tsx'
import { isRealmId } from './find.ts'

type CreateProps = { readonly open: boolean; readonly onClose: () => void }

export function CreateRealm({ open, onClose }: CreateProps) {
  const { realms: words } = useWords()
  return (
    <Dialog open={open} title={words.create} intro={words.createIntro} onClose={onClose}>
      <CreateForm onClose={onClose} />
    </Dialog>
  )
}

function CreateForm({ onClose }: Pick<CreateProps, 'onClose'>) {
  const { realms: words } = useWords()
  const { session } = useApp()
  const navigate = useNavigate()
  const [asked, setAsked] = useState(false)
  const [name, setName] = useState('')
  const [point, setPoint] = useState(words.pointUsual)
  const [id, setId] = useState('')
  const create = useAct((wanted: NewRealm) => session.operator().createRealm(wanted), {
    key: ['realms'],
    done: words.made(name),
    onDone: (made) => {
      onClose()
      void navigate({ to: '/r/$realm', params: { realm: made.id } })
    },
  })
  const isIdWrong = id !== '' && !isRealmId(id)
  const submit = () => {
    setAsked(true)
    if (name.trim() === '' || isIdWrong) return
    create.mutate({
      name: name.trim(),
      point: { name: point.trim() || words.pointUsual },
      ...(id === '' ? {} : { id }),
    })
  }
  return (
    <DialogForm
      onSubmit={submit}
      footer={<AskButtons label={words.create} busy={create.isPending} onClose={onClose} />}
    >
      <TextField
        label={words.name}
        maxLength={100}
        autoComplete="off"
        value={name}
        error={asked && name.trim() === '' ? words.nameMissing : undefined}
        onChange={({ target }) => setName(target.value)}
      />
      <TextField
        label={words.point}
        hint={words.pointHint}
        maxLength={100}
        autoComplete="off"
        value={point}
        onChange={({ target }) => setPoint(target.value)}
      />
      <TextField
        label={words.id}
        hint={words.idHint}
        optional
        autoComplete="off"
        value={id}
        error={asked && isIdWrong ? words.idWrong : undefined}
        onChange={({ target }) => setId(target.value.trim())}
      />
      <Refusal error={create.error} />
    </DialogForm>
  )
}
