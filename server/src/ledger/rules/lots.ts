/** An amount of points that lapse on one day. */
export type Lot = { readonly day: number; readonly amount: bigint }

/** In ascending order of their days, each day once. */
export type Lots = readonly Lot[]

/** The day of points that do not lapse: after all others. */
export const undated = 2_147_483_647

/** A balance has at most so many: its text is read and written with each of its entries. */
export const lotsCap = 400

/** `20850:60,20881:40`; empty without points. */
export const printLots = (lots: Lots): string => lots.map(({ day, amount }) => `${day}:${amount}`).join(',')

export function parseLots(text: string): Lots {
  if (text === '') return []
  return text.split(',').map((part) => {
    const [day = '', amount = ''] = part.split(':')
    return { day: Number(day), amount: BigInt(amount) }
  })
}

const form = /^(?:[1-9][0-9]{0,9}:[1-9][0-9]{0,15}(?:,(?!$)|$))*$/

/** Whether a text is that of lots, in their only order. */
export function isLots(text: string): boolean {
  if (!form.test(text)) return false
  const lots = parseLots(text)
  return lots.every(({ day }, at) => day <= undated && day > (lots[at - 1]?.day ?? 0))
}

export const sumOf = (lots: Lots): bigint => lots.reduce((sum, { amount }) => sum + amount, 0n)

/** Any lots in their order, those of one day as one. */
function ordered(lots: readonly Lot[]): Lots {
  const byDay = new Map<number, bigint>()
  for (const { day, amount } of lots) byDay.set(day, (byDay.get(day) ?? 0n) + amount)
  return Array.from(byDay, ([day, amount]) => ({ day, amount })).sort((a, b) => a.day - b.day)
}

export const addLots = (some: Lots, more: Lots): Lots => ordered([...some, ...more])

export type Taking = { readonly taken: Lots; readonly left: Lots }

/** The soonest first. Fewer points than asked for are an error of the caller. */
export function takeSoonest(lots: Lots, amount: bigint): Taking {
  const taken: Lot[] = []
  const left: Lot[] = []
  let due = amount
  for (const lot of lots) {
    const some = lot.amount < due ? lot.amount : due
    if (some > 0n) taken.push({ day: lot.day, amount: some })
    if (some < lot.amount) left.push({ day: lot.day, amount: lot.amount - some })
    due -= some
  }
  if (due > 0n) throw new Error(`the lots ${printLots(lots)} have fewer than ${amount} points`)
  return { taken, left }
}

/** Points of these lots' days first, then the soonest. */
export function takeThese(lots: Lots, wanted: Lots, amount: bigint): Taking {
  const own = new Map(lots.map((lot) => [lot.day, lot.amount]))
  const taken: Lot[] = []
  let due = amount
  for (const { day, amount: most } of wanted) {
    const some = [most, own.get(day) ?? 0n, due].reduce((least, one) => (one < least ? one : least))
    if (some <= 0n) continue
    taken.push({ day, amount: some })
    own.set(day, (own.get(day) ?? 0n) - some)
    due -= some
  }
  const others = Array.from(own, ([day, left]) => ({ day, amount: left })).filter((lot) => lot.amount > 0n)
  const rest = takeSoonest(others, due)
  return { taken: addLots(taken, rest.taken), left: rest.left }
}

/** What comes back can be used for a while: no lot lapses before `day`. */
export const raise = (lots: Lots, day: number): Lots =>
  ordered(lots.map((lot) => ({ ...lot, day: Math.max(lot.day, day) })))

/** Beyond the cap the two soonest lots become one, on the later of their days: no point lapses earlier. */
export function capped(lots: Lots): Lots {
  const over = lots.length - lotsCap
  if (over <= 0) return lots
  const soonest = lots.slice(0, over + 1)
  return [{ day: soonest.at(-1)?.day ?? undated, amount: sumOf(soonest) }, ...lots.slice(over + 1)]
}
