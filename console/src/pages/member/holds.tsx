import type { HoldData, ProfileData } from '@exchequer/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApp } from '../../app.tsx'
import { useFormat, useWords } from '../../preferences.tsx'
import { realmKey, renew, useKinds, useRealm } from '../../realm.tsx'
import { useShown } from '../../shown.ts'
import { AskButtons } from '../../ui/ask.tsx'
import { Amount } from '../../ui/bits.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { Section } from '../../ui/page.tsx'
import { Problem, Refusal, Skeleton } from '../../ui/states.tsx'
import { useFailed, useSuccessToast } from '../../ui/toast.tsx'
import { Effects } from './effects.tsx'

type Ending = { readonly hold: HoldData; readonly how: 'capture' | 'release' }

/** Open holds, with buttons to charge or release them. */
export function Holds({ member }: { readonly member: ProfileData }) {
  const { member: words } = useWords()
  const format = useFormat()
  const { id: realm, client, can } = useRealm()
  const [ending, setEnding] = useState<Ending>()
  const any = Object.values(member.held).some((held) => held > 0)
  const { data, error, refetch } = useQuery({
    queryKey: [...realmKey(realm), 'member', member.id, 'holds'],
    queryFn: () => client.member(member.id).holds().toArray({ max: 1_000 }),
    enabled: any,
  })
  if (any && error && !data)
    return (
      <Section title={words.holds}>
        <Problem error={error} onRetry={() => void refetch()} />
      </Section>
    )
  if (!any || !data || data.length === 0) return null
  return (
    <Section title={words.holds}>
      <ul className="flex flex-col gap-3">
        {data.map((hold) => (
          <li key={hold.holdId} className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <span className="font-medium">
              <Amount value={hold.tokens} />
            </span>
            <span className="text-muted text-sm">{words.holdUntil(format.moment(hold.expiresAt))}</span>
            {can('points:write') && (
              <span className="flex gap-2">
                <Button small onClick={() => setEnding({ hold, how: 'capture' })}>
                  {words.holdEnd.capture.label}
                </Button>
                <Button small onClick={() => setEnding({ hold, how: 'release' })}>
                  {words.holdEnd.release.label}
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      <EndDialog ending={ending} member={member} onClose={() => setEnding(undefined)} />
    </Section>
  )
}

type EndProps = { readonly member: ProfileData; readonly onClose: () => void }

/** Charges or releases a hold, after a preview by dry run. */
function EndDialog({ ending, member, onClose }: EndProps & { readonly ending: Ending | undefined }) {
  const { member: words } = useWords()
  const amount = useHoldName()
  return (
    <Dialog
      open={ending !== undefined}
      title={ending ? words.holdEnd[ending.how].title(amount(ending.hold)) : ''}
      intro={ending && words.holdEnd[ending.how].intro}
      onClose={onClose}
    >
      {ending && <EndForm {...ending} member={member} onClose={onClose} />}
    </Dialog>
  )
}

function useHoldName(): (hold: HoldData) => string {
  const format = useFormat()
  const kinds = useKinds()
  return ({ tokens, realmPointId }) =>
    [format.number(tokens), kinds.find(({ id }) => id === realmPointId)?.name].filter(Boolean).join(' ')
}

function useEnd({ hold, how }: Ending, { member, onClose }: EndProps) {
  const { member: words } = useWords()
  const { unsettled } = useApp()
  const { id: realm, client } = useRealm()
  const queries = useQueryClient()
  const showSuccess = useSuccessToast()
  const failed = useFailed()
  const isShown = useShown()
  const amount = useHoldName()
  const { holdId, realmPointId } = hold
  const preview = useQuery({
    queryKey: [...realmKey(realm), 'end a hold', holdId, how],
    gcTime: 0,
    staleTime: 0,
    queryFn: async () => {
      const dry = await client.hold(holdId)[how]({ dryRun: true })
      const balance = 'newBalance' in dry ? dry.newBalance : (member.balances[realmPointId] ?? 0)
      return [{ id: member.id, balance, held: dry.held[realmPointId] }]
    },
  })
  const end = useMutation({
    mutationFn: () =>
      unsettled.send<unknown>(`${realm} hold ${holdId} ${how}`, (idempotencyKey) =>
        client.hold(holdId)[how]({ idempotencyKey }),
      ),
    onSuccess: () => {
      showSuccess(words.holdEnd[how].done(amount(hold)))
      if (isShown()) onClose()
    },
    onError: (error) => isShown() || failed(error, words.holdEnd[how].title(amount(hold))),
    onSettled: () => renew(queries, realm),
  })
  return { preview, end }
}

function EndForm({ hold, how, ...rest }: Ending & EndProps) {
  const { member: words } = useWords()
  const kinds = useKinds()
  const { member, onClose } = rest
  const { preview, end } = useEnd({ hold, how }, rest)
  const label = words.holdEnd[how].label
  const footer = <AskButtons label={label} busy={end.isPending} disabled={!preview.data} onClose={onClose} />
  return (
    <DialogForm onSubmit={() => end.mutate()} footer={footer}>
      {preview.data ? (
        <Effects
          effects={preview.data}
          kind={kinds.find(({ id }) => id === hold.realmPointId)}
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
