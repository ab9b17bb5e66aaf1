import type { Database } from '../../db/database.ts'
import type { FeedEntry, History } from '../../ledger/index.ts'
import type { TrackRow } from './deliveryStore.ts'
import type { TrackName } from './endpointStore.ts'
import { type EntryContext, type Event, eventsOf } from './entryEvents.ts'
import { isSelected } from './eventTypes.ts'
import { type NoticeRow, type ParkedRow, readNoticeEnd, readNotices } from './logStore.ts'

/** Reads the events of an endpoint's tracks: the journal, a part of it again, and the notices. */

/** Entries or notices that are read at once; while deliveries rest, a page lasts long. */
export const fullPage = 1_000
export const tightPage = 100

/** One event to send. `step` counts the events of its entry before it. */
export type Job = {
  readonly event: Event
  readonly step: number
  /** The event before it in the endpoint's selection; null for the first one, and in a replay. */
  readonly previous: bigint | null
}

/** The next events of a track. Once all are done, its position is `end`. */
export type Page = {
  readonly jobs: readonly Job[]
  readonly end: bigint
  /** Whether the track ends with this page. */
  readonly isLast: boolean
}

/** One entry or notice, with all its events. */
type Item = { readonly seq: bigint; readonly events: readonly Event[] }

export type Selection = EntryContext & { readonly realm: number; readonly types: readonly string[] | null }

export class Sources {
  readonly #db: Database
  readonly #history: Pick<History, 'feed'>

  constructor(db: Database, history: Pick<History, 'feed'>) {
    this.#db = db
    this.#history = history
  }

  /** Undefined when the track has nothing new. */
  async next(track: TrackRow, selection: Selection, limit: number): Promise<Page | undefined> {
    const { seq: after, until } = track
    if (placeNameOf(track.track) === 'n') return this.#nextNotices(track, selection, limit)
    const { items, isUpToDate } = await this.#entries(selection, after, limit)
    const wanted = items.filter(({ seq }) => until === null || seq < until)
    const end = wanted.at(-1)?.seq ?? after
    const isLast = until !== null && (end >= until - 1n || isUpToDate)
    if (wanted.length === 0 && !isLast) return undefined
    return { jobs: jobsOf(wanted, track, selection), end, isLast }
  }

  /** A parked event, whatever the endpoint selects now; undefined if it no longer exists. */
  async parked({ track, seq, event: id }: ParkedRow, selection: Selection): Promise<Event | undefined> {
    const [item] =
      placeNameOf(track) === 'n'
        ? await this.#notices(selection, { after: seq - 1n, upTo: seq, limit: 1 })
        : (await this.#entries(selection, seq - 1n, 2)).items
    return item?.events.find((event) => event.id === id)
  }

  async #nextNotices(track: TrackRow, selection: Selection, limit: number): Promise<Page | undefined> {
    const { until } = track
    const upTo =
      until === null ? await readNoticeEnd(this.#db.within([selection.realm]), selection.realm) : until - 1n
    if (until === null && upTo <= track.seq) return undefined
    const items = await this.#notices(selection, { after: track.seq, upTo, limit })
    // Those that were deleted meanwhile leave gaps.
    const end = items.length < limit ? upTo : (items.at(-1)?.seq ?? upTo)
    return { jobs: jobsOf(items, track, selection), end, isLast: until !== null && end >= upTo }
  }

  async #notices(
    { realm, realmId }: Selection,
    range: { readonly after: bigint; readonly upTo: bigint; readonly limit: number },
  ): Promise<Item[]> {
    const rows = await readNotices(this.#db.within([realm]), realm, range)
    return rows.map((row) => ({ seq: row.n, events: [noticeEvent(row, realmId)] }))
  }

  /** An entry is returned once the one after it is known: it shows whether the first one begins a batch. */
  async #entries(selection: Selection, after: bigint, limit: number) {
    const { pieces, end } = await this.#history.feed(selection.realm, { after, limit })
    const entries: FeedEntry[] = []
    if (end > after) for await (const piece of pieces) entries.push(...piece)
    const isUpToDate = (entries.at(-1)?.seq ?? end) >= end
    const known = isUpToDate || entries.length < 2 ? entries : entries.slice(0, -1)
    const items = known.map((entry, place): Item => {
      return { seq: entry.seq, events: eventsOf(entry, entries[place + 1], selection) }
    })
    return { items, isUpToDate }
  }
}

/** `memberId` is null for a member that was removed or erased. */
function noticeEvent({ n, mark, type, at_us: atUs, ...row }: NoticeRow, realmId: string): Event {
  const { account, member, after_seq: after } = row
  const about = account === null ? {} : { memberId: member === null ? null : String(member) }
  const said = JSON.parse(row.data) as object
  const data = { realmId, afterSeq: String(after), ...about, ...said }
  return { id: `evt_n${n}_${mark}`, type, atUs, seq: n, data }
}

/** The selected events, without those of the first entry that were done already. */
function jobsOf(items: readonly Item[], track: TrackRow, { types }: Selection): Job[] {
  const jobs: Job[] = []
  let { previous } = track
  for (const { seq, events } of items) {
    // Not if a notice was deleted: then the first one is another.
    const isBegun = seq === track.seq + 1n
    for (const [step, event] of events.entries()) {
      if (!isSelected(types, event.type) || (isBegun && step < track.step)) continue
      jobs.push({ event, step, previous: isReplayTrack(track.track) ? null : previous })
      previous = event.seq
    }
  }
  return jobs
}

/** Where a track is when so many jobs of a page are done. */
export function positionAfter(track: TrackRow, { jobs, end }: Page, done: number): TrackRow {
  const next = jobs[done]
  const previous = done === 0 ? track.previous : (jobs[done - 1]?.event.seq ?? null)
  if (!next) return { ...track, seq: end, step: 0, previous }
  return { ...track, seq: next.event.seq - 1n, step: next.step, previous }
}

const ofNotices: ReadonlySet<TrackName> = new Set(['notices', 'notice_replay'])
const ofReplays: ReadonlySet<TrackName> = new Set(['replay', 'notice_replay'])

export const placeNameOf = (track: TrackName): 'seq' | 'n' => (ofNotices.has(track) ? 'n' : 'seq')
export const isReplayTrack = (track: TrackName): boolean => ofReplays.has(track)
