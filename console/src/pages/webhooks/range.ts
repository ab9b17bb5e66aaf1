import type { Realm } from '@exchequer/sdk'
import { dayAfter } from '../../days.ts'

/** Which entries to send again, as the form has it. Both ends are included. */
export type RangeDraft = {
  readonly by: 'day' | 'entry'
  readonly firstDay: string
  readonly lastDay: string
  readonly firstEntry: string
  readonly lastEntry: string
}

/** Entries by number; `last` is included. */
export type EntryRange = { readonly first: bigint; readonly last: bigint }

const isSeq = (text: string): boolean => /^[1-9][0-9]{0,18}$/.test(text)

/** Undefined when there is no entry in it, or an end is missing or wrong. */
export function rangeByEntry(
  { firstEntry, lastEntry }: Pick<RangeDraft, 'firstEntry' | 'lastEntry'>,
  head: bigint,
): EntryRange | undefined {
  const [from, to] = [firstEntry.trim(), lastEntry.trim()]
  if (!isSeq(from) || !isSeq(to)) return undefined
  const last = BigInt(to) > head ? head : BigInt(to)
  return BigInt(from) <= last ? { first: BigInt(from), last } : undefined
}

/** The entries of whole days, in the realm's time zone. */
export async function rangeByDay(
  client: Pick<Realm, 'journal'>,
  { firstDay, lastDay }: Pick<RangeDraft, 'firstDay' | 'lastDay'>,
  head: bigint,
): Promise<EntryRange | undefined> {
  const firstOn = async (day: string): Promise<bigint> => {
    const { data } = await client.journal({ from: day }).page({ limit: 1 })
    return data[0] ? BigInt(data[0].seq) : head + 1n
  }
  const [first, end] = [await firstOn(firstDay), await firstOn(dayAfter(lastDay))]
  return first < end ? { first, last: end - 1n } : undefined
}
