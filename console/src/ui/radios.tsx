import { type ReactNode, useId } from 'react'

type RadiosProps<T extends string> = {
  readonly label: string
  readonly value: T
  readonly disabled?: boolean
  readonly choices: readonly { readonly value: T; readonly label: string; readonly hint?: ReactNode }[]
  readonly onChoose: (value: T) => void
}

/** Radio buttons, each with a description. */
export function Radios<T extends string>({ label, value, disabled, choices, onChoose }: RadiosProps<T>) {
  const name = useId()
  return (
    <fieldset disabled={disabled} className="flex flex-col gap-2.5">
      <legend className="mb-2 font-medium text-sm">{label}</legend>
      {choices.map((one) => (
        <div key={one.value} className="flex items-start gap-2.5">
          <input
            id={`${name}-${one.value}`}
            type="radio"
            name={name}
            value={one.value}
            checked={one.value === value}
            aria-describedby={one.hint === undefined ? undefined : `${name}-${one.value}-hint`}
            onChange={() => onChoose(one.value)}
            className="mt-0.5 size-4 shrink-0 accent-accent-fill"
          />
          <div className="min-w-0">
            <label htmlFor={`${name}-${one.value}`} className="font-medium">
              {one.label}
            </label>
            {one.hint !== undefined && (
              <p id={`${name}-${one.value}-hint`} className="text-muted text-sm">
                {one.hint}
              </p>
            )}
          </div>
        </div>
      ))}
    </fieldset>
  )
}
