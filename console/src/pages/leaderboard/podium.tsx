import type { RankedMember } from '@exchequer/sdk'
import { Link } from '@tanstack/react-router'
import { useFormat, useWords } from '../../preferences.tsx'
import { useRealm } from '../../realm.tsx'
import { Amount, Avatar, nameOf } from '../../ui/bits.tsx'

export const podiumSize = 3

/** By position: first in the middle, second to its left, third to its right. */
const steps = [
  {
    place: 'order-2',
    height: 'h-20 sm:h-28',
    colours: 'border-gold from-gold-soft text-gold',
    ring: 'ring-gold',
  },
  {
    place: 'order-1',
    height: 'h-14 sm:h-20',
    colours: 'border-silver from-silver-soft text-silver',
    ring: 'ring-silver',
  },
  {
    place: 'order-3',
    height: 'h-10 sm:h-14',
    colours: 'border-bronze from-bronze-soft text-bronze',
    ring: 'ring-bronze',
  },
] as const

type PodiumProps = {
  readonly members: readonly RankedMember[]
  /** Points gained in a period, rather than balances. */
  readonly gained: boolean
}

/** The first three. */
export function Podium({ members, gained }: PodiumProps) {
  const { leaderboard: words } = useWords()
  return (
    <ol
      aria-label={words.podium}
      className="card grid grid-cols-3 items-end gap-2 overflow-hidden px-3 pt-6 sm:gap-4 sm:px-10 lg:px-24"
    >
      {steps.map((step, at) => {
        const member = members[at]
        return member && <Step key={member.id} {...{ step, member, gained }} />
      })}
    </ol>
  )
}

type StepProps = {
  readonly step: (typeof steps)[number]
  readonly member: RankedMember
  readonly gained: boolean
}

function Step({ step, member, gained }: StepProps) {
  const { leaderboard: words } = useWords()
  const format = useFormat()
  const { id } = useRealm()
  return (
    <li className={`flex min-w-0 flex-col items-center text-center ${step.place}`}>
      <span className={`mb-2 rounded-full ring-2 ring-offset-2 ring-offset-surface ${step.ring}`}>
        <Avatar member={member} size="large" />
      </span>
      <Link
        to="/r/$realm/members/$member"
        params={{ realm: id, member: member.id }}
        className="line-clamp-2 max-w-full rounded-sm break-words font-medium hover:text-accent"
      >
        {nameOf(member)}
      </Link>
      <span className="text-lg">
        <Amount value={member.tokens} signed={gained} />
      </span>
      {gained && (
        <span className="text-muted text-xs">
          {words.balance} <Amount value={member.balance} />
        </span>
      )}
      <span
        className={`mt-3 flex w-full items-start justify-center rounded-t-lg border-t-2 bg-linear-to-b to-surface pt-1.5 font-semibold text-2xl ${step.height} ${step.colours}`}
      >
        <span className="sr-only">{words.rank} </span>
        <span className="figures">{member.rank === null ? '–' : format.number(member.rank)}</span>
      </span>
    </li>
  )
}
