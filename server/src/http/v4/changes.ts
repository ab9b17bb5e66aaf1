import { setImmediate as othersTurn } from 'node:timers/promises'
import { invalid, Refused } from '../../errors.ts'
import type { Command, Outcome } from '../../ledger/ledger.ts'
import { tagsOf } from '../conditions.ts'
import { requestKeyOf } from '../once.ts'
import { problem, type Reply } from '../problem.ts'
import { countOf, realmRoute } from '../route.ts'
import {
  balance,
  detailFields,
  dryRun,
  dryRunAnswer,
  idempotencyKey,
  memberId,
  realmIdParam,
  type Static,
  signedTokens,
  Type,
  transactionId,
} from '../schemas.ts'
import { adjusted } from './adjust.ts'
import { commandParts, isDry, replyOf, withoutId } from './posting.ts'
import { transferred } from './transfer.ts'

const change = Type.Object(
  {
    memberId: memberId('The member whose points change, or who gives'),
    recipientId: Type.Optional(memberId('With it the change is a transfer: who receives')),
    tokens: signedTokens,
    idempotencyKey: Type.Optional(idempotencyKey),
    ifMatch: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'As the header `If-Match`: the `ETag` of the member, or `*`.',
      }),
    ),
    ...detailFields,
  },
  { description: 'A JSON object with memberId and tokens; with recipientId it is a transfer.' },
)

type Asked = Omit<Parameters<typeof commandParts>[0], 'body'> & { readonly list: string | undefined }
type Change = Static<typeof change>

/**
 * One key for the whole list gives each change a key of its own, and each means the whole list: the same list
 * is done once, and no change of another list under that key is done.
 */
function keyOf({ idempotencyKey: key, list }: Asked, { idempotencyKey: own }: Change, index: number) {
  if (own !== undefined || key === undefined) return { key: own, whole: [] }
  return { key: `${key}\n${index}`, whole: [list] }
}

function commandOf(request: Asked, one: Change, index: number): Command {
  const { memberId: member, recipientId, ifMatch: tags, ...body } = one
  if (recipientId !== undefined && body.tokens < 1)
    throw invalid(`/changes/${index}/tokens`, 'A transfer moves 1 or more points.')
  const { tokens: asked, realmPointId: point } = body
  const tokens = BigInt(asked)
  const kind = recipientId === undefined ? 'adjust' : 'transfer'
  const { key, whole } = keyOf(request, one, index)
  const meaning = { kind, said: [member, recipientId, String(tokens), ...whole], point } as const
  const { dry: _, ...parts } = commandParts({ ...request, body, idempotencyKey: key }, meaning)
  const ifMatch = tags === undefined ? undefined : tagsOf(tags, `/changes/${index}/ifMatch`)
  const change = { member, tokens, point, ifMatch, ...parts }
  return recipientId === undefined
    ? { kind: 'adjust', ...change }
    : { kind: 'transfer', recipient: recipientId, ...change }
}

/** Changes that are made into commands before other requests have their turn. */
const pieceSize = 100

/** The same list of what each becomes, in their order. */
async function inPieces<From, To>(
  items: readonly From[],
  become: (item: From, index: number) => To,
): Promise<To[]> {
  const made: To[] = []
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % pieceSize === 0) await othersTurn()
    made.push(become(item, index))
  }
  return made
}

/** Each as it would be answered alone. */
function outcomeOf(command: Command, outcome: Outcome, dry = false): Reply {
  const bodyOf = command.kind === 'transfer' ? transferred : adjusted
  return replyOf(outcome, (receipts, { replayed }) =>
    dry && !replayed ? withoutId(bodyOf(receipts)) : bodyOf(receipts),
  )
}

const answered = ({ status, body, replays }: Reply): object => ({
  status,
  ...(replays ? { replayed: true } : {}),
  ...(JSON.parse(String(body)) as object),
})

export const changes = realmRoute(
  {
    methods: ['POST'],
    path: '/api/v4/realms/{realmID}/changes',
    summary: 'Many changes and transfers, each by itself',
    description:
      'Up to 1000 changes and transfers, decided in their order, each with its own outcome: one that is ' +
      'refused leaves the others alone. An `Idempotency-Key` makes a retry of the whole list safe: the ' +
      'same list is done once, any other list under that key is refused. A change may have its own ' +
      '`idempotencyKey` instead.',
    params: { realmID: realmIdParam },
    query: dryRun,
    writes: true,
    scope: 'points:write',
    idempotent: 'list',
    weight: countOf('changes'),
    body: Type.Object(
      {
        changes: Type.Array(change, {
          minItems: 1,
          maxItems: 1000,
          description: 'A list of 1 to 1000 changes, each with memberId and tokens.',
        }),
      },
      { description: 'A JSON object with changes.' },
    ),
    answer: Type.Object({
      outcomes: Type.Array(
        Type.Object(
          {
            status: Type.Integer(),
            replayed: Type.Optional(Type.Boolean()),
            transactionId: Type.Optional(transactionId),
            newBalance: Type.Optional(balance),
            recipientBalance: Type.Optional(balance),
            code: Type.Optional(Type.String()),
            detail: Type.Optional(Type.String()),
          },
          { description: 'As the change would be answered alone: a status, and the answer or the problem.' },
        ),
        { description: 'In the order of the changes.' },
      ),
      ...dryRunAnswer,
    }),
  },
  async (request, { ledger, requests }) => {
    const dry = isDry(request.query)
    const whole = requestKeyOf('changes', request)
    const asked = { ...request, list: whole?.fingerprint }
    const commands = await inPieces(request.body.changes, (one, index) => commandOf(asked, one, index))
    const [first, ...rest] = commands
    if (whole && !dry) await requests.bind(whole)
    if (first && dry) {
      const outcomes = await ledger.rehearse([first, ...rest])
      return replyWith(
        commands.map((command, index) => outcomeOf(command, outcomes[index] as Outcome, true)),
        true,
      )
    }
    const posted = commands.map(async (command) => {
      try {
        return outcomeOf(command, await ledger.post(command))
      } catch (error) {
        if (error instanceof Refused) return problem(error.refusal, request.requestId)
        throw error
      }
    })
    return replyWith(await Promise.all(posted))
  },
)

const replyWith = (replies: readonly Reply[], dry = false): Reply => ({
  status: 200,
  body: JSON.stringify({ ...(dry ? { dryRun: true } : {}), outcomes: replies.map(answered) }),
  refused: replies.flatMap(({ refused = [] }) => refused),
  replays: replies.reduce((sum, { replays = 0 }) => sum + replays, 0),
})
