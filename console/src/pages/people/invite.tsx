import type { Role } from '@exchequer/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAct } from '../../act.ts'
import { useApp } from '../../app.tsx'
import { useWords } from '../../preferences.tsx'
import { AskButtons } from '../../ui/ask.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Refusal } from '../../ui/states.tsx'
import type { Circle, InvitationInput, OnCreate } from './circle.ts'
import { RoleChoice } from './role.tsx'

type InviteProps = {
  readonly circle: Circle
  readonly open: boolean
  readonly title?: string
  readonly intro?: string
  readonly onMade: OnCreate
  readonly onClose: () => void
}

export function Invite({ open, title, intro, onClose, ...rest }: InviteProps) {
  const { people: words } = useWords()
  return (
    <Dialog open={open} title={title ?? words.invite} intro={intro ?? words.inviteIntro} onClose={onClose}>
      <InviteForm {...rest} label={title ?? words.invite} onClose={onClose} />
    </Dialog>
  )
}

const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254

type FormProps = Omit<InviteProps, 'open' | 'title' | 'intro'> & { readonly label: string }

function InviteForm({ circle, label, onMade, onClose }: FormProps) {
  const { people: words } = useWords()
  const { session } = useApp()
  // Without a sign-in provider an address has no use: people sign in only by link.
  const options = useQuery({ queryKey: ['sign-in options'], queryFn: () => session.options() })
  const [asked, setAsked] = useState(false)
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const invite = useAct((given: InvitationInput) => circle.invite(given), {
    key: circle.key,
    onDone: (made) => {
      onMade({ title: words.invited(made.name), link: made.link, expiresAt: made.expiresAt })
      onClose()
    },
  })
  const isMailWrong = email !== '' && !isEmail(email)
  const submit = () => {
    setAsked(true)
    if (name.trim() !== '' && !isMailWrong)
      invite.mutate({ name: name.trim(), role, ...(email && { email }) })
  }
  return (
    <DialogForm
      onSubmit={submit}
      footer={<AskButtons label={label} busy={invite.isPending} onClose={onClose} />}
    >
      <TextField
        label={words.name}
        hint={words.nameHint}
        maxLength={100}
        autoComplete="off"
        value={name}
        error={asked && name.trim() === '' ? words.nameMissing : undefined}
        onChange={({ target }) => setName(target.value)}
      />
      {options.data?.provider && (
        <TextField
          label={words.email}
          hint={words.emailHint}
          optional
          type="email"
          autoComplete="off"
          value={email}
          error={asked && isMailWrong ? words.emailWrong : undefined}
          onChange={({ target }) => setEmail(target.value.trim())}
        />
      )}
      {circle.hasRoles && <RoleChoice value={role} onChoose={setRole} />}
      <Refusal error={invite.error} />
    </DialogForm>
  )
}
