import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { dayAfter } from '../../days.ts'
import { useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import type { Span } from '../../search.ts'
import { Amount, Avatar, nameOf } from '../../ui/bits.tsx'
import { Section } from '../../ui/page.tsx'
import { Empty, Problem, Skeleton } from '../../ui/states.tsx'

const shown = 5

type LeadersProps = {
  readonly point: string
  readonly span: Span
  /** The first and the last day of the span, in the realm's time zone. */
  readonly from: string
  readonly to: string
}

/** Who gained most in the selected span. Leaderboards count whole days. */
export function Leaders({ point, span, from, to }: LeadersProps) {
  const { overview, leaderboard } = useWords()
  const { id, client } = useRealm()
  const board = { period: 'range', point, from, to } as const
  const { data, error, refetch } = useQuery({
    queryKey: [...realmKey(id), 'leaderboard', 'top', board],
    queryFn: () =>
      client
        .leaderboard({ period: 'range', from, to: dayAfter(to), realmPointId: point })
        .page({ limit: shown }),
    placeholderData: (before) => before,
  })
  const all = (
    <Link to="/r/$realm/leaderboard" params={{ realm: id }} search={board} className="link text-sm">
      {leaderboard.title}
    </Link>
  )
  return (
    <Section title={overview.leaders[span]} actions={all} bare>
      {error && !data ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton />
      ) : data.data.length === 0 ? (
        <Empty icon="leaderboard" title={overview.noLeaders} hint={overview.noLeadersHint} />
      ) : (
        <ol>
          {data.data.map((member) => (
            <li key={member.id} className="border-line border-b last:border-0">
              <Link
                to="/r/$realm/members/$member"
                params={{ realm: id, member: member.id }}
                className="flex items-center gap-3 px-5 py-2 hover:bg-page"
              >
                <span className="figures w-6 text-muted text-sm">{member.rank}</span>
                <Avatar member={member} />
                <span className="min-w-0 flex-1 truncate font-medium">{nameOf(member)}</span>
                <Amount value={member.tokens} signed />
              </Link>
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}
