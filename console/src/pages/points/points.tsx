import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useFormat, useWords } from '../../preferences.tsx'
import { type PointKind, useRealm } from '../../realm.tsx'
import { Badge, Code } from '../../ui/bits.tsx'
import { Button } from '../../ui/button.tsx'
import { kindName } from '../../ui/kinds.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Notice } from '../../ui/states.tsx'
import { type Column, Table, unseen } from '../../ui/table.tsx'
import { KindActions } from './actions.tsx'
import { AddKind } from './form.tsx'

/** The realm's point types and their rules. */
export function PointsPage() {
  const { points: words, states } = useWords()
  const { data, can } = useRealm()
  const [adding, setAdding] = useState(false)
  const columns = useColumns()
  const add = can('realm:admin') && (
    <Button look="primary" icon="plus" onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  )
  const archived = data.points.filter((kind) => kind.archived)
  const table = (rows: readonly PointKind[], label: string) => (
    <Table label={label} rows={rows} columns={columns} idOf={({ id }) => id} />
  )
  return (
    <Page title={words.title} intro={words.intro} actions={add}>
      {!can('realm:admin') && <Notice tone="info">{states.readOnlyHere}</Notice>}
      <Section bare>
        {table(
          data.points.filter((kind) => !kind.archived),
          words.list,
        )}
      </Section>
      {archived.length > 0 && (
        <Section bare title={words.archivedTitle}>
          {table(archived, words.archivedTitle)}
        </Section>
      )}
      <AddKind open={adding} onClose={() => setAdding(false)} />
    </Page>
  )
}

function useColumns(): readonly Column<PointKind>[] {
  const { points: words, lapse, shell } = useWords()
  const { can } = useRealm()
  const mayChange = can('realm:admin')
  return useMemo(() => {
    const all: Column<PointKind>[] = [
      {
        id: 'name',
        header: words.name,
        meta: { grow: true },
        cell: ({ row: { original: kind } }) => <Name kind={kind} />,
      },
      {
        id: 'limits',
        header: words.limits,
        cell: ({ row: { original: kind } }) => <Limits kind={kind} />,
      },
      {
        id: 'lapse',
        header: lapse.column,
        meta: { wide: true },
        cell: ({ row: { original: kind } }) => <LapseOf kind={kind} />,
      },
      {
        id: 'transfers',
        header: words.transferableShort,
        meta: { wide: true },
        cell: ({ row: { original: kind } }) => (
          <span className="whitespace-nowrap">{words.transfers[kind.transferable ? 'yes' : 'no']}</span>
        ),
      },
    ]
    if (mayChange)
      all.push({
        id: 'actions',
        header: unseen(shell.doing),
        meta: { right: true },
        cell: ({ row: { original: kind } }) => <KindActions kind={kind} />,
      })
    return all
  }, [words, lapse, shell, mayChange])
}

function Name({ kind }: { readonly kind: PointKind }) {
  const { points: words } = useWords()
  return (
    <div className="flex min-w-32 flex-col gap-0.5">
      <span className="flex flex-wrap items-center gap-2 font-medium">
        {kindName(kind)}
        {kind.default && <Badge tone="accent">{words.isDefault}</Badge>}
      </span>
      <Code className="text-muted">{kind.id}</Code>
      {kind.lapse && (
        <span className="text-sm md:hidden">
          <LapseOf kind={kind} />
        </span>
      )}
    </div>
  )
}

/** Its rule in words, linked to who loses what. */
function LapseOf({ kind: { id: point, lapse } }: { readonly kind: PointKind }) {
  const { lapse: words } = useWords()
  const { id: realm } = useRealm()
  const format = useFormat()
  if (lapse === null) return <span className="text-muted">{words.never}</span>
  const { days, months, roundTo = 'day' } = lapse.after ?? {}
  const textOf = () => {
    if (lapse.idle) return words.idleFor(format.number(lapse.idle.months ?? 0))
    if (lapse.on) return words.onDays(lapse.on.map((one) => format.shortDayName(`2024-${one}`)).join(', '))
    return days === undefined
      ? words.after.months(format.number(months ?? 0))
      : words.after.days(format.number(days))
  }
  return (
    <Link to="/r/$realm/points/$point/lapsing" params={{ realm, point }} className="link whitespace-nowrap">
      {textOf()}
      {roundTo !== 'day' && words.ends[roundTo]}
    </Link>
  )
}

const limited = ['maxBalance', 'maxPerTransfer', 'maxPerDay'] as const

function Limits({ kind }: { readonly kind: PointKind }) {
  const { points: words } = useWords()
  const format = useFormat()
  const limitTexts = limited.flatMap((name) => {
    const limit = kind[name]
    return limit === null ? [] : [words.short[name](format.number(limit))]
  })
  if (limitTexts.length === 0) return <span className="text-muted">{words.noLimits}</span>
  return (
    <ul className="figures">
      {limitTexts.map((one) => (
        <li key={one}>{one}</li>
      ))}
    </ul>
  )
}
