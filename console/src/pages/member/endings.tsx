import type { ProfileData } from '@exchequer/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApp } from '../../app.tsx'
import { useFormat } from '../../preferences.tsx'
import { realmKey, renew, useKinds, useRealm } from '../../realm.tsx'
import { useShown } from '../../shown.ts'
import { AskButtons } from '../../ui/ask.tsx'
import { Amount } from '../../ui/bits.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { Section } from '../../ui/page.tsx'
import { Problem, Refusal, Skeleton } from '../../ui/states.tsx'
import { useFailed, useSuccessToast } from '../../ui/toast.tsx'
import { type Effect, Effects } from './effects.tsx'

/** Points that are set aside for a member: a hold or an award. */
export type Aside = { readonly id: string; readonly tokens: number; readonly realmPointId: string }

/** Whose they are, as they are now. */
export type Holder = {
  readonly id: string
  readonly username: string | null
  readonly displayName: string | null
  readonly frozen: boolean
  readonly balances: Readonly<Record<string, number>>
}

/** One way in which it can end. */
export type Ending<T> = {
  readonly name: string
  readonly words: {
    readonly label: string
    readonly title: (amount: string) => string
    readonly intro: string
    readonly done: (amount: string) => string
  }
  /** Why a frozen member's can't end so. */
  readonly stopped?: string
  /** What it would do to the member's balance. */
  readonly preview: (one: T, member: Holder) => Promise<Effect>
  readonly send: (one: T, idempotencyKey: string) => Promise<unknown>
}

type AsidesProps<T> = {
  readonly title: string
  readonly name: string
  readonly member: ProfileData
  /** Whether the member has any: without, nothing is read. */
  readonly any: boolean
  readonly read: () => Promise<readonly T[]>
  readonly note: (one: T) => string
  readonly endings: readonly Ending<T>[]
}

/** A member's holds, or pending awards, with a button for each way in which one can end. */
export function Asides<T extends Aside>({ title, name, any, read, note, ...rest }: AsidesProps<T>) {
  const { id: realm, can } = useRealm()
  const { member, endings } = rest
  const [chosen, setChosen] = useState<Chosen<T>>()
  const { data, error, refetch } = useQuery({
    queryKey: [...realmKey(realm), 'member', member.id, name],
    queryFn: read,
    enabled: any,
  })
  if (any && error && !data)
    return (
      <Section title={title}>
        <Problem error={error} onRetry={() => void refetch()} />
      </Section>
    )
  if (!any || !data || data.length === 0) return null
  return (
    <Section title={title}>
      <ul className="flex flex-col gap-3">
        {data.map((one) => (
          <li key={one.id} className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <span className="font-medium">
              <Amount value={one.tokens} />
            </span>
            <span className="text-muted text-sm">{note(one)}</span>
            {can('points:write') && (
              <span className="flex gap-2">
                {endings.map((ending) => (
                  <Button
                    small
                    key={ending.name}
                    {...(member.frozen && ending.stopped !== undefined
                      ? { 'aria-disabled': true, title: ending.stopped }
                      : {})}
                    onClick={() => setChosen({ one, ending })}
                  >
                    {ending.words.label}
                  </Button>
                ))}
              </span>
            )}
          </li>
        ))}
      </ul>
      <EndDialog chosen={chosen} member={member} onClose={() => setChosen(undefined)} />
    </Section>
  )
}

export type Chosen<T> = { readonly one: T; readonly ending: Ending<T> }
type EndProps = { readonly member: Holder | undefined; readonly onClose: () => void }

/** Ends one, after a preview by dry run, which is made as soon as its member is there. */
export function EndDialog<T extends Aside>(props: EndProps & { readonly chosen: Chosen<T> | undefined }) {
  const { chosen, member, onClose } = props
  const amount = useAmount()
  return (
    <Dialog
      open={chosen !== undefined}
      title={chosen ? chosen.ending.words.title(amount(chosen.one)) : ''}
      intro={chosen?.ending.words.intro}
      onClose={onClose}
    >
      {chosen && <EndForm {...chosen} member={member} onClose={onClose} />}
    </Dialog>
  )
}

function useAmount(): (one: Aside) => string {
  const format = useFormat()
  const kinds = useKinds()
  return ({ tokens, realmPointId }) =>
    [format.number(tokens), kinds.find(({ id }) => id === realmPointId)?.name].filter(Boolean).join(' ')
}

function useEnd<T extends Aside>({ one, ending }: Chosen<T>, { member, onClose }: EndProps) {
  const { unsettled } = useApp()
  const { id: realm } = useRealm()
  const queries = useQueryClient()
  const showSuccess = useSuccessToast()
  const failed = useFailed()
  const isShown = useShown()
  const amount = useAmount()
  const preview = useQuery({
    queryKey: [...realmKey(realm), 'end', one.id, ending.name],
    enabled: member !== undefined,
    gcTime: 0,
    staleTime: 0,
    queryFn: async () => (member ? [await ending.preview(one, member)] : []),
  })
  const end = useMutation({
    mutationFn: () =>
      unsettled.send<unknown>(`${realm} end ${one.id} ${ending.name}`, (idempotencyKey) =>
        ending.send(one, idempotencyKey),
      ),
    onSuccess: () => {
      showSuccess(ending.words.done(amount(one)))
      if (isShown()) onClose()
    },
    onError: (error) => isShown() || failed(error, ending.words.title(amount(one))),
    onSettled: () => renew(queries, realm),
  })
  return { preview, end }
}

function EndForm<T extends Aside>({ one, ending, member, onClose }: Chosen<T> & EndProps) {
  const kinds = useKinds()
  const { preview, end } = useEnd({ one, ending }, { member, onClose })
  const { label } = ending.words
  const footer = <AskButtons label={label} busy={end.isPending} disabled={!preview.data} onClose={onClose} />
  return (
    <DialogForm onSubmit={() => end.mutate()} footer={footer}>
      {preview.data && member ? (
        <Effects
          effects={preview.data}
          kind={kinds.find(({ id }) => id === one.realmPointId)}
          before={new Map([[member.id, member]])}
          reason=""
        />
      ) : (
        !preview.error && <Skeleton lines={2} className="!p-0" />
      )}
      <Refusal error={end.error ?? preview.error} />
    </DialogForm>
  )
}
