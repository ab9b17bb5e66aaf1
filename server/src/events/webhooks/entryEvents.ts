import { entryTypes, type FeedEntry } from '../../ledger/index.ts'
import { crossed, eventOfEntry } from './eventTypes.ts'

/** One event, before it is known which one precedes it in an endpoint's selection. */
export type Event = {
  readonly id: string
  readonly type: string
  /** When it happened, in microseconds since 1970. */
  readonly atUs: bigint
  /** Its entry in the journal, or its number among the notices. */
  readonly seq: bigint
  readonly data: Readonly<Record<string, unknown>>
}

export type Threshold = {
  readonly number: number
  readonly pointId: string
  readonly tokens: bigint
  /** It counts for the entries after this one, up to `toSeq`; null for no end. */
  readonly fromSeq: bigint
  readonly toSeq: bigint | null
}

export type EntryContext = {
  readonly realmId: string
  readonly includeDetails: boolean
  readonly thresholds: readonly Threshold[]
}

const text = (seq: bigint | null): string | null => (seq === null ? null : String(seq))
const number = (amount: bigint | null): number | null => (amount === null ? null : Number(amount))

/** The same for every endpoint, and after a retry or a replay; another history has other hashes. */
const idOf = ({ seq, hash }: FeedEntry): string => `evt_${seq}_${hash.slice(0, 16)}`

/**
 * The events of an entry, in the order in which they are sent. `follower` is the entry after it, if any: it
 * shows whether the entry is the first of a batch.
 */
export function eventsOf(entry: FeedEntry, follower: FeedEntry | undefined, context: EntryContext): Event[] {
  const shared = { realmId: context.realmId, transactionId: String(entry.seq), realmPointId: entry.pointId }
  const { seq, at_us: atUs } = entry
  const first: Event = {
    id: idOf(entry),
    type: eventOfEntry[entry.kindName],
    atUs,
    seq,
    data: {
      ...shared,
      tokens: Number(entry.amount),
      fromId: entry.fromId,
      fromBalance: number(entry.from_balance),
      toId: entry.toId,
      toBalance: number(entry.to_balance),
      ...linksOf(entry, follower),
      ...(context.includeDetails ? detailsOf(entry) : {}),
    },
  }
  const crossings = context.thresholds
    .filter((threshold) => countsFor(threshold, entry))
    .flatMap((threshold) => crossingsOf(entry, threshold))
    .sort((a, b) => sides.indexOf(a.side) - sides.indexOf(b.side))
  return [first, ...crossings.map((crossing) => crossingEvent(entry, crossing, shared))]
}

/** The meaning of an entry's link depends on its type. */
function linksOf({ seq, kindName, link }: FeedEntry, follower: FeedEntry | undefined) {
  const rules: {
    readonly number: number
    readonly endsHold?: true
    readonly endsAward?: true
    readonly isBatched?: true
  } = entryTypes[kindName]
  const isFirst = follower?.link === seq && follower.kindName === kindName
  return {
    reverses: kindName === 'reversal' ? text(link) : null,
    holdId: kindName === 'hold' ? String(seq) : rules.endsHold ? text(link) : null,
    awardId: kindName === 'award' ? String(seq) : rules.endsAward ? text(link) : null,
    batchId: rules.isBatched ? text(link ?? (isFirst ? seq : null)) : null,
  }
}

/** Numbers keep their digits: metadata may have more of them than a double. */
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown }
const parseExactly = JSON.parse as (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => Readonly<Record<string, unknown>>

/** As in the journal: the details of a batch are with its first entry. */
function detailsOf({ said, batchSaid }: FeedEntry) {
  const details = parseExactly(said?.text ?? batchSaid ?? '{}', (_, value, { source }) =>
    typeof value === 'number' && source !== undefined ? rawJSON(source) : value,
  )
  const { reason = null, reference = null, metadata = null, actorId = null } = details
  return { reason, reference, metadata, actorId }
}

const countsFor = ({ pointId, fromSeq, toSeq }: Threshold, { pointId: point, seq }: FeedEntry): boolean =>
  pointId === point && seq > fromSeq && (toSeq === null || seq <= toSeq)

const sides = ['from', 'to'] as const

type Crossing = {
  readonly threshold: Threshold
  readonly side: (typeof sides)[number]
  readonly memberId: string | null
  readonly before: bigint
  readonly after: bigint
}

/** Members' available points only: the realm has no balance, and held points are on accounts below zero. */
function crossingsOf(entry: FeedEntry, threshold: Threshold): Crossing[] {
  const { amount, from_account: from, to_account: to, from_balance: left, to_balance: had } = entry
  const found: Crossing[] = []
  if (from > 0 && left !== null)
    found.push({ threshold, side: 'from', memberId: entry.fromId, before: left + amount, after: left })
  if (to > 0 && had !== null)
    found.push({ threshold, side: 'to', memberId: entry.toId, before: had - amount, after: had })
  return found.filter(({ before, after }) => before < threshold.tokens !== after < threshold.tokens)
}

function crossingEvent(entry: FeedEntry, crossing: Crossing, shared: object): Event {
  const { threshold, side, memberId, before, after } = crossing
  return {
    id: `${idOf(entry)}_${threshold.number}_${side}`,
    type: crossed,
    atUs: entry.at_us,
    seq: entry.seq,
    data: {
      ...shared,
      memberId,
      thresholdId: String(threshold.number),
      threshold: Number(threshold.tokens),
      direction: after > before ? 'up' : 'down',
      oldBalance: Number(before),
      newBalance: Number(after),
    },
  }
}
