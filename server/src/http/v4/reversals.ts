import { invalid } from '../../errors.ts'
import type { Outcome, Undone } from '../../ledger/index.ts'
import { isMemberId } from '../../members/index.ts'
import { ok } from '../problem.ts'
import { expectMark } from '../route/expects.ts'
import { requestKeyOf } from '../route/once.ts'
import { rangeAnswer, rangeBody, rangeFields, rangeOf } from '../route/ranges.ts'
import { realmRoute } from '../route/route.ts'
import {
  dryRun,
  dryRunAnswer,
  memberId,
  nullable,
  realmIdParam,
  saidFields,
  Type,
  text,
  transactionId,
} from '../route/schemas.ts'
import { commandParts, isDry } from './posting.ts'

const filter = Type.Object(
  {
    reference: Type.Optional(text(255, 'The reference of the entries.')),
    actorId: Type.Optional(memberId('The member who caused them')),
    keyId: Type.Optional(
      Type.String({ pattern: '^(0|[1-9][0-9]{0,8})$', description: 'The id of the key that posted them.' }),
    ),
    from: Type.Optional(rangeFields.from),
    to: Type.Optional(rangeFields.to),
  },
  {
    title: 'EntryFilter',
    description: 'A JSON object with at least one of reference, actorId, keyId, from and to.',
  },
)

const cursor = Type.Refine(
  Type.String({
    pattern: '^[1-9][0-9]{0,18}$',
    description: '`nextCursor` of the previous call. Send the same filter with it.',
    [expectMark]: '`nextCursor` of the previous call',
  }),
  isMemberId,
)

export const reversals = realmRoute(
  {
    operationId: 'reverseEntries',
    tag: 'Journal',
    methods: ['POST'],
    path: '/api/v4/realms/{realmID}/reversals',
    summary: 'Reverse many entries',
    description:
      'Reverses each entry that matches the filter, newest first. An entry that can’t be reversed is ' +
      'listed in `refused` and does not affect the others. Use `dryRun=true` first: the report is the ' +
      'same, and nothing is changed. Each call handles up to 1,000 entries; while `nextCursor` is not ' +
      'null, repeat the request with it as `cursor`. No entry is reversed twice.',
    params: { realmID: realmIdParam },
    query: dryRun,
    writes: true,
    scope: 'points:write',
    idempotent: 'list',
    // The most entries it may reverse: the real number is known only afterwards.
    weight: () => 1000,
    body: Type.Object(
      { filter, cursor: Type.Optional(cursor), ...saidFields },
      { description: 'A JSON object with filter.' },
    ),
    answer: Type.Object({
      matched: Type.Integer(),
      reversed: Type.Array(
        Type.Object(
          { transactionId, reversal: transactionId, tokens: Type.Integer() },
          { title: 'ReversedEntry' },
        ),
        {
          description: 'Each entry, the entry that reverses it, and the points moved back.',
        },
      ),
      already: Type.Integer({ description: 'Entries that were already reversed.' }),
      refused: Type.Array(
        Type.Object(
          { transactionId, code: Type.String(), detail: Type.String() },
          { title: 'RefusedReversal' },
        ),
      ),
      nextCursor: nullable(Type.String({ description: 'The `cursor` of the next call; null when done.' })),
      ...rangeAnswer,
      ...dryRunAnswer,
    }),
  },
  async (request, { undoing, requests, standings }) => {
    const { filter: asked, cursor: before } = request.body
    const { reference, actorId, keyId } = asked
    if (Object.keys(asked).length === 0)
      throw invalid('/filter', 'Expected at least one of reference, actorId, keyId, from and to.')
    const range = await rangeOf(asked, { caller: request.caller, standings })
    const dry = isDry(request.query)
    const whole = requestKeyOf('reversals', request)
    if (whole && !dry) await requests.bind(whole)
    const partsOf = (entry: bigint) => {
      const idempotencyKey = whole && `${request.idempotencyKey}\n${entry}`
      const said = [String(entry), whole?.fingerprint]
      return commandParts({ ...request, idempotencyKey }, { kind: 'reverse', said })
    }
    const undone = await undoing.undo(request.caller.realm, {
      filter: {
        reference,
        actorId: request.actors?.get(actorId ?? '') ?? actorId,
        key: keyId === undefined ? undefined : Number(keyId),
        ...range,
      },
      before: before === undefined ? undefined : BigInt(before),
      commandOf: (entry) => ({ kind: 'reverse', entry, ...partsOf(entry), dry: false }),
      dry,
    })
    const answer = { ...report(undone, dry), ...rangeBody(range) }
    return ok(dry ? { dryRun: true, ...answer } : answer)
  },
)

/** Why an entry was not reversed, now or by an earlier request with the same key. */
function refusalOf(outcome: Outcome): { readonly code: string; readonly detail: string } | undefined {
  if (outcome.kind === 'done') return undefined
  const refusal = outcome.kind === 'refused' ? outcome.refusal : JSON.parse(outcome.body)
  return { code: refusal.code, detail: refusal.detail }
}

function report({ entries, next }: Undone, dry: boolean) {
  const results = entries.map(({ seq, outcome }) => ({ transactionId: String(seq), outcome }))
  const isAlready = (outcome: Outcome) => refusalOf(outcome)?.code === 'already_reversed'
  return {
    matched: entries.length,
    reversed: results.flatMap(({ transactionId: id, outcome }) => {
      if (outcome.kind !== 'done') return []
      const [{ seq, amount }] = outcome.receipts
      const made = dry && !outcome.replayed ? {} : { reversal: String(seq) }
      return [{ transactionId: id, ...made, tokens: Number(amount) }]
    }),
    already: results.filter(({ outcome }) => isAlready(outcome)).length,
    refused: results.flatMap(({ transactionId: id, outcome }) => {
      const refusal = refusalOf(outcome)
      return refusal && !isAlready(outcome) ? [{ transactionId: id, ...refusal }] : []
    }),
    nextCursor: next === null ? null : String(next),
  }
}
