import { Field as Base } from '@base-ui/react/field'
import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react'
import { useId } from 'react'
import { useWords } from '../preferences.tsx'
import { Icon } from './icons.tsx'

type Around = {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly optional?: boolean
  readonly hideLabel?: boolean
}

function Labelled({
  label,
  hint,
  error,
  optional,
  hideLabel,
  children,
}: Around & { readonly children: ReactNode }) {
  const { shell } = useWords()
  return (
    <Base.Root invalid={error !== undefined} className="flex min-w-0 flex-col gap-1.5">
      <Base.Label className={hideLabel ? 'sr-only' : 'text-sm font-medium'}>
        {label}
        {optional && <span className="font-normal text-muted"> · {shell.optional}</span>}
      </Base.Label>
      {children}
      {hint !== undefined && error === undefined && (
        <Base.Description className="text-sm text-muted">{hint}</Base.Description>
      )}
      <Base.Error match={error !== undefined} className="flex gap-1.5 text-sm text-bad">
        <Icon name="alert" className="mt-0.5 size-3.5" />
        {error}
      </Base.Error>
    </Base.Root>
  )
}

type Input = Around &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'defaultValue' | 'value'> & { readonly value: string }

export function TextField({ label, hint, error, optional, hideLabel, className = '', ...rest }: Input) {
  const around = { label, hint, error, optional, hideLabel } as Around
  return (
    <Labelled {...around}>
      <Base.Control {...rest} className={`control ${className}`} />
    </Labelled>
  )
}

type Area = Around & TextareaHTMLAttributes<HTMLTextAreaElement>

export function TextArea({ label, hint, error, optional, hideLabel, className = '', ...rest }: Area) {
  const around = { label, hint, error, optional, hideLabel } as Around
  return (
    <Labelled {...around}>
      <Base.Control render={<textarea {...rest} />} className={`control ${className}`} />
    </Labelled>
  )
}

type Choice = Around &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'children'> & {
    readonly choices: readonly { readonly value: string; readonly label: string }[]
  }

/** The browser's own list of choices: it works with every keyboard, screen reader and phone. */
export function SelectField({
  label,
  hint,
  error,
  optional,
  hideLabel,
  choices,
  className = '',
  ...rest
}: Choice) {
  const id = useId()
  const { shell } = useWords()
  const describedBy = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(
    Boolean,
  )
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-sm font-medium'}>
        {label}
        {optional && <span className="font-normal text-muted"> · {shell.optional}</span>}
      </label>
      <span className="relative">
        <select
          {...rest}
          id={id}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy.length > 0 ? describedBy.join(' ') : undefined}
          className={`control appearance-none pr-8 ${className}`}
        >
          {choices.map((one) => (
            <option key={one.value} value={one.value}>
              {one.label}
            </option>
          ))}
        </select>
        <Icon name="chevron" className="pointer-events-none absolute top-2.5 right-2.5 size-4 text-muted" />
      </span>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="text-sm text-bad">
          {error}
        </p>
      )}
    </div>
  )
}

type CheckProps = {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly checked: boolean
  readonly disabled?: boolean
  readonly onChange: (checked: boolean) => void
}

export function Check({ label, hint, checked, disabled, onChange }: CheckProps) {
  const id = useId()
  return (
    <div className="flex items-start gap-2.5">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-accent-fill"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-sm text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
