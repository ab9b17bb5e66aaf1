import { type Hold, type Realm, RefusedError } from '@exchequer/sdk'

/**
 * A shop that charges points: hold, deliver, then capture the hold, or release it. It can crash between any
 * two steps. Sell the same order again, and it continues: no buyer pays twice, and no order is delivered
 * without payment. `sell` does it all; or `reserve` takes the order, and a webhook starts the rest.
 */
export type Order = {
  /** The shop's own order number. Store the order before selling it, so that it can be sold again. */
  readonly id: string
  readonly buyerId: string
  readonly item: string
  readonly price: number
}

export type Shop = {
  readonly realm: Realm
  /**
   * Delivers the item, once for each order id however often it is called. Throws if it can't deliver, having
   * delivered nothing.
   */
  readonly deliver: (order: Order) => Promise<void>
}

export type SaleResult = 'sold' | 'too few points' | 'not delivered' | 'over'

/**
 * How long points stay on hold: longer than the shop may ever be down with an unfinished order, as a
 * delivered item stays unpaid once the hold has expired.
 */
const reservedSeconds = 86_400
/** How long a delivery may take. With less time left on the hold, none is started. */
const deliveryMs = 60_000

/** Marks the holds of this shop, as other programs may hold points in the same realm. */
export const orderMark = { shop: 'examples' } as const

/** Each step has a key derived from the order. Repeated, it returns the first response. */
const step = (order: Order, name: string) => ({
  idempotencyKey: `order:${order.id}:${name}`,
  reference: order.id,
})

/** Holds the price: from here on these points can't be spent elsewhere. */
export function reserve(realm: Realm, order: Order): Promise<Hold> {
  const said = { reason: order.item, metadata: orderMark, expiresIn: reservedSeconds }
  return realm.member(order.buyerId).hold(order.price, { ...step(order, 'hold'), ...said })
}

async function deliverAndCharge({ deliver }: Shop, order: Order, hold: Hold): Promise<SaleResult> {
  const { status, expiresAt } = await hold.get()
  const isOpen = status === 'open'
  if (isOpen && Date.parse(expiresAt) - Date.now() < deliveryMs) {
    await hold.release({ ...step(order, 'release'), reason: 'too late' })
    return 'over'
  }
  if (isOpen) {
    try {
      await deliver(order)
    } catch {
      await hold.release({ ...step(order, 'release'), reason: 'not delivered' })
      return 'not delivered'
    }
  }
  // Captured before a crash: returns the first response. Released or expired: rejected, the order is over.
  await hold.capture(step(order, 'capture'))
  return 'sold'
}

/** Delivers an order whose price is held, and captures the hold. */
export async function complete(shop: Shop, order: Order, hold: Hold): Promise<SaleResult> {
  try {
    return await deliverAndCharge(shop, order, hold)
  } catch (error) {
    if (error instanceof RefusedError && error.code === 'hold_ended') return 'over'
    throw error // server not reached: complete the order again later
  }
}

export async function sell(shop: Shop, order: Order): Promise<SaleResult> {
  try {
    return await complete(shop, order, await reserve(shop.realm, order))
  } catch (error) {
    if (error instanceof RefusedError && error.code === 'insufficient_points') return 'too few points'
    throw error // server not reached: sell the order again later
  }
}
