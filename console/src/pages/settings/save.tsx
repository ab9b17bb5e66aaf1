import type { RealmChange } from '@exchequer/sdk'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useAct } from '../../act.ts'
import { changedOf } from '../../changed.ts'
import { useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { Button } from '../../ui/button.tsx'
import { Refusal } from '../../ui/states.tsx'

type SaveProps = {
  /** All fields of the form; only those changed since it was opened are saved. */
  readonly values: RealmChange
  readonly isRight: boolean
  readonly onAsked: () => void
  readonly children: ReactNode
}

/** Settings that are saved together. They are read-only for roles that can't change them. */
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
