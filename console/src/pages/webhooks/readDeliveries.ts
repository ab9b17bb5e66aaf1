import type { DeliveryData, Realm } from '@exchequer/sdk'
import { isAccepted } from './state.ts'

export type Deliveries = {
  readonly found: readonly DeliveryData[]
  readonly looked: number
  /** Where to continue; undefined at the end of the list. */
  readonly next: string | undefined
}

const foundAtOnce = 50
/** How many are read in one request for failed ones, which may be rare. */
const lookedInPage = 200

export type DeliveryQuery = {
  readonly webhook: string
  readonly onlyFailed: boolean
  readonly cursor: string | undefined
  readonly signal: AbortSignal
}

/** A page of deliveries, newest first. The server keeps 1,000 of each webhook, so the search is bounded. */
export async function readDeliveries(
  client: Pick<Realm, 'webhooks'>,
  query: DeliveryQuery,
): Promise<Deliveries> {
  const { webhook, onlyFailed, signal } = query
  const found: DeliveryData[] = []
  const list = client.webhooks.deliveries(webhook, { signal, limit: onlyFailed ? lookedInPage : foundAtOnce })
  let looked = 0
  for (let { cursor } = query; ; ) {
    const { data, nextCursor } = await list.page(cursor === undefined ? {} : { cursor })
    looked += data.length
    found.push(...data.filter((one) => !onlyFailed || !isAccepted(one)))
    const next = nextCursor ?? undefined
    if (next === undefined || found.length >= foundAtOnce) return { found, looked, next }
    cursor = next
  }
}

/** Whether the list is short enough to be loaded again and again. */
export const isShort = (pages: readonly Deliveries[]): boolean =>
  pages.length === 1 && (pages[0]?.looked ?? 0) <= lookedInPage
