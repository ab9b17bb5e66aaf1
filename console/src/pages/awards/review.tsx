import type { BatchResult } from '@exchequer/sdk'
import type { UseMutationResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useFormat, useWords } from '../../preferences.tsx'
import { useRealm } from '../../realm.tsx'
import { Amount, Badge } from '../../ui/bits.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { MemberLink } from '../../ui/member.tsx'
import { Section } from '../../ui/page.tsx'
import { Notice, Refusal } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import type { Words } from '../../words/en.ts'
import { isAddress } from '../members/memberId.ts'
import type { LineFault } from './parse.ts'
import type { ResolvedLine } from './resolve.ts'
import type { CheckResult } from './useAwards.ts'

type ReviewProps = {
  readonly checked: CheckResult
  readonly award: UseMutationResult<BatchResult, Error, CheckResult>
  readonly onBack: () => void
  readonly onNew: () => void
}

/** The preview, line by line, or the result. */
export function Review({ checked, award, onBack, onNew }: ReviewProps) {
  const { awards: words } = useWords()
  const { lines, would } = checked
  const done = award.data
  const columns = useColumns((done ?? would)?.balances, done !== undefined)
  const actions = done ? (
    <Button onClick={onNew}>{words.clear}</Button>
  ) : (
    <>
      <Button disabled={award.isPending} onClick={onBack}>
        {words.again}
      </Button>
      <Confirm checked={checked} award={award} />
    </>
  )
  return (
    <Section title={<Summary lines={lines} />} actions={actions} bare>
      <div className="flex flex-col gap-3 px-5 py-4">
        <Outcome checked={checked} done={done} />
        <Refusal error={award.error} />
      </div>
      <div className="border-line border-t">
        <Table label={words.table} rows={lines} columns={columns} idOf={({ line }) => String(line)} middle />
      </div>
    </Section>
  )
}

function Confirm({ checked, award }: Pick<ReviewProps, 'checked' | 'award'>) {
  const { awards: words } = useWords()
  const format = useFormat()
  return (
    <Button
      look="primary"
      icon="awards"
      disabled={!checked.would}
      busy={award.isPending}
      onClick={() => award.mutate(checked)}
    >
      {words.confirm(format.number(checked.lines.length))}
    </Button>
  )
}

function Summary({ lines }: { readonly lines: readonly ResolvedLine[] }) {
  const { awards: words } = useWords()
  const format = useFormat()
  const sum = (sign: 1 | -1) =>
    lines.reduce((total, { tokens, fault }) => total + (fault ? 0 : Math.max(0, sign * tokens)), 0)
  return (
    <span>
      {words.lines(format.number(lines.length))}
      <span className="font-normal text-muted">
        {' '}
        · {words.total(format.number(sum(1)), format.number(sum(-1)))}
      </span>
    </span>
  )
}

function Outcome({
  checked,
  done,
}: {
  readonly checked: CheckResult
  readonly done: BatchResult | undefined
}) {
  const { awards: words } = useWords()
  const format = useFormat()
  const { id } = useRealm()
  if (checked.faults > 0) return <Notice tone="bad">{words.wrongLines(format.number(checked.faults))}</Notice>
  if (!done) return <Notice tone="info">{words.wouldDo}</Notice>
  return (
    <>
      <Notice tone="good">
        <strong className="block font-semibold">{words.done}</strong>
        {words.doneHint(format.number(done.balances.length))}
      </Notice>
      <Link
        to="/r/$realm/journal"
        params={{ realm: id }}
        search={{ entry: Number(done.transactionId) }}
        className={`${buttonClass('secondary', true)} self-start`}
      >
        {words.seeEntry}
      </Link>
    </>
  )
}

function useColumns(
  balances: BatchResult['balances'] | undefined,
  isDone: boolean,
): readonly Column<ResolvedLine>[] {
  const { awards: words } = useWords()
  const format = useFormat()
  const columns: Column<ResolvedLine>[] = [
    {
      id: 'line',
      header: words.line,
      cell: ({ row }) => <span className="figures">{row.original.line}</span>,
    },
    {
      id: 'member',
      header: words.member,
      cell: ({ row }) => <Who line={row.original} />,
      meta: { grow: true },
    },
    {
      id: 'tokens',
      header: words.tokens,
      cell: ({ row }) =>
        Number.isSafeInteger(row.original.tokens) && <Amount value={row.original.tokens} signed />,
      meta: { right: true },
    },
    {
      id: 'after',
      header: words.after,
      cell: ({ row }) => {
        const after = balances?.[row.index]
        return after ? <Amount value={after.newBalance} /> : <span className="text-muted">–</span>
      },
      meta: { right: true },
    },
    {
      id: 'why',
      header: words.why,
      cell: ({ row }) => <span className="block min-w-40 break-words">{row.original.reason}</span>,
      meta: { wide: true },
    },
    {
      id: 'entry',
      header: words.entry,
      cell: ({ row }) => (
        <span className="figures">{format.number(BigInt(balances?.[row.index]?.transactionId ?? 0))}</span>
      ),
      meta: { right: true, wide: true },
    },
  ]
  const missing = [...(isDone ? [] : ['entry']), ...(balances ? [] : ['after'])]
  return columns.filter(({ id }) => !missing.includes(id ?? ''))
}

function Who({ line: { who, member, fault } }: { readonly line: ResolvedLine }) {
  const { awards: words } = useWords()
  if (fault)
    return (
      <>
        <span className="break-all font-medium">{who}</span>
        <span className="block text-bad text-sm">{faultWords(fault, words)}</span>
      </>
    )
  // A link to an e-mail address would have it in a URL.
  if (!member || isAddress(member.id)) return <span className="break-all">{who}</span>
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <MemberLink member={member} /> {member.isNew && <Badge tone="accent">{words.newMember}</Badge>}
    </span>
  )
}

function faultWords(fault: LineFault, { faults }: Words['awards']): string {
  if (fault.name === 'ambiguous') return faults.ambiguous(fault.text, fault.ids)
  return 'text' in fault ? faults[fault.name](fault.text) : faults[fault.name]
}
