import { useWords } from '../../preferences.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { coloursCap, type NamedColour, usualAccent } from './shape.ts'

type ColoursProps = {
  readonly value: readonly NamedColour[]
  readonly disabled: boolean
  readonly isWrong: boolean
  readonly onChange: (colours: readonly NamedColour[]) => void
}

export function Colours({ value, disabled, isWrong, onChange }: ColoursProps) {
  const { settings: words } = useWords()
  const set = (at: number, named: NamedColour) =>
    onChange(value.map((one, index) => (index === at ? named : one)))
  const add = () => onChange([...value, [value.length === 0 ? 'primary' : '', usualAccent]])
  return (
    <fieldset disabled={disabled} className="flex flex-col gap-2">
      <legend className="mb-1 font-medium text-sm">{words.colours}</legend>
      <p className="-mt-1 text-muted text-sm">{words.coloursHint}</p>
      {value.map(([name, colour], at) => (
        <div key={at} className="flex items-center gap-2">
          <input
            type="color"
            aria-label={words.colourOf(name)}
            value={colour}
            onChange={({ target }) => set(at, [name, target.value])}
            className="control w-12! shrink-0 p-1"
          />
          <input
            aria-label={words.colourName}
            value={name}
            maxLength={32}
            aria-invalid={isWrong}
            onChange={({ target }) => set(at, [target.value.trim(), colour])}
            className="control max-w-48"
          />
          <span className="figures w-20 font-mono text-muted text-sm">{colour}</span>
          {!disabled && (
            <IconButton
              icon="close"
              label={words.removeColour(name)}
              onClick={() => onChange(value.filter((_, index) => index !== at))}
            />
          )}
        </div>
      ))}
      {isWrong && (
        <p role="alert" className="text-bad text-sm">
          {words.colourWrong}
        </p>
      )}
      {!disabled && value.length < coloursCap && (
        <div>
          <Button small icon="plus" onClick={add}>
            {words.addColour}
          </Button>
        </div>
      )}
    </fieldset>
  )
}
