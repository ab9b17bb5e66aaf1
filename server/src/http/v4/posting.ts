import type { Caller } from '../../keys/index.ts'
import {
  type Command,
  type DetailsInput,
  fingerprintOf,
  makeDetails,
  type Outcome,
  type Receipts,
  requestOf,
} from '../../ledger/index.ts'
import { ok, okAgain, problem, type Reply, remembered } from '../problem.ts'
import { metadataText } from '../route/metadata.ts'
import type { Request } from '../route/route.ts'

/** What all changes share: their details in the request, the outcome in the response. */
export type ChangeDetails = {
  readonly reason?: string
  readonly reference?: string
  readonly metadata?: object
  readonly actorId?: string
}

/** As sent: it is what a fingerprint covers. */
function detailsOf({ reason, reference, metadata, actorId }: ChangeDetails): DetailsInput {
  return { reason, reference, metadata: metadataText(metadata), actorId }
}

/** What identifies a change: its kind, and its parameters in a fixed order. */
export type Meaning = {
  readonly kind: Command['kind']
  readonly said: readonly (string | undefined)[]
  readonly point?: string | undefined
}

type Asked = Pick<Request, 'requestId' | 'idempotencyKey' | 'query' | 'actors'> & {
  readonly caller: Caller
  readonly body: ChangeDetails | undefined
}

/** The parts of a command that all endpoints share. */
export function commandParts(asked: Asked, meaning: Meaning) {
  const { caller, body, requestId, idempotencyKey, query, actors } = asked
  const details = detailsOf(body ?? {})
  const actorId = actors?.get(details.actorId ?? '') ?? details.actorId
  const retry =
    idempotencyKey === undefined
      ? undefined
      : { request: requestOf(idempotencyKey), fingerprint: fingerprintOf({ ...meaning, details }) }
  const { realm, key } = caller
  const limits = caller.bounds?.moves
  return {
    realm,
    key,
    limits,
    requestId,
    retry,
    details: makeDetails({ ...details, actorId }),
    dry: isDry(query),
  }
}

export const isDry = (query: URLSearchParams): boolean => query.get('dryRun') === 'true'

/** Balances are at most 2^53 - 1, so a number holds them exactly. */
export const numberOf = (balance: bigint | null): number => Number(balance ?? 0n)

/** A dry run creates no entry, so it has no id: another entry will get that number. */
export function withoutId(body: object): object {
  const { transactionId: _, ...rest } = body as { readonly transactionId?: string }
  return rest
}

type Done = Outcome & { readonly kind: 'done' }

export function replyOf(
  outcome: Outcome,
  bodyOf: (receipts: Receipts, done: Done) => object,
  { dry = false }: { readonly dry?: boolean } = {},
): Reply {
  if (outcome.kind === 'recalled') return remembered(outcome.status, outcome.body)
  if (outcome.kind === 'done') {
    const body = bodyOf(outcome.receipts, outcome)
    // With a key that was already used, even a dry run returns the earlier outcome.
    const reply = outcome.replayed ? okAgain(body) : ok(dry ? { dryRun: true, ...withoutId(body) } : body)
    return outcome.survivor === undefined ? reply : { ...reply, survivor: outcome.survivor }
  }
  const reply = problem(outcome.refusal, outcome.requestId)
  return outcome.replayed ? remembered(reply.status, reply.body) : reply
}
