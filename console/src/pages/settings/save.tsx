import type { RealmChange } from '@exchequer/sdk'
import type { FormEvent, ReactNode } from 'react'
import { useAct } from '../../act.ts'
import { useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { Button } from '../../ui/button.tsx'
import { Refusal } from '../../ui/states.tsx'

type SaveProps = {
  /** What is to change; undefined while something is not as it must be. */
  readonly change: RealmChange | undefined
  readonly onAsked: () => void
  readonly children: ReactNode
}

/** Fields of the realm's settings, which are saved together. Who may not change them sees them alone. */
export function SaveForm({ change, onAsked, children }: SaveProps) {
  const { shell } = useWords()
  const { id, client, can } = useRealm()
  const save = useAct((wanted: RealmChange) => client.change(wanted), {
    key: realmKey(id),
    done: shell.saved,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onAsked()
    if (change) save.mutate(change)
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
