import { ExchequerError, type ProfileData } from '@exchequer/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useId } from 'react'
import { useFormat, useWords } from '../../preferences.tsx'
import { realmKey, useKinds, useRealm } from '../../realm.tsx'
import type { memberActs } from '../../search.ts'
import { Avatar, Badge, Code, Copy, nameOf } from '../../ui/bits.tsx'
import { Button, stoppedBy } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { kindName } from '../../ui/kinds.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Empty, Problem, Skeleton } from '../../ui/states.tsx'
import { MemberActions } from './actions.tsx'
import { About, Note } from './aside.tsx'
import { Awards } from './awards.tsx'
import { type Act, ChangeDialog } from './change.tsx'
import { Holds } from './holds.tsx'
import { Lapsing } from './lapsing.tsx'
import { Merged } from './merged.tsx'
import { Statement } from './statement.tsx'
import { Wallets } from './wallets.tsx'

const route = getRouteApi('/r/$realm/members/$member')

export function MemberPage() {
  const { member: words } = useWords()
  const { member: id } = route.useParams()
  const { id: realm, client, can } = useRealm()
  const { data, error, refetch } = useQuery({
    queryKey: [...realmKey(realm), 'member', id],
    // Notes are for managers.
    queryFn: async (): Promise<ProfileData> =>
      can('members:write')
        ? client.member(id).profile()
        : { ...(await client.member(id).get()), note: null, metadata: null },
  })
  if (data) return <Shown member={data} />
  const gone = error instanceof ExchequerError && (error.status === 404 || error.status === 400)
  if (gone || error instanceof TypeError)
    return <Empty icon="members" title={words.gone} hint={words.goneHint} action={<Back />} />
  if (error) return <Problem error={error} onRetry={() => void refetch()} />
  return <Skeleton lines={8} className="mx-auto max-w-6xl pt-12" />
}

function Back() {
  const { member: words } = useWords()
  const { id: realm } = useRealm()
  return (
    <Link to="/r/$realm/members" params={{ realm }} className="link inline-flex items-center gap-1 text-sm">
      <Icon name="left" className="size-4" />
      {words.back}
    </Link>
  )
}

function Shown({ member }: { readonly member: ProfileData }) {
  const { members: words } = useWords()
  const { can } = useRealm()
  const [first] = useKinds()
  const { point = first?.id ?? '', act } = route.useSearch()
  const navigate = route.useNavigate()
  const open = (next: (typeof memberActs)[number] | undefined, at = point) =>
    void navigate({ search: { point: at, ...(next ? { act: next } : {}) }, replace: true })
  const above = (
    <div className="flex flex-wrap items-center gap-3">
      <Back />
      <span className="ml-auto flex items-center gap-1 text-muted text-sm">
        <Code>{member.id}</Code>
        <Copy text={member.id} />
      </span>
    </div>
  )
  const badges = (
    <>
      {member.frozen && <Badge tone="warn">{words.frozen}</Badge>}
      {member.hidden && <Badge>{words.hidden}</Badge>}
    </>
  )
  return (
    <Page
      title={nameOf(member)}
      above={above}
      badges={badges}
      actions={can('members:write') && <MemberActions member={member} act={act} onAct={open} />}
      icon={<Avatar member={member} size="large" />}
      live
    >
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_19rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <Balances member={member} point={point} onAct={open} />
          <Statement member={member} point={point} />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <About member={member} point={point} />
          <Lapsing member={member} point={point} />
          <Awards member={member} />
          <Holds member={member} />
          <Wallets key={member.id} member={member} />
          <Merged member={member} />
          {can('members:write') && <Note member={member} />}
        </div>
      </div>
      <ChangeDialog
        act={changeOf(act, can('points:write'))}
        member={member}
        point={point}
        onClose={() => open(undefined)}
      />
    </Page>
  )
}

/** The change that is open in a dialog. */
const changeOf = (act: (typeof memberActs)[number] | undefined, may: boolean): Act | undefined =>
  act === 'freeze' || act === 'unfreeze' || act === 'edit' || !may ? undefined : act

const acts = [
  { act: 'award', icon: 'plus' },
  { act: 'take', icon: 'minus' },
  { act: 'transfer', icon: 'transfer' },
  { act: 'hold', icon: 'lock' },
] as const

type BalancesProps = {
  readonly member: ProfileData
  readonly point: string
  readonly onAct: (act: Act | undefined, point?: string) => void
}

function Balances({ member, point, onAct }: BalancesProps) {
  const { member: words, freeze: freezing, shell } = useWords()
  const format = useFormat()
  const { can } = useRealm()
  const kinds = useKinds()
  const why = useId()
  return (
    <Section>
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <ul className="flex flex-wrap gap-x-2 gap-y-2">
          {kinds.map((kind) => (
            <li key={kind.id}>
              <button
                type="button"
                aria-pressed={kind.id === point}
                onClick={() => onAct(undefined, kind.id)}
                className={`min-w-28 rounded-md border px-3 py-1.5 text-left ${kind.id === point ? 'border-accent bg-accent-soft' : 'border-line hover:border-line-strong'}`}
              >
                <span className="block text-muted text-sm">{kindName(kind)}</span>
                <span className="figures block font-semibold text-xl tracking-tight">
                  {format.number(member.balances[kind.id] ?? 0)}
                </span>
                {(member.pending?.[kind.id] ?? 0) > 0 && (
                  <span className="block text-muted text-xs">
                    {words.pending(format.number(member.pending?.[kind.id] ?? 0))}
                  </span>
                )}
                {(member.held[kind.id] ?? 0) > 0 && (
                  <span className="block text-muted text-xs">
                    {words.held(format.number(member.held[kind.id] ?? 0))}
                  </span>
                )}
              </button>
            </li>
          ))}
        </ul>
        {can('points:write') ? (
          <div className="flex flex-wrap gap-2">
            {acts.map(({ act, icon }) => (
              <Button
                key={act}
                icon={icon}
                look={act === 'award' ? 'primary' : 'secondary'}
                {...(member.frozen && act !== 'award' ? stoppedBy(why, freezing.stopped) : {})}
                onClick={() => onAct(act)}
              >
                {words[act]}
              </Button>
            ))}
          </div>
        ) : (
          <p className="text-muted text-sm">{shell.readOnly}</p>
        )}
        {member.frozen && can('points:write') && (
          <p id={why} className="basis-full text-muted text-sm">
            {freezing.stopped}
          </p>
        )}
      </div>
    </Section>
  )
}
