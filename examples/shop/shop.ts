import { type Realm, RefusedError } from '@exchequer/sdk'

/**
 * A shop that charges points: hold, deliver, then capture the hold, or release it. It can crash between any
 * two steps. Sell the same order again, and it continues: no buyer pays twice, and no order is delivered
 * without payment.
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

export async function sell({ realm, deliver }: Shop, order: Order): Promise<SaleResult> {
  // Each step has a key derived from the order. Repeated, it returns the first response.
  const step = (name: string) => ({ idempotencyKey: `order:${order.id}:${name}`, reference: order.id })
  try {
    // From here on these points can't be spent elsewhere.
    const hold = await realm
      .member(order.buyerId)
      .hold(order.price, { ...step('hold'), reason: order.item, expiresIn: reservedSeconds })
    const { status, expiresAt } = await hold.get()
    const open = status === 'open'
    if (open && Date.parse(expiresAt) - Date.now() < deliveryMs) {
      await hold.release({ ...step('release'), reason: 'too late' })
      return 'over'
    }
    if (open) {
      try {
        await deliver(order)
      } catch {
        await hold.release({ ...step('release'), reason: 'not delivered' })
        return 'not delivered'
      }
    }
    // Captured before a crash: returns the first response. Released or expired: rejected, the order is over.
    await hold.capture(step('capture'))
    return 'sold'
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error // server not reached: sell the order again later
    if (error.code === 'insufficient_points') return 'too few points'
    if (error.code === 'hold_ended') return 'over'
    throw error
  }
}
