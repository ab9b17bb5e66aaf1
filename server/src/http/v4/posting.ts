import { invalid } from '../../errors.ts'
import type { Caller } from '../../keys/keys.ts'
import {
  type Details,
  type DetailsInput,
  fingerprintOf,
  makeDetails,
  type Outcome,
  type Receipt,
  requestOf,
} from '../../ledger/ledger.ts'
import { canonicalJson } from '../json.ts'
import { ok, problem, type Reply, remembered, replayed } from '../problem.ts'
import type { Request } from '../route.ts'

/** What the two PATCHes have in common: their details in, the outcome out. */
type Said = {
  readonly realmPointId?: string
  readonly reason?: string
  readonly reference?: string
  readonly metadata?: object
  readonly actorId?: string
}

const metadataCapBytes = 2048

function detailsOf({ reason, reference, metadata, actorId }: Said): DetailsInput {
  const json = metadata === undefined ? undefined : canonicalJson(metadata)
  if (json !== undefined && Buffer.byteLength(json) > metadataCapBytes) {
    throw invalid('/metadata', `Expected a JSON object, at most ${metadataCapBytes} bytes as JSON.`)
  }
  return { reason, reference, metadata: json, actorId }
}

export type Posting = {
  readonly kind: 'adjust' | 'transfer'
  readonly recipient?: string
  readonly tokens: bigint
}

/** The parts of a command that are not the endpoint's own. */
export function commandParts(
  { caller, params, body, requestId, idempotencyKey }: Request<Said> & { readonly caller: Caller },
  posting: Posting,
) {
  const said = detailsOf(body)
  const member = params['memberID'] ?? ''
  const point = body.realmPointId
  const details: Details | undefined = makeDetails(said)
  const retry =
    idempotencyKey === undefined
      ? undefined
      : {
          request: requestOf(idempotencyKey),
          fingerprint: fingerprintOf({ ...posting, member, point, details: said }),
        }
  const { realm, key } = caller
  return { realm, key, requestId, member, tokens: posting.tokens, point, retry, details }
}

/** Balances are at most 2^53 - 1, so a number holds them exactly. */
export const numberOf = (balance: bigint | null): number => Number(balance ?? 0n)

export function replyOf(outcome: Outcome, bodyOf: (receipt: Receipt) => object): Reply {
  if (outcome.kind === 'recalled') return remembered(outcome.status, outcome.body)
  if (outcome.kind === 'done') return ok(bodyOf(outcome.receipt), outcome.replayed ? replayed : undefined)
  const reply = problem(outcome.refusal, outcome.requestId)
  return outcome.replayed ? remembered(reply.status, reply.body) : reply
}
