import { ExchequerError } from '@exchequer/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useWords } from '../../preferences.tsx'
import { renew, useRealm } from '../../realm.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Refusal } from '../../ui/states.tsx'
import { useSuccessToast } from '../../ui/toast.tsx'
import { isIdentity, isMemberId } from './memberId.ts'

type AddProps = { readonly open: boolean; readonly onClose: () => void }

export function AddMember({ open, onClose }: AddProps) {
  const { members: words } = useWords()
  return (
    <Dialog open={open} title={words.add} intro={words.addIntro} onClose={onClose}>
      <AddForm onClose={onClose} />
    </Dialog>
  )
}

function AddForm({ onClose }: Pick<AddProps, 'onClose'>) {
  const { members: words, shell } = useWords()
  const { id: realm, client } = useRealm()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const showSuccess = useSuccessToast()
  const [asked, setAsked] = useState(false)
  const [id, setId] = useState('')
  const [username, setUsername] = useState('')
  const [displayName, setDisplayName] = useState('')
  const add = useMutation({
    mutationFn: async () => {
      const { data } = await client.members.list({ id }).page()
      // A PUT would rename the member who has this ID.
      if (data.length > 0) throw new ExchequerError({ status: 409, code: 'already_exists', detail: id })
      return client.member(id).put({ ...(username && { username }), ...(displayName && { displayName }) })
    },
    onSuccess: async ({ id: member }) => {
      void renew(queries, realm)
      showSuccess(words.added(displayName || username || id))
      onClose()
      await navigate({ to: '/r/$realm/members/$member', params: { realm, member } })
    },
  })
  const isValid = isMemberId(id) || isIdentity(id)
  const submit = () => {
    setAsked(true)
    if (isValid) add.mutate()
  }
  const footer = (
    <>
      <Button onClick={onClose}>{shell.cancel}</Button>
      <Button look="primary" type="submit" busy={add.isPending}>
        {words.add}
      </Button>
    </>
  )
  return (
    <DialogForm onSubmit={submit} footer={footer}>
      <TextField
        label={words.idField}
        value={id}
        autoComplete="off"
        error={asked && !isValid ? words.idWrong : undefined}
        onChange={({ target }) => setId(target.value.trim())}
      />
      <TextField
        label={words.displayName}
        optional
        maxLength={100}
        value={displayName}
        onChange={({ target }) => setDisplayName(target.value)}
      />
      <TextField
        label={words.username}
        optional
        maxLength={100}
        value={username}
        onChange={({ target }) => setUsername(target.value)}
      />
      <Refusal error={add.error} />
    </DialogForm>
  )
}
