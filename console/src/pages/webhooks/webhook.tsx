import { ExchequerError, type WebhookData } from '@exchequer/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useFormat, useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { Code } from '../../ui/bits.tsx'
import { ForOwners } from '../../ui/denied.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Page } from '../../ui/page.tsx'
import { Secret } from '../../ui/secret.tsx'
import { Empty, Notice, Problem, Skeleton } from '../../ui/states.tsx'
import { Remedies, WebhookActions } from './actions.tsx'
import { Condition, HealthBadge } from './condition.tsx'
import { DeliveryList } from './deliveries.tsx'
import { Settings } from './settings.tsx'
import { type NewSecret, nameOf } from './state.ts'
import { TestEvent } from './test.tsx'

const route = getRouteApi('/r/$realm/webhooks/$webhook')

/** While events are on their way, and otherwise. */
const soonMs = 1_000
const everyMs = 5_000

const isBusy = (webhook: WebhookData | undefined): boolean =>
  webhook !== undefined && (webhook.replay !== null || (webhook.behind > 0 && webhook.state === 'active'))

export function WebhookPage() {
  const { webhooks: words } = useWords()
  return (
    <ForOwners title={words.title}>
      <Loaded />
    </ForOwners>
  )
}

function Loaded() {
  const { webhooks: words } = useWords()
  const { webhook: id } = route.useParams()
  const { id: realm, client } = useRealm()
  const { data, error, refetch } = useQuery({
    queryKey: [...realmKey(realm), 'webhooks', id],
    queryFn: () => client.webhooks.get(id),
    refetchInterval: ({ state }) => (isBusy(state.data) ? soonMs : everyMs),
  })
  const isGone = error instanceof ExchequerError && (error.status === 404 || error.status === 400)
  if (isGone) return <Empty icon="webhooks" title={words.gone} hint={words.goneHint} action={<Back />} />
  if (data) return <Shown of={data} />
  if (error) return <Problem error={error} onRetry={() => void refetch()} />
  return <Skeleton lines={8} className="mx-auto max-w-6xl pt-12" />
}

function Back() {
  const { webhooks: words } = useWords()
  const { id: realm } = useRealm()
  return (
    <Link to="/r/$realm/webhooks" params={{ realm }} className="link inline-flex items-center gap-1 text-sm">
      <Icon name="left" className="size-4" />
      {words.back}
    </Link>
  )
}

function Shown({ of: webhook }: { readonly of: WebhookData }) {
  const { webhooks: words } = useWords()
  const { only } = route.useSearch()
  const [made, setMade] = useState<NewSecret>()
  const actions = (
    <>
      <HealthBadge of={webhook} />
      <WebhookActions of={webhook} onMade={setMade} />
    </>
  )
  return (
    <Page
      title={nameOf(webhook)}
      intro={webhook.description ? <Code>{webhook.url}</Code> : undefined}
      above={
        <div>
          <Back />
        </div>
      }
      actions={actions}
    >
      <Condition of={webhook}>
        <Remedies of={webhook} />
      </Condition>
      <Replaying of={webhook} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_19rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <TestEvent of={webhook} />
          <DeliveryList of={webhook} only={only} />
        </div>
        <Settings of={webhook} />
      </div>
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

function Replaying({ of: { replay } }: { readonly of: WebhookData }) {
  const { webhooks: words } = useWords()
  const format = useFormat()
  if (replay === null) return null
  const last = BigInt(replay.to) - 1n
  return (
    <Notice tone="info">
      {words.replayRunning(format.number(BigInt(replay.from)), format.number(last))}{' '}
      {words.replaying(format.number(BigInt(replay.seq)), format.number(last))}
    </Notice>
  )
}
