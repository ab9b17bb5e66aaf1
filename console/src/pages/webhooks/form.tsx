import type { WebhookType } from '@exchequer/sdk'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useWords } from '../../preferences.tsx'
import { useKinds } from '../../realm.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Check, SelectField, TextField } from '../../ui/field.tsx'
import { kindName } from '../../ui/kinds.tsx'
import { Radios } from '../../ui/radios.tsx'
import { Refusal } from '../../ui/states.tsx'
import { eventTypes, type Fault, type ThresholdDraft, type WebhookDraft, watchesBalances } from './draft.ts'

type BodyProps = {
  /** Counts the attempts to save. */
  readonly attempt: number
  /** What the server returned to the last one. */
  readonly error: unknown
  readonly children: ReactNode
}

/** The form is longer than a window: after an attempt to save it scrolls to the first problem. */
export function FormBody({ attempt, error, children }: BodyProps) {
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (attempt === 0) return
    const wrong = body.current?.querySelector('[aria-invalid=true], [role=alert]')
    wrong?.scrollIntoView({ block: error ? 'end' : 'center' })
  }, [attempt, error])
  return (
    <div ref={body} className="flex flex-col gap-4">
      {children}
      <Refusal error={error} />
    </div>
  )
}

type FormProps = {
  readonly draft: WebhookDraft
  /** Those to show: none before the first attempt to save. */
  readonly faults: readonly Fault[]
  readonly onChange: (draft: WebhookDraft) => void
}

/** The fields of a webhook. */
export function WebhookFields({ draft, faults, onChange }: FormProps) {
  const { webhooks: words } = useWords()
  const set = (change: Partial<WebhookDraft>) => onChange({ ...draft, ...change })
  return (
    <>
      <TextField
        label={words.url}
        hint={words.urlHint}
        type="url"
        inputMode="url"
        maxLength={2048}
        autoComplete="off"
        spellCheck={false}
        placeholder="https://shop.example.com/events"
        value={draft.url}
        error={faults.includes('url') ? words.urlWrong : undefined}
        onChange={({ target }) => set({ url: target.value })}
      />
      <TextField
        label={words.description}
        hint={words.descriptionHint}
        optional
        maxLength={200}
        autoComplete="off"
        value={draft.description}
        onChange={({ target }) => set({ description: target.value })}
      />
      <Radios
        label={words.events}
        value={draft.every ? 'every' : 'some'}
        choices={[
          { value: 'every', label: words.everyEvent, hint: words.everyEventHint },
          { value: 'some', label: words.someEvents },
        ]}
        onChoose={(which) => set({ every: which === 'every' })}
      />
      {!draft.every && (
        <TypeChoice
          chosen={draft.types}
          error={faults.includes('types') ? words.typesMissing : undefined}
          onChoose={(types) => set({ types })}
        />
      )}
      {watchesBalances(draft) && (
        <Thresholds
          value={draft.thresholds}
          error={faults.includes('thresholds') ? words.thresholdWrong : undefined}
          onChange={(thresholds) => set({ thresholds })}
        />
      )}
      <Check
        label={words.ordered}
        hint={words.orderedHint}
        checked={draft.ordered}
        onChange={(ordered) => set({ ordered })}
      />
      <Check
        label={words.details}
        hint={words.detailsHint}
        checked={draft.includeDetails}
        onChange={(includeDetails) => set({ includeDetails })}
      />
    </>
  )
}

type ChoiceProps = {
  readonly chosen: readonly WebhookType[]
  readonly error: string | undefined
  readonly onChoose: (types: readonly WebhookType[]) => void
}

/** The event types, each with a description. */
function TypeChoice({ chosen, error, onChoose }: ChoiceProps) {
  const { webhooks: words } = useWords()
  return (
    <fieldset className="-mt-1.5 ml-6.5 flex flex-col gap-2.5">
      <legend className="sr-only">{words.someEvents}</legend>
      {eventTypes.map((type) => (
        <Check
          key={type}
          label={words.type[type].name}
          hint={words.type[type].hint}
          checked={chosen.includes(type)}
          onChange={(checked) => onChoose(checked ? [...chosen, type] : chosen.filter((one) => one !== type))}
        />
      ))}
      <Wrong text={error} />
    </fieldset>
  )
}

const Wrong = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <p role="alert" className="text-bad text-sm">
      {text}
    </p>
  )

const mostThresholds = 20

type ThresholdProps = {
  readonly value: readonly ThresholdDraft[]
  readonly error: string | undefined
  readonly onChange: (value: readonly ThresholdDraft[]) => void
}

/** Balances whose crossing is an event. */
function Thresholds({ value, error, onChange }: ThresholdProps) {
  const { webhooks: words, shell } = useWords()
  const kinds = useKinds()
  const hint = useId()
  const add = () => onChange([...value, { realmPointId: kinds[0]?.id ?? '', tokens: '' }])
  return (
    <fieldset aria-describedby={hint} className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium text-sm">
        {words.thresholds}
        <span className="font-normal text-muted"> · {shell.optional}</span>
      </legend>
      <p id={hint} className="text-muted text-sm">
        {words.thresholdsHint}
      </p>
      {value.map((one, at) => (
        <div key={at} className="flex items-end gap-2">
          <Threshold
            value={one}
            onChange={(next) => onChange(value.map((other, place) => (place === at ? next : other)))}
          />
          <IconButton
            icon="close"
            label={words.removeThreshold}
            onClick={() => onChange(value.filter((_, place) => place !== at))}
          />
        </div>
      ))}
      <Wrong text={error} />
      {value.length < mostThresholds && (
        <div>
          <Button small icon="plus" onClick={add}>
            {words.addThreshold}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

type OneProps = { readonly value: ThresholdDraft; readonly onChange: (value: ThresholdDraft) => void }

function Threshold({ value, onChange }: OneProps) {
  const { webhooks: words, members } = useWords()
  const kinds = useKinds()
  return (
    <>
      <TextField
        label={words.threshold}
        hideLabel
        inputMode="numeric"
        placeholder="100"
        value={value.tokens}
        onChange={({ target }) => onChange({ ...value, tokens: target.value })}
      />
      <SelectField
        label={members.kind}
        hideLabel
        value={value.realmPointId}
        choices={kinds.map((kind) => ({ value: kind.id, label: kindName(kind) }))}
        onChange={({ target }) => onChange({ ...value, realmPointId: target.value })}
      />
    </>
  )
}
