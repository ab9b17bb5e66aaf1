import type { QueryKey } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useAct } from '../../act.ts'
import { useFormat, useWords } from '../../preferences.tsx'
import { Ask } from '../../ui/ask.tsx'
import { Code, Time } from '../../ui/bits.tsx'
import { Button } from '../../ui/button.tsx'
import { type Column, Table, unseen } from '../../ui/table.tsx'

/** A key or token issued by a person who was removed. */
export type Revocable = {
  readonly id: string
  readonly name: string
  /** Its first and last characters. */
  readonly text: string
  /** Who issued it, or what it is. */
  readonly about: string
  readonly lastUsedAt: string | null
  readonly revoke: () => Promise<unknown>
}

export type Revoking = {
  /** The active ones. */
  readonly left: readonly Revocable[]
  /** Those awaiting confirmation; empty when no dialog is open. */
  readonly chosen: readonly Revocable[]
  readonly choose: (chosen: readonly Revocable[]) => void
  readonly isPending: boolean
  readonly error: unknown
  readonly confirm: () => void
}

/** Revokes one by one; those already revoked stay revoked when a later one fails. */
export function useRevoking(all: readonly Revocable[], key: QueryKey): Revoking {
  const words = useWords()
  const format = useFormat()
  const [chosen, choose] = useState<readonly Revocable[]>([])
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set())
  const [first] = chosen
  const done =
    first && chosen.length === 1
      ? words.keys.revoked(first.name)
      : words.people.revokedSeveral(format.number(chosen.length))
  const act = useAct(
    async () => {
      for (const one of chosen) {
        if (gone.has(one.id)) continue
        await one.revoke()
        setGone((before) => new Set(before).add(one.id))
      }
    },
    { key, done, onDone: () => choose([]) },
  )
  const left = useMemo(() => all.filter(({ id }) => !gone.has(id)), [all, gone])
  return { left, chosen, choose, isPending: act.isPending, error: act.error, confirm: () => act.mutate() }
}

type Props = { readonly revoking: Revoking; readonly label: string; readonly about: string }

export function RevocableTable({ revoking: { left, choose }, label, about }: Props) {
  const words = useWords()
  const columns = useMemo(
    (): readonly Column<Revocable>[] => [
      {
        id: 'name',
        header: words.keys.name,
        meta: { grow: true },
        cell: ({ row: { original: one } }) => (
          <div className="flex min-w-32 flex-col gap-0.5">
            <span className="break-words font-medium">{one.name}</span>
            <Code className="text-muted">{one.text}</Code>
            <span className="text-muted text-sm md:hidden">{one.about}</span>
          </div>
        ),
      },
      { id: 'about', header: about, meta: { wide: true }, cell: ({ row }) => row.original.about },
      {
        id: 'used',
        header: words.keys.lastUsed,
        meta: { wide: true },
        cell: ({ row: { original: one } }) =>
          one.lastUsedAt ? <Time at={one.lastUsedAt} relative /> : words.keys.neverUsed,
      },
      {
        id: 'revoke',
        header: unseen(words.shell.doing),
        meta: { right: true },
        cell: ({ row: { original: one } }) => (
          <Button small aria-label={words.people.revokeOf(one.name)} onClick={() => choose([one])}>
            {words.keys.revoke}
          </Button>
        ),
      },
    ],
    [words, about, choose],
  )
  return <Table label={label} rows={left} columns={columns} idOf={({ id }) => id} />
}

export function RevokeAll({ revoking: { left, choose } }: Pick<Props, 'revoking'>) {
  const { people: words } = useWords()
  if (left.length < 2) return null
  return (
    <Button small onClick={() => choose(left)}>
      {words.revokeAll}
    </Button>
  )
}

/** Asks first: programs may rely on them. */
export function AskRevoke({ revoking }: Pick<Props, 'revoking'>) {
  const words = useWords()
  const format = useFormat()
  const { chosen, choose, isPending, error, confirm } = revoking
  const [first] = chosen
  const isOne = first !== undefined && chosen.length === 1
  return (
    <Ask
      open={chosen.length > 0}
      title={
        isOne ? words.keys.revokeTitle(first.name) : words.people.revokeSeveral(format.number(chosen.length))
      }
      label={words.keys.revoke}
      danger
      busy={isPending}
      error={error}
      onConfirm={confirm}
      onClose={() => choose([])}
    >
      <p>{isOne ? words.keys.revokeText : words.people.revokeSeveralText}</p>
      {isOne && (
        <p className="text-muted">
          {first.lastUsedAt ? words.keys.revokeUsed(format.ago(first.lastUsedAt)) : words.keys.revokeUnused}
        </p>
      )}
    </Ask>
  )
}
