import type { RangeOptions } from './ranges.ts'
import type { AnswerOf, BodyOf, CallOptions } from './routes.ts'
import type { Settings } from './transport.ts'

export type Includes = AnswerOf<'POST /members/includes'>
export type RealmData = AnswerOf<'GET /'>
export type RealmChange = BodyOf<'PATCH /'>
export type EntryData = AnswerOf<'GET /entries/{transactionID}'>
export type CheckpointData = AnswerOf<'GET /checkpoint'>
export type Statistics = AnswerOf<'GET /statistics'>

/** Which days; the last 30 by default. */
export type StatisticsOptions = CallOptions & RangeOptions

export type RealmSettings = Settings & {
  /** The realm's id. */
  readonly realm: string
}
