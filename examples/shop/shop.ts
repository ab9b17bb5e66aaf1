import { type Realm, RefusedError } from '@exchequer/sdk'

/**
 * A shop that takes points: reserve, deliver, then spend what was reserved, or give it back. It can die
 * between any two steps. Sell the same order again, and it goes on where it was: nobody pays twice, and
 * nobody is served without paying.
 */
export type Order = {
  /** The shop's own number. Write the order down before it is sold, so that it can be sold again. */
  readonly id: string
  readonly buyerId: string
  readonly item: string
  readonly price: number
}

export type Shop = {
  readonly realm: Realm
  /**
   * Hands the item over, once for each order id however often it is called. Throws when it can't be, having
   * delivered nothing.
   */
  readonly deliver: (order: Order) => Promise<void>
}

export type Sold = 'sold' | 'too few points' | 'not delivered' | 'over'

/**
 * How long points stay reserved: longer than the shop may ever be down with an order half done, as what was
 * delivered is not paid for when this has run out.
 */
const reservedSeconds = 86_400
/** How long a delivery may take. With less time left none is begun. */
const deliveryMs = 60_000

export async function sell({ realm, deliver }: Shop, order: Order): Promise<Sold> {
  // Each step has a key made from the order. Done a second time, it is answered as the first time.
  const step = (name: string) => ({ idempotencyKey: `order:${order.id}:${name}`, reference: order.id })
  try {
    // From here on nobody can spend these points elsewhere.
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
    // Captured before the shop died: the first answer again. Released or run out: refused, the order is over.
    await hold.capture(step('capture'))
    return 'sold'
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error // not reached: sell the order again later
    if (error.code === 'insufficient_points') return 'too few points'
    if (error.code === 'hold_ended') return 'over'
    throw error
  }
}
