import { useWords } from '../../preferences.tsx'
import { useKinds } from '../../realm.tsx'
import { mangledId } from '../../spreadsheet.ts'
import { Badge } from '../../ui/bits.tsx'
import { Check, SelectField } from '../../ui/field.tsx'
import { kindName } from '../../ui/kinds.tsx'
import { Section } from '../../ui/page.tsx'
import { Notice } from '../../ui/states.tsx'
import { type MatchFault, plainTargets, type Target } from './matching.ts'
import { type Sheet, turnHeader } from './sheet.ts'

type ColumnsProps = {
  readonly sheet: Sheet
  readonly fault: MatchFault | undefined
  readonly onChange: (sheet: Sheet) => void
}

/** Maps each column of the file to a field: suggested, and editable. */
export function Columns({ sheet, fault, onChange }: ColumnsProps) {
  const { imports: words } = useWords()
  const kinds = useKinds()
  const nameOf = useTargetName()
  if (sheet.format === 'ndjson')
    return (
      <Section title={words.sample} intro={words.ndjsonHint}>
        <pre className="overflow-x-auto whitespace-pre-wrap break-all font-mono text-sm">
          {sheet.sample.map(([line]) => line).join('\n')}
        </pre>
      </Section>
    )
  const change = (nth: number, target: Target) =>
    onChange({ ...sheet, targets: sheet.targets.map((one, at) => (at === nth ? target : one)) })
  return (
    <Section title={words.columns} intro={words.columnsHint} bare>
      <ul>
        {sheet.headers.map((header, nth) => (
          <ColumnLine key={nth} {...{ sheet, nth, header }} onChange={(target) => change(nth, target)} />
        ))}
      </ul>
      <div className="flex flex-col gap-3 border-line border-t px-5 py-4">
        <Check
          label={words.header}
          checked={sheet.hasHeader}
          onChange={(hasHeader) => onChange(turnHeader(sheet, hasHeader, kinds))}
        />
        {fault && (
          <Notice tone="warn">
            {fault.name === 'needsId' ? words.needsId : words.twice(nameOf(fault.target))}
          </Notice>
        )}
      </div>
    </Section>
  )
}

/** The label of a target. */
export function useTargetName(): (target: Target) => string {
  const { imports: words } = useWords()
  const kinds = useKinds()
  return (target) => {
    if (!target.startsWith('balance:')) return words.targets[target as keyof typeof words.targets]
    const kind = kinds.find(({ id }) => target === `balance:${id}`)
    return words.balance(kind ? kindName(kind) : target)
  }
}

type LineProps = {
  readonly sheet: Sheet
  readonly nth: number
  readonly header: string
  readonly onChange: (target: Target) => void
}

function ColumnLine({ sheet, nth, header, onChange }: LineProps) {
  const { imports: words } = useWords()
  const kinds = useKinds()
  const nameOf = useTargetName()
  const target = sheet.targets[nth] ?? ''
  const all: readonly Target[] = ['', ...plainTargets, ...kinds.map(({ id }) => `balance:${id}` as const)]
  const title = sheet.hasHeader ? header : words.nameless(header)
  return (
    <li className="grid items-center gap-x-4 gap-y-2 border-line border-b px-5 py-3 last:border-0 sm:grid-cols-[1fr_2fr_15rem]">
      <span className={`min-w-0 break-words font-medium ${target === '' ? 'text-muted' : ''}`}>{title}</span>
      <span className="flex min-w-0 flex-wrap gap-1.5">
        {sheet.sample.slice(0, 3).map((cells, row) => (
          <Cell key={row} text={cells[nth] ?? ''} isId={target === 'id'} />
        ))}
      </span>
      <SelectField
        label={words.column(title)}
        hideLabel
        value={target}
        choices={all.map((one) => ({ value: one, label: nameOf(one) }))}
        onChange={(event) => onChange(event.target.value as Target)}
      />
    </li>
  )
}

const shown = 28

function Cell({ text, isId }: { readonly text: string; readonly isId: boolean }) {
  const short = text.length > shown ? `${text.slice(0, shown)}…` : text
  if (short.trim() === '') return null
  return <Badge tone={isId && mangledId(text.trim()) ? 'bad' : 'plain'}>{short}</Badge>
}
