import type { DeliveryData, WebhookData } from '@exchequer/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useFormat, useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { Badge, Code, Time } from '../../ui/bits.tsx'
import { More } from '../../ui/more.tsx'
import { Section } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Empty, Problem, Skeleton } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { DeliveryDialog } from './delivery.tsx'
import { StatusBadge, typeIn } from './event.tsx'
import { type Deliveries, isShort, readDeliveries } from './readDeliveries.ts'
import { isAccepted } from './state.ts'

type DeliveriesProps = { readonly of: WebhookData; readonly only: 'failed' | undefined }

const everyMs = 5_000

/** The recent attempts, with what the receiver answered. */
export function DeliveryList({ of: webhook, only }: DeliveriesProps) {
  const { webhooks: words } = useWords()
  const navigate = useNavigate()
  const { id, client } = useRealm()
  const onlyFailed = only === 'failed'
  const query = useInfiniteQuery({
    queryKey: [...realmKey(id), 'webhooks', webhook.id, 'deliveries', only ?? 'all'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      readDeliveries(client, { webhook: webhook.id, onlyFailed, cursor, signal }),
    getNextPageParam: ({ next }: Deliveries) => next,
    refetchInterval: ({ state }) => (isShort(state.data?.pages ?? []) ? everyMs : false),
  })
  const choice = (
    <Segmented
      label={words.which}
      value={only ?? 'all'}
      choices={[
        { value: 'all', label: words.all },
        { value: 'failed', label: words.failed },
      ]}
      onChoose={(which) =>
        void navigate({ to: '.', search: which === 'failed' ? { only: which } : {}, replace: true })
      }
    />
  )
  return (
    <Section title={words.deliveries} intro={words.deliveriesIntro} actions={choice} bare>
      {query.data ? (
        <Found rows={query.data.pages.flatMap(({ found }) => found)} onlyFailed={onlyFailed} />
      ) : query.error ? (
        <Problem error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton lines={6} />
      )}
      {query.data && query.hasNextPage && <More query={query} />}
    </Section>
  )
}

type FoundProps = { readonly rows: readonly DeliveryData[]; readonly onlyFailed: boolean }

function Found({ rows, onlyFailed }: FoundProps) {
  const { webhooks: words } = useWords()
  const [shown, setShown] = useState<DeliveryData>()
  const columns = useColumns(setShown)
  const empty = onlyFailed ? (
    <Empty icon="check" title={words.noFailed} hint={words.noFailedHint} />
  ) : (
    <Empty icon="webhooks" title={words.noDeliveries} hint={words.noDeliveriesHint} />
  )
  return (
    <>
      <Table label={words.deliveries} rows={rows} columns={columns} idOf={({ id }) => id} empty={empty} />
      <DeliveryDialog of={shown} onClose={() => setShown(undefined)} />
    </>
  )
}

function useColumns(onShow: (delivery: DeliveryData) => void): readonly Column<DeliveryData>[] {
  const { webhooks: words } = useWords()
  const format = useFormat()
  return useMemo(
    () => [
      {
        id: 'event',
        header: words.event,
        meta: { grow: true },
        cell: ({ row: { original: delivery } }) => <EventCell of={delivery} onShow={onShow} />,
      },
      {
        id: 'answer',
        header: words.answer,
        cell: ({ row: { original: delivery } }) => <AnswerCell of={delivery} />,
      },
      {
        id: 'duration',
        header: words.duration,
        meta: { wide: true, right: true },
        cell: ({ row: { original: delivery } }) => (
          <span className="figures whitespace-nowrap">
            {words.milliseconds(format.number(delivery.durationMs))}
          </span>
        ),
      },
      {
        id: 'when',
        header: words.when,
        meta: { wide: true, right: true },
        cell: ({ row: { original: delivery } }) => <Time at={delivery.at} relative />,
      },
    ],
    [words, format, onShow],
  )
}

type CellProps = { readonly of: DeliveryData; readonly onShow: (delivery: DeliveryData) => void }

function EventCell({ of: delivery, onShow }: CellProps) {
  const words = useWords()
  const format = useFormat()
  const name = typeIn(words, delivery.type)
  return (
    <div className="flex min-w-36 flex-col gap-0.5">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <button
          type="button"
          aria-label={words.webhooks.openDelivery(name)}
          onClick={() => onShow(delivery)}
          className="link text-left font-medium"
        >
          {name}
        </button>
        {delivery.replay && <Badge tone="accent">{words.webhooks.replayed}</Badge>}
        {delivery.attempt > 1 && <Badge>{words.webhooks.attempt(format.number(delivery.attempt))}</Badge>}
      </span>
      <Code className="text-muted">{delivery.eventId}</Code>
      <span className="text-muted text-sm md:hidden">
        <Time at={delivery.at} relative />
      </span>
    </div>
  )
}

/** The status, and the first line of what explains it. */
function AnswerCell({ of: delivery }: { readonly of: DeliveryData }) {
  const [line = ''] = (delivery.error ?? delivery.answer ?? '').split('\n')
  return (
    <div className="flex w-24 flex-col items-start gap-1 sm:w-44">
      <StatusBadge of={delivery} />
      {!isAccepted(delivery) && line !== '' && (
        <span className="line-clamp-2 max-w-full text-muted text-sm [overflow-wrap:anywhere]">{line}</span>
      )}
    </div>
  )
}
