/** Typed client of Exchequer, the points ledger of a community. */
export type { ChangeOptions } from './change.ts'
export * from './errors.ts'
export {
  type Captured,
  type CaptureOptions,
  type EndOptions,
  Hold,
  type HoldOptions,
  type Released,
} from './hold.ts'
export type { MemberId } from './ids.ts'
export {
  type Adjusted,
  type HistoryEntry,
  type HistoryOptions,
  Member,
  type MemberData,
  type ReadMember,
  type Transferred,
  type Web3Data,
} from './member.ts'
export * from './realm.ts'
export { type Answer, type Call, type Settings, Transport } from './transport.ts'
export type { OperatorOperations, RealmOperations } from './types.ts'
