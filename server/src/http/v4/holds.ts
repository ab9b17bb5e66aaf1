import { invalid } from '../../errors.ts'
import type { Holds, Outcome } from '../../ledger/index.ts'
import { refuseBoth } from '../route/expiry.ts'
import { realmRoute } from '../route/route.ts'
import {
  balance,
  detailFields,
  dryRun,
  dryRunAnswer,
  memberIdParam,
  plainTokens,
  pointId,
  realmIdParam,
  saidFields,
  Type,
  time,
  transactionId,
  transactionIdParam,
} from '../route/schemas.ts'
import { microsecondsOf } from '../route/times.ts'
import { dateOf, holdFields, holdReads } from './getHolds.ts'
import { commandParts, numberOf, replyOf } from './posting.ts'

const base = '/api/v4/realms/{realmID}'
const mostSeconds = 31 * 24 * 60 * 60
const usualSeconds = 15 * 60

const params = { realmID: realmIdParam, holdID: transactionIdParam }
const emptyBody = Type.Object(saidFields, { description: 'A JSON object, which may be empty.' })
/** When a hold expires, and the part of the fingerprint that distinguishes such requests. */
function lastingOf(body: { readonly expiresIn?: number; readonly expiresAt?: string }) {
  refuseBoth(body)
  const { expiresIn = usualSeconds, expiresAt } = body
  const forUs = BigInt(expiresIn) * 1_000_000n
  if (expiresAt === undefined) return { forUs, untilUs: undefined, text: String(expiresIn) }
  const lastsMs = Date.parse(expiresAt) - Date.now()
  if (lastsMs <= 0 || lastsMs > mostSeconds * 1000)
    throw invalid('/expiresAt', `Expected a time in the future, at most ${mostSeconds} seconds from now.`)
  const untilUs = microsecondsOf(expiresAt)
  return { forUs, untilUs, text: `until ${untilUs}` }
}

const heldAnswer = Type.Record(pointId, balance, {
  title: 'Balances',
  description: 'The member’s held points after the change, by point type.',
})

type Points = { readonly point: string } | undefined

const heldOf = (about: Points, held: bigint | null): Readonly<Record<string, number>> =>
  about ? { [about.point]: numberOf(held) } : {}

type Of = { readonly realm: number; readonly hold: bigint }

/** The balance after a capture: the rest was released, or it has not changed since the hold. */
async function balanceAfter(outcome: Outcome, holds: Holds, { realm, hold }: Of): Promise<number> {
  if (outcome.kind !== 'done') return 0
  const [{ seq }, released] = outcome.receipts
  return numberOf(released ? released.toBalance : await holds.spendable(realm, hold, seq))
}

const hold = realmRoute(
  {
    operationId: 'createHold',
    tag: 'Holds',
    methods: ['POST'],
    path: `${base}/members/{memberID}/holds`,
    summary: 'Hold points',
    description:
      'Reserves a member’s points: they can’t be spent until the hold is captured or released, or has ' +
      'expired. Held points are not in the balance, but in `held`.',
    params: { realmID: realmIdParam, memberID: memberIdParam },
    query: dryRun,
    writes: true,
    scope: 'points:write',
    idempotent: 'journal',
    conditional: true,
    body: Type.Object(
      {
        tokens: plainTokens,
        expiresIn: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: mostSeconds,
            description: `Seconds, from 1 to ${mostSeconds}; ${usualSeconds} by default.`,
          }),
        ),
        expiresAt: Type.Optional(time),
        ...detailFields,
      },
      { description: 'A JSON object with tokens.' },
    ),
    creates: `${base}/holds/{holdID}`,
    createdId: 'holdId',
    answer: Type.Object({
      ...holdFields,
      transactionId,
      newBalance: balance,
      held: heldAnswer,
      ...dryRunAnswer,
    }),
    refusals: [
      'member_not_found',
      'point_not_found',
      'precondition_failed',
      'member_frozen',
      'insufficient_points',
      'key_limit',
    ],
  },
  async (request, { ledger }) => {
    const { body, ifMatch } = request
    const { tokens: asked, realmPointId: point } = body
    const { forUs, untilUs, text } = lastingOf(body)
    const change = { member: request.params.memberID, tokens: BigInt(asked), point }
    const said = [change.member, String(change.tokens), text]
    const parts = commandParts(request, { kind: 'hold', said, point })
    const outcome = await ledger.post({ kind: 'hold', ...change, forUs, untilUs, ifMatch, ...parts })
    return replyOf(
      outcome,
      ([{ seq, atUs, amount, fromBalance, toBalance }], { about, replayed }) => ({
        ...(parts.dry && !replayed ? {} : { holdId: String(seq), transactionId: String(seq) }),
        memberId: about?.from ?? change.member,
        realmPointId: about?.point,
        tokens: numberOf(amount),
        expiresAt: dateOf(untilUs ?? atUs + forUs),
        status: 'open',
        endedBy: null,
        newBalance: numberOf(fromBalance),
        held: heldOf(about, toBalance),
      }),
      parts,
    )
  },
)

const capture = realmRoute(
  {
    operationId: 'captureHold',
    tag: 'Holds',
    methods: ['POST'],
    path: `${base}/holds/{holdID}/capture`,
    summary: 'Capture a hold',
    description: 'Spends the held points, or the part in `tokens`; the rest is released.',
    params,
    query: dryRun,
    writes: true,
    scope: 'points:write',
    idempotent: 'journal',
    conditional: true,
    body: Type.Object(
      { tokens: Type.Optional(plainTokens), ...saidFields },
      { description: 'A JSON object, which may be empty.' },
    ),
    bodyRequired: false,
    answer: Type.Object({
      transactionId,
      holdId: transactionId,
      status: Type.Literal('captured'),
      captured: balance,
      released: balance,
      newBalance: balance,
      held: heldAnswer,
      ...dryRunAnswer,
    }),
    refusals: [
      'hold_not_found',
      'precondition_failed',
      'hold_ended',
      'member_frozen',
      'insufficient_points',
      'balance_limit',
      'key_limit',
    ],
  },
  async (request, { ledger, holds }) => {
    const { ifMatch } = request
    const holdId = request.params.holdID
    const asked = (request.body as typeof request.body | undefined)?.tokens
    const tokens = asked === undefined ? undefined : BigInt(asked)
    const parts = commandParts(request, { kind: 'capture', said: [holdId, tokens?.toString()] })
    const outcome = await ledger.post({ kind: 'capture', hold: BigInt(holdId), tokens, ifMatch, ...parts })
    const newBalance = await balanceAfter(outcome, holds, {
      realm: request.caller.realm,
      hold: BigInt(holdId),
    })
    return replyOf(
      outcome,
      ([captured, released], { about }) => ({
        transactionId: String(captured.seq),
        holdId,
        status: 'captured',
        captured: numberOf(captured.amount),
        released: numberOf(released?.amount ?? null),
        newBalance,
        held: heldOf(about, (released ?? captured).fromBalance),
      }),
      parts,
    )
  },
)

const release = realmRoute(
  {
    operationId: 'releaseHold',
    tag: 'Holds',
    methods: ['POST'],
    path: `${base}/holds/{holdID}/release`,
    summary: 'Release a hold',
    description: 'Returns the held points to the balance.',
    params,
    query: dryRun,
    writes: true,
    scope: 'points:write',
    idempotent: 'journal',
    conditional: true,
    body: emptyBody,
    bodyRequired: false,
    answer: Type.Object({
      transactionId,
      holdId: transactionId,
      status: Type.Literal('released'),
      released: balance,
      newBalance: balance,
      held: heldAnswer,
      ...dryRunAnswer,
    }),
    refusals: ['hold_not_found', 'precondition_failed', 'hold_ended', 'balance_limit'],
  },
  async (request, { ledger }) => {
    const { ifMatch } = request
    const holdId = request.params.holdID
    const parts = commandParts(request, { kind: 'release', said: [holdId] })
    const outcome = await ledger.post({ kind: 'release', hold: BigInt(holdId), ifMatch, ...parts })
    return replyOf(
      outcome,
      ([{ seq, amount, fromBalance, toBalance }], { about }) => ({
        transactionId: String(seq),
        holdId,
        status: 'released',
        released: numberOf(amount),
        newBalance: numberOf(toBalance),
        held: heldOf(about, fromBalance),
      }),
      parts,
    )
  },
)

export const holdRoutes = [hold, capture, release, ...holdReads]
