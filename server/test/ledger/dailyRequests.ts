/** Requests and outcomes of the model. It uses no code of the server. */
export type DailyDetails = {
  readonly id: string
  readonly reason: string | undefined
  readonly idempotencyKey: string | undefined
  readonly dry: boolean
}
export type Change = { readonly member: string; readonly tokens: bigint; readonly point: string | undefined }
export type MatchCondition = { readonly ifMatch: readonly bigint[] | undefined }
export type Request = DailyDetails &
  (
    | ({ readonly kind: 'adjust' | 'opening' } & Change & MatchCondition)
    | ({ readonly kind: 'transfer'; readonly recipient: string } & Change & MatchCondition)
    | { readonly kind: 'batch'; readonly changes: readonly Change[] }
    | { readonly kind: 'reverse'; readonly entry: bigint }
    | ({ readonly kind: 'hold'; readonly forUs: bigint } & Change)
    | { readonly kind: 'capture'; readonly hold: bigint; readonly tokens: bigint | undefined }
    | { readonly kind: 'release' | 'expire'; readonly hold: bigint }
  )

/** An account: a member by id, `held` and its id for held points, null for the realm itself. */
export type Line = {
  readonly seq: bigint
  readonly atUs: bigint
  readonly kind:
    | 'adjust'
    | 'transfer'
    | 'reversal'
    | 'hold'
    | 'capture'
    | 'release'
    | 'expiry'
    | 'opening'
    | 'claim'
  readonly giver: string | null
  readonly receiver: string | null
  readonly point: string
  readonly amount: bigint
  readonly giverHas: bigint | null
  readonly receiverHas: bigint | null
  readonly link: bigint | null
  readonly reason: string | undefined
  readonly idempotencyKey: string | undefined
}
export type Receipt = Pick<Line, 'seq' | 'atUs' | 'amount' | 'giverHas' | 'receiverHas'>
export type About = Pick<Line, 'giver' | 'receiver' | 'point'>
export type Answer =
  | {
      readonly code: 'done'
      readonly receipts: readonly Receipt[]
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

export type Kind = {
  readonly id: string
  readonly maxBalance: bigint | null
  readonly maxPerTransfer: bigint | null
  readonly transferable: boolean
}
/** The default point type first. */
export type ModelRealm = {
  readonly open: boolean
  readonly kinds: readonly Kind[]
  readonly members: readonly string[]
}

export type ModelHold = {
  readonly seq: bigint
  readonly member: string
  readonly point: string
  readonly amount: bigint
  readonly expiresUs: bigint
  endedBy: bigint | null
}

/** Details are stored once, with the first entry. */
export const silent = (said: DailyDetails): DailyDetails => ({
  ...said,
  reason: undefined,
  idempotencyKey: undefined,
})

/** No details, and no request. */
export const unsaid: DailyDetails = { id: '', reason: undefined, idempotencyKey: undefined, dry: false }

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

export const canBeUndone = ['adjust', 'transfer', 'capture', 'opening']
export const limit = 9007199254740991n

/** Whom an answer is about, beside its receipts, and which points. */
export function aboutOf(
  request: Request,
  [line]: readonly Line[],
  holds: ReadonlyMap<bigint, ModelHold>,
): About | undefined {
  if (!line) return undefined
  const { giver, receiver, point } = line
  if (request.kind === 'hold') return { giver: request.member, receiver: null, point }
  if (request.kind === 'capture' || request.kind === 'release')
    return { giver: holds.get(request.hold)?.member ?? null, receiver: null, point }
  return request.kind === 'reverse' ? { giver, receiver, point } : undefined
}
