import type { InvitationData, OperatorInvitation } from '@exchequer/sdk'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useAct } from '../../act.ts'
import { useWords } from '../../preferences.tsx'
import { Badge, Time } from '../../ui/bits.tsx'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/page.tsx'
import { Problem, Skeleton } from '../../ui/states.tsx'
import { type Column, Table, unseen } from '../../ui/table.tsx'
import type { Circle } from './circle.ts'

type Invitation = InvitationData | OperatorInvitation

/** Open invitations. */
export function Invitations({ circle }: { readonly circle: Circle }) {
  const { people: words } = useWords()
  const open = useQuery({ queryKey: [...circle.key, 'invitations'], queryFn: circle.invitations })
  const columns = useColumns(circle)
  return (
    <Section bare title={words.invitations}>
      {open.data ? (
        <Table
          label={words.invitations}
          rows={open.data}
          columns={columns}
          idOf={({ id }) => id}
          empty={<p className="px-5 py-4 text-muted">{words.noInvitations}</p>}
        />
      ) : open.error ? (
        <Problem error={open.error} onRetry={() => void open.refetch()} />
      ) : (
        <Skeleton lines={2} />
      )}
    </Section>
  )
}

function useColumns(circle: Circle): readonly Column<Invitation>[] {
  const { people: words, shell } = useWords()
  return useMemo(
    () => [
      {
        id: 'name',
        header: words.name,
        meta: { grow: true },
        cell: ({ row: { original: one } }) => (
          <div className="min-w-28">
            <span className="flex flex-wrap items-center gap-2 font-medium">
              {one.name}
              {'role' in one && <Badge>{shell.roles[one.role]}</Badge>}
            </span>
            {one.email && <span className="block break-all text-muted text-sm">{one.email}</span>}
          </div>
        ),
      },
      {
        id: 'by',
        header: words.madeBy,
        meta: { wide: true },
        cell: ({ row: { original: one } }) => one.madeBy,
      },
      {
        id: 'until',
        header: words.until,
        meta: { wide: true },
        cell: ({ row: { original: one } }) => <Time at={one.expiresAt} />,
      },
      {
        id: 'withdraw',
        header: unseen(shell.doing),
        meta: { right: true },
        cell: ({ row: { original: one } }) => <Withdraw invitation={one} circle={circle} />,
      },
    ],
    [words, shell, circle],
  )
}

type WithdrawProps = { readonly invitation: Invitation; readonly circle: Circle }

function Withdraw({ invitation: { id, name }, circle }: WithdrawProps) {
  const { people: words } = useWords()
  const withdraw = useAct(() => circle.withdraw(id), {
    key: circle.key,
    done: words.withdrawn(name),
    alone: true,
  })
  return (
    <Button small busy={withdraw.isPending} onClick={() => withdraw.mutate()}>
      {words.withdraw}
    </Button>
  )
}
