import type { ProfileData } from '@exchequer/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useFormat, useWords } from '../../preferences.tsx'
import { realmKey, renew, useRealm } from '../../realm.tsx'
import { useShown } from '../../shown.ts'
import { AskButtons } from '../../ui/ask.tsx'
import { nameOf } from '../../ui/bits.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Icon } from '../../ui/icons.tsx'
import { kindName } from '../../ui/kinds.tsx'
import { Notice, Refusal } from '../../ui/states.tsx'
import { useFailed, useSuccessToast } from '../../ui/toast.tsx'

type EraseProps = { readonly member: ProfileData; readonly onClose: () => void }

/** Erases a member for good: says what that reaches and what it does not, and asks for the ID. */
export function EraseDialog({ member, onClose }: EraseProps) {
  const { erase: words } = useWords()
  return (
    <Dialog open title={words.title(nameOf(member))} onClose={onClose}>
      <EraseForm member={member} onClose={onClose} />
    </Dialog>
  )
}

function EraseForm({ member, onClose }: EraseProps) {
  const { erase: words } = useWords()
  const erase = useErase(member)
  const points = usePointsLeft(member)
  const [typed, setTyped] = useState('')
  const isTyped = typed.trim() === member.id
  const buttons = {
    label: words.confirm,
    danger: true,
    busy: erase.isPending,
    disabled: !isTyped || points !== '',
  }
  return (
    <DialogForm
      onSubmit={() => isTyped && points === '' && erase.mutate()}
      footer={<AskButtons {...buttons} onClose={onClose} />}
    >
      <Effects title={words.deleted} icon="check" effects={words.deletes} />
      <Effects title={words.kept} icon="minus" effects={words.keeps} />
      {points === '' ? (
        <TextField
          label={words.typeId}
          hint={words.typeIdHint(member.id)}
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      ) : (
        <Notice tone="warn">{words.pointsLeft(nameOf(member), points)}</Notice>
      )}
      <Refusal error={erase.error} />
    </DialogForm>
  )
}

type EffectsProps = {
  readonly title: string
  readonly icon: 'check' | 'minus'
  readonly effects: readonly string[]
}

function Effects({ title, icon, effects }: EffectsProps) {
  return (
    <section>
      <h3 className="mb-1 font-medium">{title}</h3>
      <ul className="flex flex-col gap-1 text-sm">
        {effects.map((effect) => (
          <li key={effect} className="flex gap-2">
            <Icon name={icon} className="mt-0.5 size-4 text-muted" />
            {effect}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The points that prevent an erasure, in words: available, held and pending ones. */
function usePointsLeft({ balances, held, pending }: ProfileData): string {
  const format = useFormat()
  const { points } = useRealm().data
  const left = points.flatMap((point) => {
    const all = [balances, held, pending ?? {}].reduce((sum, part) => sum + (part[point.id] ?? 0), 0)
    return all === 0 ? [] : [`${format.number(all)} ${kindName(point)}`]
  })
  return left.join(', ')
}

function useErase(member: ProfileData) {
  const { erase: words } = useWords()
  const format = useFormat()
  const { id: realm, client } = useRealm()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const showSuccess = useSuccessToast()
  const failed = useFailed()
  const isShown = useShown()
  return useMutation({
    mutationFn: () => client.member(member.id).erase(),
    onSuccess: async ({ details }) => {
      showSuccess(words.done(nameOf(member)), words.details(format.number(details ?? 0)))
      if (isShown()) await navigate({ to: '/r/$realm/members', params: { realm }, replace: true })
      queries.removeQueries({ queryKey: [...realmKey(realm), 'member', member.id] })
      queries.removeQueries({ queryKey: [...realmKey(realm), 'names', member.id] })
      await renew(queries, realm)
    },
    onError: (error) => isShown() || failed(error, words.title(nameOf(member))),
  })
}
