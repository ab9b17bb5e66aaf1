import type { PersonData } from '@exchequer/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { Badge } from '../../ui/bits.tsx'
import { Button } from '../../ui/button.tsx'
import { ForOwners } from '../../ui/denied.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Empty, Problem, Skeleton } from '../../ui/states.tsx'
import { type Column, Table, unseen } from '../../ui/table.tsx'
import { PersonActions } from './actions.tsx'
import type { Circle, MadeLink, OnCreate } from './circle.ts'
import { personColumns } from './columns.tsx'
import { Invitations } from './invitations.tsx'
import { Invite } from './invite.tsx'
import { OrphanedKeys } from './orphanedKeys.tsx'
import { ShownLink } from './shownLink.tsx'

const route = getRouteApi('/r/$realm/people')

export function PeoplePage() {
  const { people: words } = useWords()
  return (
    <ForOwners title={words.title}>
      <People />
    </ForOwners>
  )
}

function useCircle(): Circle {
  const { id, client } = useRealm()
  return useMemo(
    () => ({
      key: [...realmKey(id), 'people'],
      hasRoles: true,
      invite: (given) => client.people.invite(given),
      invitations: () => client.people.invitations().toArray({ max: 1_000 }),
      withdraw: (invitation) => client.people.withdraw(invitation),
      link: (person) => client.people.link(person),
    }),
    [id, client],
  )
}

function People() {
  const { people: words } = useWords()
  const { client } = useRealm()
  const circle = useCircle()
  const { act } = route.useSearch()
  const navigate = route.useNavigate()
  const setInviting = (open: boolean) =>
    void navigate({ search: open ? { act: 'invite' } : {}, replace: true })
  const [made, setMade] = useState<MadeLink>()
  const list = useQuery({
    queryKey: [...circle.key, 'list'],
    queryFn: () => client.people.list().toArray({ max: 1_000 }),
  })
  const invite = (
    <Button look="primary" icon="plus" onClick={() => setInviting(true)}>
      {words.invite}
    </Button>
  )
  return (
    <Page title={words.title} intro={words.intro} actions={invite}>
      <OrphanedKeys />
      <Section bare>
        {list.data ? (
          <List people={list.data} circle={circle} onMade={setMade} />
        ) : list.error ? (
          <Problem error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <Skeleton lines={5} />
        )}
      </Section>
      <Invitations circle={circle} />
      <Invite circle={circle} open={act === 'invite'} onMade={setMade} onClose={() => setInviting(false)} />
      <ShownLink made={made} onClose={() => setMade(undefined)} />
    </Page>
  )
}

type ListProps = {
  readonly people: readonly PersonData[]
  readonly circle: Circle
  readonly onMade: OnCreate
}

function List({ people, circle, onMade }: ListProps) {
  const words = useWords()
  const columns = useMemo((): readonly Column<PersonData>[] => {
    const [name, ...rest] = personColumns<PersonData>(words)
    return [
      ...(name ? [name] : []),
      {
        id: 'role',
        header: words.people.role,
        cell: ({ row: { original: one } }) => (
          <Badge tone={one.role === 'owner' ? 'accent' : 'plain'}>{words.shell.roles[one.role]}</Badge>
        ),
      },
      ...rest,
      {
        id: 'actions',
        header: unseen(words.shell.doing),
        meta: { right: true },
        cell: ({ row: { original: one } }) => <PersonActions person={one} circle={circle} onMade={onMade} />,
      },
    ]
  }, [words, circle, onMade])
  const { none, noneHint } = words.people
  return (
    <Table
      label={words.people.list}
      rows={people}
      columns={columns}
      idOf={({ id }) => id}
      empty={<Empty icon="people" title={none} hint={noneHint} />}
    />
  )
}
