import type { PersonData, Role } from '@exchequer/sdk'
import { useState } from 'react'
import { useAct } from '../../act.ts'
import { useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { useSession } from '../../signedIn.ts'
import { Ask } from '../../ui/ask.tsx'
import { Radios } from '../../ui/radios.tsx'
import { Notice } from '../../ui/states.tsx'
import { calledOf } from './columns.tsx'

const roles = ['viewer', 'manager', 'owner'] as const

type RoleProps = { readonly value: Role; readonly onChoose: (role: Role) => void }

export function RoleChoice({ value, onChoose }: RoleProps) {
  const { people: words, shell } = useWords()
  return (
    <Radios
      label={words.role}
      value={value}
      choices={roles.map((role) => ({ value: role, label: shell.roles[role], hint: words.roles[role] }))}
      onChoose={onChoose}
    />
  )
}

type ChangeProps = { readonly person: PersonData; readonly open: boolean; readonly onClose: () => void }

export function ChangeRole({ person, open, onClose }: ChangeProps) {
  const words = useWords()
  const { id, client } = useRealm()
  const [role, setRole] = useState<Role>(person.role)
  const name = calledOf(person, words)
  const isYou = useSession().person.id === person.id
  const change = useAct(() => client.people.change(person.id, role), {
    key: realmKey(id),
    done: words.people.roleChanged(name, words.shell.roles[role]),
    onDone: onClose,
  })
  return (
    <Ask
      open={open}
      title={words.people.changeTitle(name)}
      label={words.shell.save}
      busy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    >
      <RoleChoice value={role} onChoose={setRole} />
      {isYou && person.role === 'owner' && role !== 'owner' && (
        <Notice tone="warn">{words.people.ownRole}</Notice>
      )}
    </Ask>
  )
}
