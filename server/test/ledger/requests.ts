import type { EntryType } from '../../src/ledger/rules/entryTypes.ts'

/** Requests, entries and outcomes of the model. */
export type RequestDetails = {
  readonly id: string
  readonly reason: string | undefined
  readonly idempotencyKey: string | undefined
  readonly dry: boolean
  readonly ifMatch?: readonly bigint[] | undefined
}
export type Change = { readonly member: string; readonly tokens: bigint; readonly point: string | undefined }
export type Request = RequestDetails &
  (
    | ({ readonly kind: 'adjust' | 'opening' } & Change)
    | ({ readonly kind: 'transfer'; readonly recipient: string } & Change)
    | { readonly kind: 'batch'; readonly changes: readonly Change[] }
    | { readonly kind: 'reverse'; readonly entry: bigint }
    | ({ readonly kind: 'hold'; readonly forUs: bigint } & Change)
    | { readonly kind: 'capture'; readonly hold: bigint; readonly tokens: bigint | undefined }
    | { readonly kind: 'release' | 'expire'; readonly hold: bigint }
  )
export type RequestOf<Kind extends Request['kind']> = Request & { readonly kind: Kind }

/** An entry. An account is a member's id, `held` and its id for held points, or null for the realm itself. */
export type Line = {
  readonly seq: bigint
  readonly atUs: bigint
  readonly kind: EntryType
  readonly from: string | null
  readonly to: string | null
  readonly point: string
  readonly amount: bigint
  readonly fromBalance: bigint | null
  readonly toBalance: bigint | null
  readonly link: bigint | null
  readonly reason: string | undefined
  readonly idempotencyKey: string | undefined
}
export type About = Pick<Line, 'from' | 'to' | 'point'>
export type Answer =
  | {
      readonly code: 'done'
      readonly receipts: readonly Pick<Line, 'seq' | 'atUs' | 'amount' | 'fromBalance' | 'toBalance'>[]
      readonly about: About | undefined
      readonly replayed: boolean
    }
  | { readonly code: Rule; readonly requestId: string; readonly replayed: boolean }

/** The status of each rejection. */
export const statuses = {
  point_not_found: 404,
  member_not_found: 404,
  recipient_not_found: 404,
  entry_not_found: 404,
  hold_not_found: 404,
  precondition_failed: 412,
  same_member: 422,
  not_transferable: 422,
  member_frozen: 422,
  transfer_limit: 422,
  insufficient_points: 422,
  balance_limit: 422,
  already_reversed: 422,
  not_reversible: 422,
  hold_ended: 422,
  idempotency_key_reused: 422,
} as const
export type Rule = keyof typeof statuses

export type PointType = {
  readonly id: string
  readonly maxBalance: bigint | null
  readonly maxPerTransfer: bigint | null
  readonly transferable: boolean
}
/** The default point type first. */
export type ModelRealm = {
  readonly open: boolean
  readonly points: readonly PointType[]
  readonly members: readonly string[]
}

export type ModelHold = {
  readonly seq: bigint
  readonly member: string
  readonly point: string
  readonly amount: bigint
  readonly expiresUs: bigint
  readonly endedBy: bigint | null
}

/** No details, and no request. */
export const noDetails: RequestDetails = { id: '', reason: undefined, idempotencyKey: undefined, dry: false }

/** Everything that distinguishes requests, except the point type. */
export function meaningOf(request: Request): string {
  const { id: _, dry: __, idempotencyKey: ___, ...meant } = request
  const rest = 'member' in meant ? { ...meant, point: undefined, ifMatch: undefined } : meant
  return JSON.stringify(rest, (____, value) => (typeof value === 'bigint' ? String(value) : value))
}

/** A violated rule; the current request is rolled back. */
export class BrokenRule extends Error {
  readonly rule: Rule
  constructor(rule: Rule) {
    super(rule)
    this.rule = rule
  }
}

export function assertRule(isKept: boolean, rule: Rule): asserts isKept {
  if (!isKept) throw new BrokenRule(rule)
}
