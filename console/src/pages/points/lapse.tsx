import { Lapse, type LapseRule } from '@exchequer/sdk/lapse'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAct } from '../../act.ts'
import { useFormat, useWords } from '../../preferences.tsx'
import { type PointKind, realmKey, useRealm } from '../../realm.tsx'
import { AskButtons } from '../../ui/ask.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { MemberName } from '../../ui/memberName.tsx'
import { Notice, Refusal, Skeleton } from '../../ui/states.tsx'
import { activities, type LapseDraft, lapseDraftOf, lapseKinds, roundings, ruleOf } from './lapseDraft.ts'

type LapseProps = { readonly kind: PointKind; readonly onClose: () => void }

/** Sets when a currency's points lapse, after a preview of who would lose what. */
export function LapseDialog({ kind, open, onClose }: LapseProps & { readonly open: boolean }) {
  const { lapse: words } = useWords()
  return (
    <Dialog open={open} title={words.dialog(kind.name)} intro={words.intro} onClose={onClose}>
      <LapseForm kind={kind} onClose={onClose} />
    </Dialog>
  )
}

function LapseForm({ kind, onClose }: LapseProps) {
  const { lapse: words } = useWords()
  const { id: realm, client } = useRealm()
  const [draft, setDraft] = useState(lapseDraftOf(kind.lapse))
  const rule = ruleOf(draft)
  const preview = usePreview(kind, rule)
  const save = useAct(
    async () => {
      const lapse = new Lapse(client, kind.id)
      if (rule) await lapse.set(rule)
      else await lapse.remove()
    },
    { key: realmKey(realm), done: rule ? words.done : words.stopped, onDone: onClose },
  )
  const isReady = rule === null ? kind.lapse !== null : preview.data !== undefined
  const buttons = { label: rule === null ? words.stop : words.set, busy: save.isPending, disabled: !isReady }
  return (
    <DialogForm onSubmit={() => save.mutate()} footer={<AskButtons {...buttons} onClose={onClose} />}>
      <Fields draft={draft} isWrong={rule === undefined} onChange={setDraft} />
      {rule === null && kind.lapse && <Notice tone="info">{words.stopHint}</Notice>}
      {rule && (preview.data ? <Preview {...preview.data} /> : !preview.error && <Skeleton lines={3} />)}
      <Refusal error={save.error ?? (rule ? preview.error : null)} />
    </DialogForm>
  )
}

type FieldsProps = {
  readonly draft: LapseDraft
  readonly isWrong: boolean
  readonly onChange: (draft: LapseDraft) => void
}

function Fields({ draft, isWrong, onChange }: FieldsProps) {
  const { lapse: words } = useWords()
  const { kind } = draft
  const choicesOf = <T extends string>(all: readonly T[], names: Readonly<Record<T, string>>) =>
    all.map((value) => ({ value, label: names[value] }))
  return (
    <>
      <SelectField
        label={words.kind}
        value={kind}
        choices={choicesOf(lapseKinds, words.kinds)}
        onChange={({ target }) => onChange({ ...draft, kind: target.value as LapseDraft['kind'] })}
      />
      {kind !== 'never' && (
        <TextField
          label={words[kind]}
          hint={kind === 'on' ? words.onHint : kind === 'idle' ? words.idleHint : undefined}
          inputMode={kind === 'on' ? 'text' : 'numeric'}
          autoComplete="off"
          value={draft[kind]}
          error={isWrong ? words.wrong[kind] : undefined}
          onChange={({ target }) => onChange({ ...draft, [kind]: target.value })}
        />
      )}
      {kind === 'idle' && (
        <SelectField
          label={words.by}
          value={draft.by}
          choices={choicesOf(activities, words.activities)}
          onChange={({ target }) => onChange({ ...draft, by: target.value as LapseDraft['by'] })}
        />
      )}
      {kind === 'months' && (
        <SelectField
          label={words.roundTo}
          value={draft.roundTo}
          choices={choicesOf(roundings, words.roundings)}
          onChange={({ target }) => onChange({ ...draft, roundTo: target.value as LapseDraft['roundTo'] })}
        />
      )}
    </>
  )
}

const pauseMs = 300
const shownAtMost = 5

/** What a rule would do, a moment after it was typed. */
function usePreview({ id }: PointKind, rule: LapseRule | null | undefined) {
  const { id: realm, client } = useRealm()
  return useQuery({
    queryKey: [...realmKey(realm), 'lapse', id, JSON.stringify(rule)],
    enabled: Boolean(rule),
    gcTime: 0,
    retry: false,
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      signal.throwIfAborted()
      const lapse = new Lapse(client, id)
      const wanted = rule ?? {}
      const [change, { data: first }] = await Promise.all([
        lapse.set(wanted, { dryRun: true }),
        lapse.list({ rule: wanted, limit: shownAtMost }).page(),
      ])
      return { change, first }
    },
  })
}

type PreviewProps = NonNullable<ReturnType<typeof usePreview>['data']>

function Preview({ change: { lapse: rule, issuedNow, existing }, first }: PreviewProps) {
  const { lapse: words } = useWords()
  const format = useFormat()
  const amount = format.number(BigInt(existing.tokens))
  const members = words.members(existing.members, format.number(existing.members))
  const said = rule?.idle ? words.ofIdle : words
  return (
    <div aria-live="polite" className="flex flex-col gap-2 text-sm">
      <Notice tone="info">{issuedNow ? said.issuedNow(format.dayName(issuedNow)) : words.preview}</Notice>
      {existing.members > 0 && existing.lapsesOn && (
        <p>{said.existing(amount, members, format.dayName(existing.lapsesOn))}</p>
      )}
      {first.length > 0 && <p className="font-medium">{words.first}</p>}
      <ul className="flex flex-col gap-1">
        {first.map(({ memberId, lapsesOn, tokens }) => (
          <li key={memberId} className="flex justify-between gap-3">
            <MemberName id={memberId} />
            <span className="figures text-muted">
              {words.loss(format.number(tokens), format.dayName(lapsesOn))}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
