import { useFormat, useWords } from '../../preferences.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'

const dayMs = 24 * 3_600_000
export const lengths = ['never', '30', '90', '365', 'day'] as const
export type Length = (typeof lengths)[number] | 'same'
export type Expiry = { readonly length: Length; readonly day: string }

/** When it expires; undefined for an invalid or past day. It ends with that day in the reader's time zone. */
export function endOf({ length, day }: Expiry): Date | 'never' | undefined {
  if (length === 'never') return 'never'
  const end = length === 'day' ? new Date(`${day}T23:59:59`) : new Date(Date.now() + Number(length) * dayMs)
  return end.getTime() > Date.now() ? end : undefined
}

type ExpiryProps = {
  readonly value: Expiry
  /** The current value, offered as “No change”. */
  readonly same?: string
  readonly error: string | undefined
  readonly onChange: (value: Expiry) => void
}

export function ExpiryField({ value, same, error, onChange }: ExpiryProps) {
  const { keys: words } = useWords()
  const format = useFormat()
  const nameOf = (length: (typeof lengths)[number]): string => {
    if (length === 'never') return words.untilRevoked
    return length === 'day' ? words.onDay : words.days(format.number(Number(length)))
  }
  const choices = lengths.map((length) => ({ value: length as string, label: nameOf(length) }))
  if (same !== undefined) choices.unshift({ value: 'same', label: same })
  return (
    <>
      <SelectField
        label={words.expiry}
        value={value.length}
        choices={choices}
        onChange={({ target }) => onChange({ ...value, length: target.value as Length })}
      />
      {value.length === 'day' && (
        <TextField
          label={words.day}
          type="date"
          value={value.day}
          error={error}
          onChange={({ target }) => onChange({ ...value, day: target.value })}
        />
      )}
    </>
  )
}
