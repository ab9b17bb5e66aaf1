import type { KeyData } from '@exchequer/sdk'
import { useFormat, useWords } from '../../preferences.tsx'
import { TextField } from '../../ui/field.tsx'

const names = ['maxPerChange', 'maxPerDay'] as const
type LimitName = (typeof names)[number]

/** The limits as entered; empty for none. */
export type LimitDraft = Readonly<Record<LimitName, string>>

export const draftOf = (key?: KeyData): LimitDraft => ({
  maxPerChange: String(key?.maxPerChange ?? ''),
  maxPerDay: String(key?.maxPerDay ?? ''),
})

const isLimit = (text: string): boolean =>
  text === '' || (/^[1-9][0-9]*$/.test(text) && Number.isSafeInteger(Number(text)))

export const areLimits = (draft: LimitDraft): boolean => names.every((name) => isLimit(draft[name]))

/** Those that differ from what the key has; null clears one. */
export function changedLimits(draft: LimitDraft, key?: KeyData): Partial<Record<LimitName, number | null>> {
  const before = draftOf(key)
  const changed = names.filter((name) => draft[name] !== before[name])
  return Object.fromEntries(changed.map((name) => [name, draft[name] === '' ? null : Number(draft[name])]))
}

type FieldProps = {
  readonly value: LimitDraft
  /** Whether errors are shown. */
  readonly asked: boolean
  readonly onChange: (value: LimitDraft) => void
}

export function LimitFields({ value, asked, onChange }: FieldProps) {
  const { keys: words } = useWords()
  return (
    <>
      {names.map((name) => (
        <TextField
          key={name}
          label={words[name]}
          hint={name === 'maxPerChange' ? words.limitHint : words.dayHint}
          inputMode="numeric"
          autoComplete="off"
          value={value[name]}
          error={asked && !isLimit(value[name]) ? words.limitWrong : undefined}
          onChange={({ target }) => onChange({ ...value, [name]: target.value.trim() })}
        />
      ))}
    </>
  )
}

/** As the list shows them. */
export function LimitTexts({ of: key }: { readonly of: KeyData }) {
  const { keys: words } = useWords()
  const format = useFormat()
  const texts = names.flatMap((name) => {
    const limit = key[name]
    return limit === null ? [] : [words.short[name](format.number(limit))]
  })
  if (texts.length === 0) return <span className="text-muted">{words.noLimits}</span>
  return (
    <ul className="figures">
      {texts.map((one) => (
        <li key={one}>{one}</li>
      ))}
    </ul>
  )
}
