import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useFormat, useWords } from '../../preferences.tsx'
import { type PointKind, realmKey, useKinds, useRealm } from '../../realm.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Section } from '../../ui/page.tsx'

/** The server's name for a currency that was not named. */
const usualName = 'Points'

function useHasKeys(): boolean {
  const { id, client } = useRealm()
  const query = useQuery({
    queryKey: [...realmKey(id), 'keys', 'any'],
    queryFn: async () => (await client.keys.list().page({ limit: 1 })).data.length > 0,
  })
  return query.data ?? false
}

const isNamed = ({ name, emoji }: PointKind, usual: string): boolean =>
  emoji !== null || (name !== usualName && name !== usual)

const link = buttonClass('secondary', true)

/** What an owner does first, on the overview of a realm without entries. */
export function FirstSteps({ members }: { readonly members: number }) {
  const { overview, realms } = useWords()
  const { steps: words } = overview
  const format = useFormat()
  const kinds = useKinds()
  const { id, data } = useRealm()
  const params = { realm: id }
  const done = {
    members: members > 0,
    points: kinds.length > 1 || kinds.some((kind) => isNamed(kind, realms.pointUsual)),
    bot: useHasKeys(),
    board: data.publicBoard,
  }
  const count = Object.values(done).filter(Boolean).length
  return (
    <Section
      title={words.title}
      intro={`${overview.empty}. ${overview.emptyHint}`}
      actions={
        <span className="text-muted text-sm">
          {words.progress(format.number(count), format.number(Object.keys(done).length))}
        </span>
      }
      bare
    >
      <ol>
        <Step nth={1} done={done.members} title={words.members} hint={words.membersHint}>
          <Link to="/r/$realm/import" params={params} className={link}>
            {words.import}
          </Link>
          <Link to="/r/$realm/members" params={params} search={{ act: 'add' }} className={link}>
            {words.add}
          </Link>
        </Step>
        <Step nth={2} done={done.points} title={words.points} hint={words.pointsHint}>
          <Link to="/r/$realm/points" params={params} className={link}>
            {words.toPoints}
          </Link>
        </Step>
        <Step nth={3} done={done.bot} title={words.bot} hint={words.botHint}>
          <Link to="/r/$realm/keys" params={params} className={link}>
            {words.toKeys}
          </Link>
        </Step>
        <Step nth={4} done={done.board} title={words.board} hint={words.boardHint}>
          <Link to="/r/$realm/leaderboard" params={params} className={link}>
            {words.toBoard}
          </Link>
        </Step>
      </ol>
    </Section>
  )
}

type StepProps = {
  readonly nth: number
  readonly done: boolean
  readonly title: string
  readonly hint: string
  readonly children: ReactNode
}

function Step({ nth, done, title, hint, children }: StepProps) {
  const { overview } = useWords()
  const format = useFormat()
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 border-line border-b px-5 py-4 last:border-0">
      <span
        className={`flex size-8 shrink-0 items-center justify-center rounded-full font-semibold text-sm ${done ? 'bg-good-soft text-good' : 'bg-accent-soft text-accent'}`}
      >
        {done ? <Icon name="check" /> : <span aria-hidden="true">{format.number(nth)}</span>}
        {done && <span className="sr-only">{overview.steps.done}</span>}
      </span>
      <span className="min-w-52 flex-1">
        <span className={`block font-medium ${done ? 'text-muted line-through' : ''}`}>{title}</span>
        <span className="block text-muted text-sm">{hint}</span>
      </span>
      <span className="flex flex-wrap gap-2 max-sm:w-full max-sm:pl-12">{children}</span>
    </li>
  )
}
