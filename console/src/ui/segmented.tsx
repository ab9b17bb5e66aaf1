import { useId } from 'react'

type SegmentedProps<T extends string> = {
  readonly label: string
  readonly value: T
  readonly choices: readonly { readonly value: T; readonly label: string }[]
  readonly onChoose: (value: T) => void
}

/** Segmented control: radio buttons side by side. */
export function Segmented<T extends string>({ label, value, choices, onChoose }: SegmentedProps<T>) {
  const name = useId()
  return (
    <fieldset className="inline-flex rounded-md border border-line-strong bg-sunken p-0.5">
      <legend className="sr-only">{label}</legend>
      {choices.map((one) => (
        <label
          key={one.value}
          className={`relative rounded-[5px] px-2.5 py-1 font-medium text-sm has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-1 ${one.value === value ? 'bg-surface text-ink shadow-card' : 'text-muted hover:text-ink'}`}
        >
          <input
            type="radio"
            name={name}
            value={one.value}
            checked={one.value === value}
            onChange={() => onChoose(one.value)}
            className="absolute inset-0 cursor-pointer appearance-none rounded-[5px] outline-none"
          />
          {one.label}
        </label>
      ))}
    </fieldset>
  )
}
