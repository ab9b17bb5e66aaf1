import type { EntryType } from '../../ledger/index.ts'
import { type NoticeType, noticeTypes } from '../../notices/index.ts'

/** The event of each type of entry. Two types may share one. */
export const eventOfEntry = {
  adjust: 'points.adjusted',
  opening: 'points.adjusted',
  transfer: 'points.transferred',
  reversal: 'points.reversed',
  claim: 'points.claimed',
  lapse: 'points.lapsed',
  merge: 'points.merged',
  hold: 'hold.created',
  capture: 'hold.captured',
  release: 'hold.released',
  expiry: 'hold.expired',
  award: 'award.created',
  grant: 'award.granted',
  cancel: 'award.cancelled',
} as const satisfies Readonly<Record<EntryType, string>>

export const crossed = 'balance.crossed'

/** Sent only on request, whatever an endpoint selects. */
export const testType = 'endpoint.test'

export type EventType = (typeof eventOfEntry)[EntryType] | typeof crossed | NoticeType

/** What an endpoint can select. */
export const eventTypes: readonly EventType[] = [
  ...new Set<EventType>([...Object.values(eventOfEntry), crossed, ...noticeTypes]),
]

/** Null selects every type, also those of later releases. */
export const isSelected = (types: readonly string[] | null, type: string): boolean =>
  types === null || types.includes(type)
