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
    reference: Type.Optional(text(255, 'the reference of the entries')),
    actorId: Type.Optional(memberId('The member who caused them')),
    keyId: Type.Optional(
      Type.String({ pattern: '^(0|[1-9][0-9]{0,8})$', description: 'The id of the key that made them.' }),
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
    description: 'The `nextCursor` of the call before, with the same filter.',
    [expectMark]: 'the `nextCursor` of the call before',
  }),
  isMemberId,
)

export const reversals = realmRoute(
  {
    operationId: 'reverseEntries',
    tag: 'Journal',
    methods: ['POST'],
    path: '/api/v4/realms/{realmID}/reversals',
    summary: 'Undo many entries',
    description:
      'Reverses each entry that the filter means, the newest first, by itself: one that can’t be undone is ' +
      'told under `refused` and leaves the others alone. Ask with `dryRun=true` first: the report is the ' +
      'same, and nothing is changed. A thousand entries at a time; while `nextCursor` is not null, send ' +
      'the same again with it as `cursor`. Sent twice, nothing is undone twice.',
    params: { realmID: realmIdParam },
    query: dryRun,
    writes: true,
    scope: 'points:write',
    idempotent: 'list',
    // As many as it may undo: how many that are is known only afterwards.
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
          description: 'Each entry, the one that undoes it, and how many points went back.',
        },
      ),
      already: Type.Integer({ description: 'Entries that had been undone before.' }),
      refused: Type.Array(
        Type.Object(
          { transactionId, code: Type.String(), detail: Type.String() },
          { title: 'RefusedReversal' },
        ),
      ),
      nextCursor: nullable(
        Type.String({ description: 'The `cursor` of the next call; null when all was looked at.' }),
      ),
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
        actorId,
        key: keyId === undefined ? undefined : Number(keyId),
        ...range,
      },
      before: before === undefined ? undefined : BigInt(before),
      commandOf: (entry) => ({ kind: 'reverse', entry, ...partsOf(entry), dry: false }),
      dry,
    })
    const told = { ...report(undone, dry), ...rangeBody(range) }
    return ok(dry ? { dryRun: true, ...told } : told)
  },
)

/** Why an entry was not undone, now or by an earlier request with the same key. */
function refusalOf(outcome: Outcome): { readonly code: string; readonly detail: string } | undefined {
  if (outcome.kind === 'done') return undefined
  const told = outcome.kind === 'refused' ? outcome.refusal : JSON.parse(outcome.body)
  return { code: told.code, detail: told.detail }
}

function report({ entries, next }: Undone, dry: boolean) {
  const told = entries.map(({ seq, outcome }) => ({ transactionId: String(seq), outcome }))
  const isAlready = (outcome: Outcome) => refusalOf(outcome)?.code === 'already_reversed'
  return {
    matched: entries.length,
    reversed: told.flatMap(({ transactionId: id, outcome }) => {
      if (outcome.kind !== 'done') return []
      const [{ seq, amount }] = outcome.receipts
      const made = dry && !outcome.replayed ? {} : { reversal: String(seq) }
      return [{ transactionId: id, ...made, tokens: Number(amount) }]
    }),
    already: told.filter(({ outcome }) => isAlready(outcome)).length,
    refused: told.flatMap(({ transactionId: id, outcome }) => {
      const refusal = refusalOf(outcome)
      return refusal && !isAlready(outcome) ? [{ transactionId: id, ...refusal }] : []
    }),
    nextCursor: next === null ? null : String(next),
  }
}
