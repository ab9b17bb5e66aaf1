import type { ProfileData } from '@exchequer/sdk'
import { useQuery } from '@tanstack/react-query'
import { useFormat, useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { Amount } from '../../ui/bits.tsx'
import { Section } from '../../ui/page.tsx'

type LapsingProps = { readonly member: ProfileData; readonly point: string }

/** The next points that the member loses; not shown for a currency whose points do not lapse. */
export function Lapsing({ member, point }: LapsingProps) {
  const { lapse: words } = useWords()
  const format = useFormat()
  const { id: realm, client, data: realmData } = useRealm()
  const { data } = useQuery({
    queryKey: [...realmKey(realm), 'member', member.id, 'lapsing'],
    queryFn: () => client.member(member.id).get(),
    enabled: realmData.points.some(({ id, lapse }) => id === point && lapse !== null),
  })
  const lots = data?.lapsing?.[point] ?? []
  if (lots.length === 0) return null
  return (
    <Section title={words.next}>
      <ul className="-my-1.5">
        {lots.map(({ lapsesOn, tokens }) => (
          <li key={lapsesOn} className="flex justify-between gap-3 py-1.5">
            <span className="text-muted">{format.dayName(lapsesOn)}</span>
            <Amount value={tokens} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
