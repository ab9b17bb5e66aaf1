/** Typed client of Exchequer, a points ledger for communities. */
export type { Act, AuditPage } from './audit.ts'
export type { ChangeOptions, OnceOptions, PutOptions } from './change.ts'
export type {
  BatchEntry,
  BatchResult,
  ChangeOutcome,
  ChangesOptions,
  ListedChange,
  ReversalFilter,
  ReversalResult,
  ReversedMany,
  ReverseOptions,
} from './changes.ts'
export type { Env } from './env.ts'
export {
  type Code,
  ExchequerError,
  type Facts,
  type Fault,
  ForbiddenError,
  InvalidRequestError,
  MovedError,
  NotFoundError,
  type Problem,
  RateLimitedError,
  RefusedError,
  UnauthorizedError,
  UnavailableError,
} from './errors.ts'
export type { ExportFile, ExportName } from './export.ts'
export type {
  CaptureOptions,
  CaptureResult,
  EndOptions,
  Hold,
  HoldData,
  HoldOptions,
  HoldPage,
  NewHold,
  ReleaseResult,
} from './hold.ts'
export type { MemberId } from './ids.ts'
export type { ImportOptions, ImportResult } from './import.ts'
export type { FollowOptions, JournalEntry, JournalHead, JournalOptions, JournalPage } from './journal.ts'
export type * from './keys.ts'
export type { BoardOptions, Leaderboard, LeaderboardOptions, RankedMember } from './leaderboard.ts'
export { List, type ListOptions, type PageOf, type PageOptions } from './list.ts'
export type * from './member.ts'
export type * from './members.ts'
export {
  type Health,
  type ListedRealm,
  type NewRealm,
  type NewRealmOptions,
  type OperatedRealm,
  type OperatedRealmChange,
  Operator,
  type OperatorKeys,
  type OperatorRealm,
  type OperatorSettings,
  type RealmFilter,
} from './operator.ts'
export type * from './operators.ts'
export type * from './people.ts'
export type * from './points.ts'
export type { Moment, RangeOptions } from './ranges.ts'
export * from './realm.ts'
export type * from './realmTypes.ts'
export { type ResponseData, responseOf } from './response.ts'
export type { CallOptions } from './routes.ts'
export type * from './snapshots.ts'
export type { Source } from './text.ts'
export type * from './tokens.ts'
export { type Answer, type Call, type Settings, Transport } from './transport.ts'
export type { OperatorOperations, RealmOperations } from './types.ts'
export type * from './webhookEndpoints.ts'
