import type { WebhookEvent } from '@exchequer/sdk/webhooks'
import { complete, type Order, orderMark, type SaleResult, type Shop } from './shop.ts'

/** The order that a new hold is for. Undefined for other events, and for holds of other programs. */
export function orderOf(event: WebhookEvent): { order: Order; holdId: string } | undefined {
  if (event.type !== 'hold.created') return undefined
  const { holdId, fromId, tokens, reason, reference, metadata } = event.data
  const { shop } = (metadata ?? {}) as { readonly shop?: unknown }
  // Without ids and texts the buyer was erased since.
  if (shop !== orderMark.shop || !holdId || !fromId || !reference || !reason) return undefined
  return { order: { id: reference, buyerId: fromId, item: reason, price: tokens }, holdId }
}

/**
 * Delivers the order of a `hold.created` webhook, and charges for it. The webhook needs `includeDetails`.
 * Each step has a key derived from the order, so that handling an event twice delivers and charges once.
 */
export async function fulfil(shop: Shop, event: WebhookEvent): Promise<SaleResult | undefined> {
  const found = orderOf(event)
  return found && complete(shop, found.order, shop.realm.hold(found.holdId))
}
