import type { OperatorData } from '@exchequer/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useApp } from '../../app.tsx'
import { useWords } from '../../preferences.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ForOperators } from '../../ui/denied.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Empty, Problem, Skeleton } from '../../ui/states.tsx'
import { type Column, Table, unseen } from '../../ui/table.tsx'
import type { Circle, MadeLink, OnCreate } from '../people/circle.ts'
import { personColumns } from '../people/columns.tsx'
import { Invitations } from '../people/invitations.tsx'
import { Invite } from '../people/invite.tsx'
import { ShownLink } from '../people/shownLink.tsx'
import { OperatorActions } from './actions.tsx'
import { type Left, LeftBehind, type OnLeft } from './left.tsx'

export function OperatorsPage() {
  const { operators: words } = useWords()
  return (
    <ForOperators title={words.title}>
      <Operators />
    </ForOperators>
  )
}

function useCircle(): Circle {
  const { session } = useApp()
  return useMemo(() => {
    const { people } = session.operator()
    return {
      key: ['operators'],
      hasRoles: false,
      invite: ({ name, email }) => people.invite({ name, ...(email === undefined ? {} : { email }) }),
      invitations: () => people.invitations().toArray({ max: 1_000 }),
      withdraw: (invitation) => people.withdraw(invitation),
      link: (person) => people.link(person),
    }
  }, [session])
}

function Operators() {
  const { operators: words, audit } = useWords()
  const { session } = useApp()
  const circle = useCircle()
  const [inviting, setInviting] = useState(false)
  const [made, setMade] = useState<MadeLink>()
  const [left, setLeft] = useState<Left>()
  const list = useQuery({
    queryKey: [...circle.key, 'list'],
    queryFn: () => session.operator().people.list().toArray({ max: 1_000 }),
  })
  const actions = (
    <>
      <Link to="/audit" className={buttonClass()}>
        {audit.title}
      </Link>
      <Button look="primary" icon="plus" onClick={() => setInviting(true)}>
        {words.invite}
      </Button>
    </>
  )
  return (
    <Page title={words.title} intro={words.intro} actions={actions}>
      <Section bare>
        {list.data ? (
          <List people={list.data} circle={circle} onMade={setMade} onLeft={setLeft} />
        ) : list.error ? (
          <Problem error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <Skeleton lines={4} />
        )}
      </Section>
      <Invitations circle={circle} />
      <Invite
        circle={circle}
        open={inviting}
        title={words.invite}
        intro={words.inviteIntro}
        onMade={setMade}
        onClose={() => setInviting(false)}
      />
      <ShownLink made={made} onClose={() => setMade(undefined)} />
      <LeftBehind left={left} onClose={() => setLeft(undefined)} />
    </Page>
  )
}

type ListProps = {
  readonly people: readonly OperatorData[]
  readonly circle: Circle
  readonly onMade: OnCreate
  readonly onLeft: OnLeft
}

function List({ people, circle, onMade, onLeft }: ListProps) {
  const words = useWords()
  const columns = useMemo(
    (): readonly Column<OperatorData>[] => [
      ...personColumns<OperatorData>(words),
      {
        id: 'actions',
        header: unseen(words.shell.doing),
        meta: { right: true },
        cell: ({ row: { original: one } }) => (
          <OperatorActions person={one} circle={circle} onMade={onMade} onLeft={onLeft} />
        ),
      },
    ],
    [words, circle, onMade, onLeft],
  )
  const { none, noneHint } = words.operators
  return (
    <Table
      label={words.operators.list}
      rows={people}
      columns={columns}
      idOf={({ id }) => id}
      empty={<Empty icon="operators" title={none} hint={noneHint} />}
    />
  )
}
