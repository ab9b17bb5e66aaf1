import { useWords } from '../preferences.tsx'
import { type PointKind, useKinds } from '../realm.tsx'
import { hasEmoji } from './emoji.ts'
import { SelectField } from './field.tsx'

export const kindName = ({ name, emoji }: Pick<PointKind, 'name' | 'emoji'>): string =>
  // Some are names of custom chat emoji, such as :gold:, which can't be shown here.
  emoji && !emoji.includes(':') && hasEmoji(emoji) ? `${emoji} ${name}` : name

type KindSelectProps = {
  readonly value: string
  readonly showLabel?: boolean
  readonly onChoose: (point: string) => void
}

/** Currency picker. Hidden in a realm with a single currency. */
export function KindSelect({ value, showLabel = false, onChoose }: KindSelectProps) {
  const { members } = useWords()
  const kinds = useKinds()
  if (kinds.length < 2) return null
  return (
    <div className={showLabel ? '' : 'w-36'}>
      <SelectField
        label={members.kind}
        hideLabel={!showLabel}
        value={value}
        choices={kinds.map((kind) => ({ value: kind.id, label: kindName(kind) }))}
        onChange={({ target }) => onChoose(target.value)}
        className={showLabel ? '' : 'h-8!'}
      />
    </div>
  )
}
