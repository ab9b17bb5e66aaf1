import type { RealmChange } from '@exchequer/sdk'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useAct } from '../../act.ts'
import { changedOf } from '../../changed.ts'
import { useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { Button } from '../../ui/button.tsx'
import { Refusal } from '../../ui/states.tsx'

type SaveProps = {
  /** All that the form has; what is not as it was when it was opened is saved. */
  readonly values: RealmChange
  readonly isRight: boolean
  readonly onAsked: () => void
  readonly children: ReactNode
}

/** Fields of the realm's settings, which are saved together. Who may not change them sees them alone. */
export function SaveForm({ values, isRight, onAsked, children }: SaveProps) {
  const { shell } = useWords()
  const { id, client, can } = useRealm()
  const [before, setBefore] = useState(values)
  const isNothing = (wanted: RealmChange) => Object.keys(wanted).length === 0
  const save = useAct(async (wanted: RealmChange) => isNothing(wanted) || client.change(wanted), {
    key: realmKey(id),
    done: shell.saved,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onAsked()
    if (!isRight) return
    const onSuccess = () => setBefore(values)
    save.mutate(changedOf(before, values), { onSuccess })
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-5">
      {children}
      <Refusal error={save.error} />
      {can('realm:admin') && (
        <div>
          <Button look="primary" type="submit" busy={save.isPending}>
            {shell.save}
          </Button>
        </div>
      )}
    </form>
  )
}
