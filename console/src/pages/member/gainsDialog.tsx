import type { HistoryEntry, ProfileData } from '@exchequer/sdk'
import { useState } from 'react'
import { firstOfLast } from '../../days.ts'
import { useFormat, useWords } from '../../preferences.tsx'
import { useKinds, useRealm } from '../../realm.tsx'
import { useShown } from '../../shown.ts'
import { AskButtons } from '../../ui/ask.tsx'
import { Badge, nameOf } from '../../ui/bits.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { Check, TextField } from '../../ui/field.tsx'
import { Icon } from '../../ui/icons.tsx'
import { kindName } from '../../ui/kinds.tsx'
import { MemberNameText } from '../../ui/memberName.tsx'
import { Progress } from '../../ui/progress.tsx'
import { explain, Notice, Refusal, Skeleton } from '../../ui/states.tsx'
import { useFailed, useSuccessToast } from '../../ui/toast.tsx'
import { type GainState, type GainsPlan, planOf } from './gains.ts'
import { gainsCap, type UndoneGains, useGains, useUndoGains } from './useGains.ts'

type GainsProps = { readonly member: ProfileData; readonly onClose: () => void }

/** Undoes what a member gained since a day. It can't be closed while the reversals are being sent. */
export function GainsDialog({ member, onClose }: GainsProps) {
  const { gains: words } = useWords()
  const [busy, setBusy] = useState(false)
  return (
    <Dialog
      open
      title={words.title(nameOf(member))}
      intro={words.intro}
      wide
      onClose={() => busy || onClose()}
    >
      <GainsForm member={member} onClose={onClose} onBusy={setBusy} />
    </Dialog>
  )
}

type FormProps = GainsProps & { readonly onBusy: (busy: boolean) => void }

function GainsForm({ member, onClose, onBusy }: FormProps) {
  const { gains: words, change } = useWords()
  const format = useFormat()
  const { data: realm } = useRealm()
  const today = firstOfLast(1, realm.timeZone)
  const [from, setFrom] = useState(today)
  const [reason, setReason] = useState('')
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const { data, error } = useGains(member.id, from)
  const plan = planOf(data?.entries ?? [], { balances: member.balances, kept })
  const { undo, done, result } = useUndo({ member, onClose, onBusy })
  const count = format.number(plan.undo.length)
  const submit = () => {
    onBusy(true)
    undo.mutate({ entries: plan.undo, reason: reason.trim() })
  }
  const keep = (entry: string, isKept: boolean) => {
    const next = new Set(kept)
    if (isKept) next.add(entry)
    else next.delete(entry)
    setKept(next)
  }
  const buttons = {
    label: words.confirm(count),
    danger: true,
    busy: undo.isPending,
    disabled: plan.undo.length === 0,
  }
  return (
    <DialogForm onSubmit={submit} footer={<AskButtons {...buttons} onClose={onClose} />}>
      {undo.isPending ? (
        <Progress label={words.title(nameOf(member))} done={done} all={undo.variables.entries.length}>
          {words.progress(format.number(done), format.number(undo.variables.entries.length))}
        </Progress>
      ) : (
        <>
          <div className="grid gap-4 sm:grid-cols-[11rem_minmax(0,1fr)]">
            <TextField
              label={words.since}
              type="date"
              max={today}
              value={from}
              onChange={({ target }) => setFrom(target.value)}
            />
            <TextField
              label={change.reason}
              optional
              maxLength={500}
              value={reason}
              onChange={({ target }) => setReason(target.value)}
            />
          </div>
          {data ? (
            <Preview plan={plan} isCapped={data.isCapped} onKeep={keep} />
          ) : (
            from !== '' && !error && <Skeleton lines={3} className="!p-0" />
          )}
        </>
      )}
      {result && !undo.isPending && <Refused refused={result.refused} />}
      <Refusal error={undo.error ?? error} />
    </DialogForm>
  )
}

/** The result is shown in the dialog when entries were refused, and as a toast otherwise. */
function useUndo({ member, onClose, onBusy }: FormProps) {
  const { gains: words } = useWords()
  const format = useFormat()
  const showSuccess = useSuccessToast()
  const failed = useFailed()
  const isShown = useShown()
  const [result, setResult] = useState<UndoneGains>()
  const { undo, done } = useUndoGains(
    (outcome) => {
      onBusy(false)
      if (outcome.undone > 0) showSuccess(words.done(format.number(outcome.undone)))
      setResult(outcome)
      if (outcome.refused.length === 0 && isShown()) onClose()
    },
    (error) => {
      onBusy(false)
      if (!isShown()) failed(error, words.title(nameOf(member)))
    },
  )
  return { undo, done, result }
}

type PreviewProps = {
  readonly plan: GainsPlan<HistoryEntry>
  readonly isCapped: boolean
  readonly onKeep: (entry: string, isKept: boolean) => void
}

function Preview({ plan, isCapped, onKeep }: PreviewProps) {
  const { gains: words, change } = useWords()
  const format = useFormat()
  if (plan.rows.length === 0) return <p className="text-muted">{words.none}</p>
  const short = plan.rows.filter(({ state }) => state === 'short').length
  return (
    <>
      <Notice tone="info">{change.previewed}</Notice>
      <Balances effects={plan.effects} />
      {short > 0 && <Notice tone="warn">{words.short(format.number(short))}</Notice>}
      <ul aria-label={words.list} className="divide-y divide-line rounded-md border border-line">
        {plan.rows.map(({ gain, state }) => (
          <Row key={gain.transactionId} gain={gain} state={state} onKeep={onKeep} />
        ))}
      </ul>
      {isCapped && <p className="text-muted text-sm">{words.capped(format.number(gainsCap))}</p>}
      <p className="text-muted text-sm">{words.final}</p>
    </>
  )
}

function useKindName(): (id: string) => string {
  const kinds = useKinds()
  return (id) => {
    const kind = kinds.find((one) => one.id === id)
    return kind ? kindName(kind) : id
  }
}

/** Each balance before and after. */
function Balances({ effects }: Pick<GainsPlan, 'effects'>) {
  const format = useFormat()
  const named = useKindName()
  return (
    <ul aria-live="polite" className="flex flex-col gap-2 empty:hidden">
      {effects.map(({ point, tokens, before, after }) => (
        <li key={point} className="flex items-center gap-3 rounded-md border border-line px-3 py-2.5">
          <span className="min-w-0 flex-1 font-medium">{named(point)}</span>
          <span className="figures text-muted text-sm">{format.signed(-tokens)}</span>
          <span className="figures flex items-center gap-2 text-lg">
            <span className="text-muted">{format.number(before)}</span>
            <Icon name="right" className="size-4 text-muted" />
            <span className="font-semibold">{format.number(after)}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

type RowProps = {
  readonly gain: HistoryEntry
  readonly state: GainState
  readonly onKeep: (entry: string, isKept: boolean) => void
}

function Row({ gain, state, onKeep }: RowProps) {
  const { gains: words, member, journal } = useWords()
  const format = useFormat()
  const named = useKindName()
  const { transactionId, type, at, realmPointId, reason, counterpartyId } = gain
  const kinds = { ...journal.kinds, ...member.kinds, adjust: member.awarded }
  return (
    <li className="px-3 py-2">
      <Check
        label={
          <span className="flex flex-wrap items-baseline gap-x-2">
            <span className="figures">
              {format.signed(gain.tokens)} {named(realmPointId)}
            </span>
            <span className="min-w-0 break-words font-normal">{reason ?? kinds[type]}</span>
            {(state === 'short' || state === 'gone') && <Badge tone="warn">{words.states[state]}</Badge>}
          </span>
        }
        hint={
          <>
            {format.moment(at)} · {member.entry(transactionId)}
            {type === 'transfer' && counterpartyId !== null && (
              <>
                {' · '}
                <MemberNameText id={counterpartyId} around={words.backTo} />
              </>
            )}
          </>
        }
        checked={state === 'undo'}
        disabled={state === 'short' || state === 'gone'}
        onChange={(checked) => onKeep(transactionId, !checked)}
      />
    </li>
  )
}

function Refused({ refused }: Pick<UndoneGains, 'refused'>) {
  const words = useWords()
  const format = useFormat()
  if (refused.length === 0) return null
  return (
    <Notice tone="bad">
      {words.gains.refused(format.number(refused.length))}
      <ul className="mt-1 list-disc pl-4">
        {refused.map(({ entry, error }) => (
          <li key={entry}>
            {words.member.entry(entry)}: {explain(error, words).hint}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
