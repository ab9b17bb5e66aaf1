import type { ImportResult } from '@exchequer/sdk'
import type { ReactNode } from 'react'
import { useFormat, useWords } from '../../preferences.tsx'
import { useRealm } from '../../realm.tsx'
import { saveFile } from '../../save.ts'
import { Button } from '../../ui/button.tsx'
import { Check } from '../../ui/field.tsx'
import { kindName } from '../../ui/kinds.tsx'
import { Section } from '../../ui/page.tsx'
import { Notice } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import type { RowFault } from './sheet.ts'
import type { Report } from './useImport.ts'

/** What an import would do, or did, in figures. */
export function Tally({ tally }: { readonly tally: ImportResult }) {
  const { imports: words } = useWords()
  const format = useFormat()
  const { points } = useRealm().data
  const figures: [string, number | bigint][] = [
    [words.created, tally.members.created],
    [words.updated, tally.members.updated],
    [words.linked, tally.wallets.linked],
    [words.made, tally.openings.made],
    ...(tally.openings.alreadyThere > 0
      ? ([[words.there, tally.openings.alreadyThere]] as [string, number][])
      : []),
    ...(tally.openings.onTop > 0 ? ([[words.onTop, tally.openings.onTop]] as [string, number][]) : []),
    ...Object.entries(tally.totals).map(([point, total]): [string, bigint] => {
      const kind = points.find(({ id }) => id === point)
      return [words.total(kind ? kindName(kind) : point), BigInt(total)]
    }),
  ]
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 lg:grid-cols-5">
      {figures.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-muted text-sm">{name}</dt>
          <dd className="figures break-words font-semibold text-xl">{format.number(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

type OnTopProps = {
  readonly count: number
  readonly chosen: boolean
  readonly onChoose: (chosen: boolean) => void
}

/** Asks before balances are added to what members have: the file may be one that was imported before. */
export function OnTop({ count, chosen, onChoose }: OnTopProps) {
  const { imports: words } = useWords()
  const format = useFormat()
  return (
    <div className="flex flex-col gap-3">
      <Notice tone="warn">
        <strong className="block font-semibold">{words.onTopTitle(format.number(count))}</strong>
        {words.onTopHint}
      </Notice>
      <Check label={words.addOnTop} checked={chosen} onChange={onChoose} />
    </div>
  )
}

type Line = { readonly line: number; readonly id: string; readonly detail: string; readonly mangled: boolean }
const shownAtMost = 100

type FaultsProps = {
  readonly report: Report
  readonly actions: ReactNode
  readonly allowRounded: boolean
  readonly onAllowRounded: (allow: boolean) => void
}

/** The rows that can't be imported, each with what to do. */
export function Faults({ report, actions, allowRounded, onAllowRounded }: FaultsProps) {
  const { imports: words } = useWords()
  const format = useFormat()
  const lines = useLines(report)
  const shown = lines.slice(0, shownAtMost)
  const isAll = lines.length < shownAtMost
  const mangled = report.own.filter(({ name }) => name === 'exponent' || name === 'rounded')
  const count = format.number(Math.min(lines.length, shownAtMost))
  const save = () => {
    const cell = (text: string) => `"${text.replaceAll('"', '""')}"`
    const rows = lines.map(({ line, id, detail }) => `${line},${cell(id && `="${id}"`)},${cell(detail)}\n`)
    saveFile('import-faults.csv', [`line,id,detail\n`, ...rows], 'text/csv')
  }
  return (
    <Section title={words.faultList} actions={actions} bare>
      <div className="flex flex-col gap-3 px-5 py-4">
        <Notice tone="bad">
          {isAll ? words.faulty(count) : words.faultyMore(count)} {words.faultyHint}
        </Notice>
        {mangled.length > 0 && (
          <Notice tone="warn">
            <strong className="block font-semibold">
              {words.mangledTitle(format.number(mangled.length))}
            </strong>
            {words.mangledHint}
          </Notice>
        )}
        {(allowRounded || mangled.some(({ name }) => name === 'rounded')) && (
          <Check
            label={words.allowRounded}
            hint={words.allowRoundedHint}
            checked={allowRounded}
            onChange={onAllowRounded}
          />
        )}
        <div>
          <Button small icon="import" onClick={save}>
            {words.saveFaults}
          </Button>
        </div>
      </div>
      <div className="border-line border-t">
        <Table
          label={words.faultList}
          rows={shown}
          columns={useColumns()}
          idOf={({ line, detail }) => `${line} ${detail}`}
        />
      </div>
    </Section>
  )
}

function IdCell({ line, className }: { readonly line: Line; readonly className: string }) {
  return (
    <span className={`font-mono text-sm ${line.mangled ? 'text-bad' : ''} ${className}`}>
      {line.id || '–'}
    </span>
  )
}

function useColumns(): readonly Column<Line>[] {
  const { imports: words } = useWords()
  const format = useFormat()
  return [
    {
      id: 'line',
      header: words.line,
      cell: ({ row }) => <span className="figures">{format.number(row.original.line)}</span>,
    },
    {
      id: 'id',
      header: words.id,
      cell: ({ row }) => <IdCell line={row.original} className="whitespace-nowrap" />,
      meta: { wide: true },
    },
    {
      id: 'wrong',
      header: words.wrong,
      cell: ({ row }) => (
        <>
          <IdCell line={row.original} className="block break-all md:hidden" />
          <span className="break-words">{row.original.detail}</span>
        </>
      ),
      meta: { grow: true },
    },
  ]
}

/** All errors in file order, as text. */
function useLines({ own, faults }: Report): readonly Line[] {
  const { imports: words } = useWords()
  const format = useFormat()
  const detailOf = (fault: RowFault): string => {
    if (fault.name === 'twice') return words.faults.twice(format.number(fault.before))
    if (fault.name === 'quote') return words.faults.quote
    if (fault.name === 'cells')
      return words.faults.cells(format.number(fault.cells), format.number(fault.columns))
    return words.mangled[fault.name]
  }
  const isMangled = ({ name }: RowFault) => name === 'exponent' || name === 'rounded'
  return [
    ...own.map((one) => ({ line: one.line, id: one.id, detail: detailOf(one), mangled: isMangled(one) })),
    ...faults.map((one) => ({ ...one, mangled: false })),
  ].toSorted((one, other) => one.line - other.line)
}
