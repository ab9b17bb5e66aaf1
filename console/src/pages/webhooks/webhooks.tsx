import type { WebhookData } from '@exchequer/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useFormat, useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { Code, Time } from '../../ui/bits.tsx'
import { Button } from '../../ui/button.tsx'
import { ForOwners } from '../../ui/denied.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Secret } from '../../ui/secret.tsx'
import { Empty, Problem, Skeleton } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { AddWebhook } from './add.tsx'
import { HealthBadge, Progress } from './condition.tsx'
import { type NewSecret, nameOf } from './state.ts'

/** The most a realm can have. */
const max = 50
const everyMs = 5_000

export function WebhooksPage() {
  const { webhooks: words } = useWords()
  return (
    <ForOwners title={words.title}>
      <Webhooks />
    </ForOwners>
  )
}

function Webhooks() {
  const { webhooks: words } = useWords()
  const { id, client } = useRealm()
  const [adding, setAdding] = useState(false)
  const [made, setMade] = useState<NewSecret>()
  const list = useQuery({
    queryKey: [...realmKey(id), 'webhooks'],
    queryFn: () => client.webhooks.list().toArray({ max }),
    refetchInterval: everyMs,
  })
  const isEmpty = list.data?.length === 0
  const add = (
    <Button look="primary" icon="plus" onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  )
  return (
    <Page title={words.title} intro={words.intro} actions={isEmpty ? undefined : add}>
      <Section bare>
        {list.data ? (
          isEmpty ? (
            <None onAdd={() => setAdding(true)} />
          ) : (
            <List webhooks={list.data} />
          )
        ) : list.error ? (
          <Problem error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <Skeleton lines={6} />
        )}
      </Section>
      <AddWebhook open={adding} onMade={setMade} onClose={() => setAdding(false)} />
      <Secret
        title={made?.title ?? ''}
        text={made?.secret}
        label={words.secret}
        warning={words.shownOnce}
        onClose={() => setMade(undefined)}
      />
    </Page>
  )
}

const steps = ['add', 'keep', 'try'] as const

/** What a webhook is for, and how to get one. */
function None({ onAdd }: { readonly onAdd: () => void }) {
  const { webhooks: words } = useWords()
  const action = (
    <Button look="primary" icon="plus" onClick={onAdd}>
      {words.add}
    </Button>
  )
  return (
    <>
      <Empty icon="webhooks" title={words.none} hint={words.noneHint} action={action} />
      <ol className="grid border-line border-t sm:grid-cols-3 sm:divide-x sm:divide-line">
        {steps.map((step, at) => (
          <li key={step} className="flex gap-3 px-5 py-4">
            <span
              aria-hidden="true"
              className="figures flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-soft font-medium text-accent text-xs"
            >
              {at + 1}
            </span>
            <div>
              <p className="font-medium">{words.steps[step].name}</p>
              <p className="text-muted text-sm">{words.steps[step].hint}</p>
            </div>
          </li>
        ))}
      </ol>
    </>
  )
}

function List({ webhooks }: { readonly webhooks: readonly WebhookData[] }) {
  const { webhooks: words } = useWords()
  const columns = useColumns()
  return <Table label={words.list} rows={webhooks} columns={columns} idOf={({ id }) => id} />
}

function useColumns(): readonly Column<WebhookData>[] {
  const { webhooks: words } = useWords()
  const format = useFormat()
  return useMemo(
    () => [
      {
        id: 'name',
        header: words.name,
        meta: { grow: true },
        cell: ({ row: { original: webhook } }) => <Name of={webhook} />,
      },
      {
        id: 'events',
        header: words.events,
        meta: { wide: true },
        cell: ({ row: { original: webhook } }) => (
          <span className="whitespace-nowrap">
            {webhook.types === null ? words.everyEvent : words.typeCount(format.number(webhook.types.length))}
          </span>
        ),
      },
      {
        id: 'progress',
        header: words.progress,
        meta: { wide: true },
        cell: ({ row: { original: webhook } }) => <Progress of={webhook} />,
      },
      {
        id: 'created',
        header: words.createdAt,
        meta: { wide: true },
        cell: ({ row: { original: webhook } }) => <Time at={webhook.createdAt} relative />,
      },
      {
        id: 'state',
        header: words.state,
        meta: { right: true },
        cell: ({ row: { original: webhook } }) => <HealthBadge of={webhook} />,
      },
    ],
    [words, format],
  )
}

function Name({ of: webhook }: { readonly of: WebhookData }) {
  const { id: realm } = useRealm()
  return (
    <div className="flex min-w-32 flex-col gap-0.5">
      <Link
        to="/r/$realm/webhooks/$webhook"
        params={{ realm, webhook: webhook.id }}
        className="link w-fit break-words font-medium [overflow-wrap:anywhere]"
      >
        {nameOf(webhook)}
      </Link>
      {webhook.description && <Code className="text-muted">{webhook.url}</Code>}
      <span className="text-muted text-sm md:hidden">
        <Progress of={webhook} />
      </span>
    </div>
  )
}
