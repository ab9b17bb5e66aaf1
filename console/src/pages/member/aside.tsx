import type { ProfileData } from '@exchequer/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormat, useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Fact, Section } from '../../ui/page.tsx'
import { Problem } from '../../ui/states.tsx'
import { EditMember } from './actions.tsx'

type Of = { readonly member: ProfileData }

/** The sidebar of the member page. */
export function About({ member, point }: Of & { readonly point: string }) {
  const { member: words } = useWords()
  const format = useFormat()
  const { id: realm, client } = useRealm()
  const { data, error, refetch } = useQuery({
    queryKey: [...realmKey(realm), 'leaderboard', 'rank', member.id, point],
    queryFn: () => client.member(member.id).rank({ realmPointId: point }),
  })
  const rank = data?.member.rank
  if (error && !data)
    return (
      <Section title={words.about}>
        <Problem error={error} onRetry={() => void refetch()} />
      </Section>
    )
  return (
    <Section title={words.about}>
      <dl className="-my-1.5">
        <Fact name={words.rank}>
          {data === undefined
            ? '…'
            : rank === null || rank === undefined
              ? words.unranked
              : words.rankOf(format.number(rank), format.number(data.total))}
        </Fact>
        {member.username && <Fact name={words.username}>{member.username}</Fact>}
        <Fact name={words.joined}>{member.joinedAt ? format.day(member.joinedAt) : '–'}</Fact>
      </dl>
    </Section>
  )
}

export function Note({ member }: Of) {
  const { member: words } = useWords()
  const { can } = useRealm()
  const [editing, setEditing] = useState(false)
  const edit = can('members:write') && (
    <IconButton icon="edit" label={words.edit} onClick={() => setEditing(true)} />
  )
  return (
    <Section title={words.note} actions={edit}>
      {member.note ? (
        <p className="whitespace-pre-wrap break-words">{member.note}</p>
      ) : (
        <p className="text-muted text-sm">{words.noNote}</p>
      )}
      <EditMember member={member} open={editing} onClose={() => setEditing(false)} />
    </Section>
  )
}
