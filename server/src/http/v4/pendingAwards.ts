import { invalid } from '../../errors.ts'
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
  timeThat,
  timeWords,
  transactionId,
  transactionIdParam,
} from '../route/schemas.ts'
import { microsecondsOf } from '../route/times.ts'
import { dateOf } from './getHolds.ts'
import { awardFields, awardReads } from './getPendingAwards.ts'
import { commandParts, numberOf, replyOf } from './posting.ts'

const base = '/api/v4/realms/{realmID}'
const mostDays = 1_826
const mostMs = mostDays * 24 * 60 * 60 * 1000

const params = { realmID: realmIdParam, awardID: transactionIdParam }
const emptyBody = Type.Object(saidFields, { description: 'A JSON object, which may be empty.' })

const pendingAnswer = Type.Record(pointId, balance, {
  title: 'Balances',
  description: 'The member’s pending points after the change, by point type.',
})

type Points = { readonly point: string } | undefined

const pendingBody = (about: Points, pending: bigint | null): Readonly<Record<string, number>> =>
  about ? { [about.point]: numberOf(pending) } : {}

/** A time that has passed is valid: a retry may come after it. */
function grantUsOf(grantAt: string | undefined): bigint | undefined {
  if (grantAt === undefined) return undefined
  if (Date.parse(grantAt) - Date.now() > mostMs)
    throw invalid('/grantAt', `Expected a time at most ${mostDays} days from now.`)
  return microsecondsOf(grantAt)
}

const create = realmRoute(
  {
    operationId: 'createAward',
    tag: 'Awards',
    methods: ['POST'],
    path: `${base}/members/{memberID}/awards`,
    summary: 'Promise points',
    description:
      'Points that the member receives later: when the award is granted, or at `grantAt`. Until then they ' +
      'can’t be spent, and are not in the balance, but in `pending`. The limit of a balance applies to the ' +
      'grant.',
    params: { realmID: realmIdParam, memberID: memberIdParam },
    query: dryRun,
    writes: true,
    scope: 'points:write',
    idempotent: 'journal',
    conditional: true,
    body: Type.Object(
      {
        tokens: plainTokens,
        grantAt: Type.Optional(
          timeThat(
            `${timeWords} Grants the award then, without a request; at most ${mostDays} days from now. By ` +
              'default it is granted only on request.',
          ),
        ),
        ...detailFields,
      },
      { description: 'A JSON object with tokens.' },
    ),
    creates: `${base}/awards/{awardID}`,
    createdId: 'awardId',
    answer: Type.Object({ ...awardFields, transactionId, pending: pendingAnswer, ...dryRunAnswer }),
    refusals: ['member_not_found', 'point_not_found', 'precondition_failed', 'balance_limit', 'key_limit'],
  },
  async (request, { ledger }) => {
    const { body, ifMatch } = request
    const { tokens: asked, realmPointId: point, grantAt } = body
    const grantUs = grantUsOf(grantAt)
    const change = { member: request.params.memberID, tokens: BigInt(asked), point }
    const said = [change.member, String(change.tokens), grantUs?.toString()]
    const parts = commandParts(request, { kind: 'award', said, point })
    const outcome = await ledger.post({ kind: 'award', ...change, grantUs, ifMatch, ...parts })
    return replyOf(
      outcome,
      ([{ seq, amount, toBalance }], { about, replayed }) => ({
        ...(parts.dry && !replayed ? {} : { awardId: String(seq), transactionId: String(seq) }),
        memberId: about?.to ?? change.member,
        realmPointId: about?.point,
        tokens: numberOf(amount),
        grantAt: grantUs === undefined ? null : dateOf(grantUs),
        status: 'pending',
        endedBy: null,
        postponedBy: null,
        pending: pendingBody(about, toBalance),
      }),
      parts,
    )
  },
)

const grant = realmRoute(
  {
    operationId: 'grantAward',
    tag: 'Awards',
    methods: ['POST'],
    path: `${base}/awards/{awardID}/grant`,
    summary: 'Grant an award',
    description: 'Adds the promised points to the balance, also before `grantAt`.',
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
      awardId: transactionId,
      status: Type.Literal('granted'),
      granted: balance,
      newBalance: balance,
      pending: pendingAnswer,
      ...dryRunAnswer,
    }),
    refusals: ['award_not_found', 'precondition_failed', 'award_ended', 'balance_limit', 'key_limit'],
  },
  async (request, { ledger }) => {
    const { ifMatch } = request
    const awardId = request.params.awardID
    const parts = commandParts(request, { kind: 'grant', said: [awardId] })
    const outcome = await ledger.post({ kind: 'grant', award: BigInt(awardId), ifMatch, ...parts })
    return replyOf(
      outcome,
      ([{ seq, amount, fromBalance, toBalance }], { about }) => ({
        transactionId: String(seq),
        awardId,
        status: 'granted',
        granted: numberOf(amount),
        newBalance: numberOf(toBalance),
        pending: pendingBody(about, fromBalance),
      }),
      parts,
    )
  },
)

const cancel = realmRoute(
  {
    operationId: 'cancelAward',
    tag: 'Awards',
    methods: ['POST'],
    path: `${base}/awards/{awardID}/cancel`,
    summary: 'Cancel an award',
    description: 'The member does not receive the promised points. Its balance does not change.',
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
      awardId: transactionId,
      status: Type.Literal('cancelled'),
      cancelled: balance,
      pending: pendingAnswer,
      ...dryRunAnswer,
    }),
    refusals: ['award_not_found', 'precondition_failed', 'award_ended', 'key_limit'],
  },
  async (request, { ledger }) => {
    const { ifMatch } = request
    const awardId = request.params.awardID
    const parts = commandParts(request, { kind: 'cancel', said: [awardId] })
    const outcome = await ledger.post({ kind: 'cancel', award: BigInt(awardId), ifMatch, ...parts })
    return replyOf(
      outcome,
      ([{ seq, amount, fromBalance }], { about }) => ({
        transactionId: String(seq),
        awardId,
        status: 'cancelled',
        cancelled: numberOf(amount),
        pending: pendingBody(about, fromBalance),
      }),
      parts,
    )
  },
)

export const awardRoutes = [create, grant, cancel, ...awardReads]
