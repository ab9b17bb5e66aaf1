import type { KeyData } from '@exchequer/sdk'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useFormat, useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { Badge, Code, Time } from '../../ui/bits.tsx'
import { Button } from '../../ui/button.tsx'
import { ForOwners } from '../../ui/denied.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Secret } from '../../ui/secret.tsx'
import { Empty, Problem, Skeleton } from '../../ui/states.tsx'
import { type Column, Table, unseen } from '../../ui/table.tsx'
import { KeyActions } from './actions.tsx'
import { IssueKey } from './issue.tsx'
import { LimitTexts } from './limits.tsx'
import { keysOf } from './read.ts'
import { ScopeBadges } from './scopes.tsx'
import { hasEnded, type MadeKey, type OnCreate, stateOf } from './state.ts'

export function KeysPage() {
  const { keys: words } = useWords()
  return (
    <ForOwners title={words.title}>
      <Keys />
    </ForOwners>
  )
}

function Keys() {
  const { keys: words } = useWords()
  const { id, client } = useRealm()
  const [issuing, setIssuing] = useState(false)
  const [made, setMade] = useState<MadeKey>()
  const list = useQuery({ queryKey: [...realmKey(id), 'keys'], queryFn: () => keysOf(client) })
  const issue = (
    <Button look="primary" icon="plus" onClick={() => setIssuing(true)}>
      {words.issue}
    </Button>
  )
  return (
    <Page title={words.title} intro={words.intro} actions={issue}>
      {list.data ? (
        <List keys={list.data} onMade={setMade} onIssue={() => setIssuing(true)} />
      ) : (
        <Section bare>
          {list.error ? (
            <Problem error={list.error} onRetry={() => void list.refetch()} />
          ) : (
            <Skeleton lines={6} />
          )}
        </Section>
      )}
      <IssueKey open={issuing} onMade={setMade} onClose={() => setIssuing(false)} />
      <Secret
        title={made?.title ?? ''}
        text={made?.key}
        label={words.theKey}
        warning={words.shownOnce}
        onClose={() => setMade(undefined)}
      />
    </Page>
  )
}

type ListProps = {
  readonly keys: readonly KeyData[]
  readonly onMade: OnCreate
  readonly onIssue: () => void
}

function List({ keys, onMade, onIssue }: ListProps) {
  const { keys: words } = useWords()
  const format = useFormat()
  const [withEnded, setWithEnded] = useState(false)
  const columns = useColumns(onMade)
  const newestFirst = useMemo(
    () => [...keys].sort((one, other) => other.createdAt.localeCompare(one.createdAt)),
    [keys],
  )
  const ended = keys.filter(hasEnded).length
  const shown = withEnded ? newestFirst : newestFirst.filter((key) => !hasEnded(key))
  const action = (
    <Button small onClick={onIssue}>
      {words.issue}
    </Button>
  )
  return (
    <>
      <Section bare>
        <Table
          label={words.list}
          rows={shown}
          columns={columns}
          idOf={({ id }) => id}
          faded={hasEnded}
          empty={<Empty icon="keys" title={words.none} hint={words.noneHint} action={action} />}
        />
      </Section>
      {ended > 0 && (
        <div>
          <Button look="ghost" small onClick={() => setWithEnded(!withEnded)} aria-expanded={withEnded}>
            {withEnded ? words.hideEnded : words.ended(format.number(ended))}
          </Button>
        </div>
      )}
    </>
  )
}

function useColumns(onMade: OnCreate): readonly Column<KeyData>[] {
  const { keys: words, shell } = useWords()
  return useMemo(
    () => [
      {
        id: 'name',
        header: words.name,
        meta: { grow: true },
        cell: ({ row: { original: key } }) => <Name of={key} />,
      },
      {
        id: 'scopes',
        header: words.scopes,
        meta: { wide: true },
        cell: ({ row: { original: key } }) => (
          <div className="w-72">
            <ScopeBadges scopes={key.scopes} />
          </div>
        ),
      },
      {
        id: 'limits',
        header: words.limits,
        meta: { wide: true },
        cell: ({ row: { original: key } }) => <LimitTexts of={key} />,
      },
      {
        id: 'created',
        header: words.created,
        meta: { wide: true },
        cell: ({ row: { original: key } }) => <Time at={key.createdAt} relative />,
      },
      {
        id: 'used',
        header: words.lastUsed,
        cell: ({ row: { original: key } }) =>
          key.lastUsedAt ? <Time at={key.lastUsedAt} relative /> : words.neverUsed,
      },
      {
        id: 'expires',
        header: words.expires,
        meta: { wide: true },
        cell: ({ row: { original: key } }) => (key.expiresAt ? <Time at={key.expiresAt} /> : words.never),
      },
      {
        id: 'actions',
        header: unseen(shell.doing),
        meta: { right: true },
        cell: ({ row: { original: key } }) => !hasEnded(key) && <KeyActions of={key} onMade={onMade} />,
      },
    ],
    [words, shell, onMade],
  )
}

const tones = { revoked: 'plain', expired: 'plain', soon: 'warn' } as const

function Name({ of: key }: { readonly of: KeyData }) {
  const { keys: words } = useWords()
  const state = stateOf(key)
  return (
    <div className="flex min-w-32 flex-col gap-0.5">
      <span className="flex flex-wrap items-center gap-2 font-medium">
        {key.name || key.id}
        {state && <Badge tone={tones[state]}>{words.state[state]}</Badge>}
      </span>
      <Code className="text-muted">
        {key.prefix}…{key.lastFour}
      </Code>
      <div className="mt-1 flex flex-col gap-1 md:hidden">
        <ScopeBadges scopes={key.scopes} />
        {(key.maxPerChange !== null || key.maxPerDay !== null) && <LimitTexts of={key} />}
        {key.expiresAt && (
          <span className="text-muted text-sm">
            {words.expires}: <Time at={key.expiresAt} />
          </span>
        )}
      </div>
    </div>
  )
}
