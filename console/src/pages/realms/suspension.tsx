import type { OperatedRealm } from '@exchequer/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAct } from '../../act.ts'
import { useApp } from '../../app.tsx'
import { useFormat, useWords } from '../../preferences.tsx'
import { realmKey } from '../../realm.tsx'
import { AskButtons } from '../../ui/ask.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Problem, Refusal, Skeleton } from '../../ui/states.tsx'

const longestReason = 500

type Named = {
  readonly id: string
  readonly name: string
  /** Undefined for a realm in another cell, whose list has only its name. */
  readonly suspended?: OperatedRealm['suspended'] | undefined
}

/** What an operator can do with a realm of the list. */
export function RealmActions({ realm }: { readonly realm: Named }) {
  const { realms: words, shell } = useWords()
  const [isOpen, setOpen] = useState(false)
  const label = realm.suspended ? words.lift : words.suspend
  return (
    <>
      <Menu trigger={<IconButton icon="dots" label={shell.actions(realm.name)} />}>
        <MenuItem icon="lock" danger={!realm.suspended} onSelect={() => setOpen(true)}>
          {realm.suspended === undefined ? words.suspension : label}
        </MenuItem>
      </Menu>
      {isOpen && <Suspension realm={realm} onClose={() => setOpen(false)} />}
    </>
  )
}

type SuspensionProps = { readonly realm: Named; readonly onClose: () => void }

/** Suspends or resumes. The state of a realm in another cell is read first. */
function Suspension({ realm: { id, name, suspended }, onClose }: SuspensionProps) {
  const { realms: words } = useWords()
  const { session } = useApp()
  const isFar = suspended === undefined
  const far = useQuery({
    queryKey: ['realms', 'suspension', id],
    queryFn: () => session.operator().realm(id).get(),
    enabled: isFar,
    gcTime: 0,
  })
  const now = isFar ? far.data?.suspended : suspended
  return (
    <Dialog open title={now ? words.liftTitle(name) : words.suspendTitle(name)} onClose={onClose}>
      {now === undefined ? (
        far.error ? (
          <Problem error={far.error} onRetry={() => void far.refetch()} />
        ) : (
          <Skeleton />
        )
      ) : now === null ? (
        <SuspendForm {...{ id, name, onClose }} />
      ) : (
        <LiftForm {...{ id, name, onClose }} {...now} />
      )}
    </Dialog>
  )
}

type FormProps = { readonly id: string; readonly name: string; readonly onClose: () => void }

function useSuspend(id: string, { done, onClose }: { readonly done: string; readonly onClose: () => void }) {
  const { session } = useApp()
  const queries = useQueryClient()
  return useAct(
    (suspended: { readonly reason: string } | null) => session.operator().realm(id).change({ suspended }),
    {
      key: ['realms'],
      done,
      onDone: () => {
        void queries.invalidateQueries({ queryKey: realmKey(id) })
        onClose()
      },
    },
  )
}

function SuspendForm({ id, name, onClose }: FormProps) {
  const { realms: words } = useWords()
  const [asked, setAsked] = useState(false)
  const [reason, setReason] = useState('')
  const suspend = useSuspend(id, { done: words.suspendDone(name), onClose })
  const isMissing = reason.trim() === ''
  const submit = () => {
    setAsked(true)
    if (!isMissing) suspend.mutate({ reason: reason.trim() })
  }
  return (
    <DialogForm
      onSubmit={submit}
      footer={<AskButtons label={words.suspend} danger busy={suspend.isPending} onClose={onClose} />}
    >
      <p>{words.suspendStops}</p>
      <p>{words.suspendAllows}</p>
      <p>{words.suspendWaits}</p>
      <TextArea
        label={words.reason}
        hint={words.reasonHint}
        rows={3}
        maxLength={longestReason}
        value={reason}
        error={asked && isMissing ? words.reasonMissing : undefined}
        onChange={({ target }) => setReason(target.value)}
      />
      <Refusal error={suspend.error} />
    </DialogForm>
  )
}

type LiftProps = FormProps & { readonly reason: string; readonly since: string }

function LiftForm({ id, name, reason, since, onClose }: LiftProps) {
  const { realms: words } = useWords()
  const format = useFormat()
  const lift = useSuspend(id, { done: words.lifted(name), onClose })
  return (
    <DialogForm
      onSubmit={() => lift.mutate(null)}
      footer={<AskButtons label={words.lift} busy={lift.isPending} onClose={onClose} />}
    >
      <p>{words.since(format.moment(since))}</p>
      <blockquote className="break-words border-line-strong border-l-2 pl-3 text-muted">{reason}</blockquote>
      <p>{words.liftText}</p>
      <Refusal error={lift.error} />
    </DialogForm>
  )
}
