import { setImmediate as othersTurn } from 'node:timers/promises'
import { invalid, RefusalError } from '../../errors.ts'
import type { Command, Ledger, Outcome, Receipt, Receipts } from '../../ledger/index.ts'
import type { Requests } from '../../requests/index.ts'
import { problem, type Reply } from '../problem.ts'
import { tagsOf } from '../route/conditions.ts'
import { requestKeyOf } from '../route/once.ts'
import { countOf, type Request, realmRoute } from '../route/route.ts'
import {
  balance,
  detailFields,
  dryRun,
  dryRunAnswer,
  idempotencyKey,
  memberId,
  realmIdParam,
  type Static,
  saidFields,
  signedTokens,
  Type,
  transactionId,
} from '../route/schemas.ts'
import { adjusted } from './adjust.ts'
import { commandParts, isDry, replyOf, withoutId } from './posting.ts'
import { transferred } from './transfer.ts'

const change = Type.Object(
  {
    memberId: memberId('The member whose points change, or the sender'),
    recipientId: Type.Optional(memberId('The recipient, which makes the change a transfer')),
    tokens: signedTokens,
    idempotencyKey: Type.Optional(idempotencyKey),
    ifMatch: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'Like the header `If-Match`: the member’s `ETag`, or `*`.',
      }),
    ),
    ...detailFields,
  },
  {
    title: 'Change',
    description: 'A JSON object with memberId and tokens; with recipientId it is a transfer.',
  },
)

const body = Type.Object(
  {
    changes: Type.Array(change, {
      minItems: 1,
      maxItems: 1000,
      description: 'A list of 1 to 1000 changes, each with memberId and tokens.',
    }),
    atomic: Type.Optional(
      Type.Boolean({
        description: 'True: all changes or none. False (default): each independently.',
      }),
    ),
    ...saidFields,
  },
  {
    description: 'A JSON object with changes. Details besides them apply to each change without its own.',
  },
)

type Asked = Omit<Parameters<typeof commandParts>[0], 'body'> & {
  readonly list: string | undefined
  readonly body: Static<typeof body>
}
type Change = Static<typeof change>

/**
 * A key for the whole list gives each change a derived key whose fingerprint covers the whole list: the same
 * list is applied once, and no change of another list under that key is applied.
 */
function keyOf({ idempotencyKey: key, list }: Asked, { idempotencyKey: own }: Change, index: number) {
  if (own !== undefined || key === undefined) return { key: own, whole: [] }
  return { key: `${key}\n${index}`, whole: [list] }
}

type Single = Extract<Command, { readonly kind: 'adjust' | 'opening' | 'transfer' }>

function commandOf(request: Asked, one: Change, index: number): Single {
  const { changes: _changes, atomic: _atomic, ...ofAll } = request.body
  const { memberId: member, recipientId, ifMatch: tags, ...own } = one
  const said = { ...ofAll, ...own }
  if (recipientId !== undefined && said.tokens < 1)
    throw invalid(`/changes/${index}/tokens`, 'Expected 1 or more for a transfer.')
  const { tokens: asked, realmPointId: point } = said
  const tokens = BigInt(asked)
  const kind = recipientId === undefined ? 'adjust' : 'transfer'
  const { key, whole } = keyOf(request, one, index)
  const meaning = { kind, said: [member, recipientId, String(tokens), ...whole], point } as const
  const { dry: _, ...parts } = commandParts({ ...request, body: said, idempotencyKey: key }, meaning)
  const ifMatch = tags === undefined ? undefined : tagsOf(tags, `/changes/${index}/ifMatch`)
  const change = { member, tokens, point, ifMatch, ...parts }
  return recipientId === undefined
    ? { kind: 'adjust', ...change }
    : { kind: 'transfer', recipient: recipientId, ...change }
}

/** Changes that are converted to commands before other requests get a turn. */
const pieceSize = 100

/** Maps a list in order, in pieces. */
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

/** An applied change, as a list response has it. */
function doneOf({ kind }: Command, receipts: Receipts): object {
  if (kind !== 'transfer') return adjusted(receipts)
  const { message: _, ...rest } = transferred(receipts)
  return rest
}

/** Each with the status that it would get on its own. */
function outcomeOf(command: Command, outcome: Outcome, dry = false): Reply {
  return replyOf(outcome, (receipts, { replayed }) => {
    const done = doneOf(command, receipts)
    return dry && !replayed ? withoutId(done) : done
  })
}

function answered({ status, body: text, replays }: Reply): object {
  const parsed = JSON.parse(String(text)) as object
  return { status, ...(replays ? { replayed: true } : {}), ...(status < 400 ? parsed : { error: parsed }) }
}

const replyWith = (replies: readonly Reply[], dry = false): Reply => ({
  status: 200,
  body: JSON.stringify({ ...(dry ? { dryRun: true } : {}), data: replies.map(answered) }),
  refused: replies.flatMap(({ refused = [] }) => refused),
  replays: replies.reduce((sum, { replays = 0 }) => sum + replays, 0),
})

type Sent = Request<Static<typeof body>> & { readonly caller: Parameters<typeof commandParts>[0]['caller'] }

/** The normalized list for the fingerprint: `atomic: false` is the same as none. */
function wholeOf(what: string, request: Sent) {
  const { atomic: _, ...meant } = request.body
  return requestKeyOf(what, { ...request, body: meant })
}

/** Each independently: a rejected change does not affect the others. */
async function apart(request: Sent, ledger: Ledger, requests: Requests): Promise<Reply> {
  const dry = isDry(request.query)
  const whole = wholeOf('changes', request)
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
      if (error instanceof RefusalError) return problem(error.refusal, request.requestId)
      throw error
    }
  })
  return replyWith(await Promise.all(posted))
}

/** All or none, with one key for the whole list. */
async function together(request: Sent, ledger: Ledger, requests: Requests): Promise<Reply> {
  const { changes: listed } = request.body
  const own = listed.findIndex(({ idempotencyKey: key }) => key !== undefined)
  if (own >= 0)
    throw invalid(
      `/changes/${own}/idempotencyKey`,
      'With atomic, one key covers the whole list: send it as the Idempotency-Key header.',
    )
  const whole = wholeOf('changes, all or none', request)
  const asked = { ...request, idempotencyKey: undefined, list: undefined }
  const commands = await inPieces(listed, (one, index) => commandOf(asked, one, index))
  const parts = commandParts({ ...request, body: {} }, { kind: 'list', said: [whole?.fingerprint] })
  if (whole && !parts.dry) await requests.bind(whole)
  const outcome = await ledger.post({ kind: 'list', commands, ...parts })
  const bodyOf = (receipts: Receipts, { replayed }: { readonly replayed: boolean }) => ({
    data: commands.map((command, index) => {
      const done = doneOf(command, [receipts[index] as Receipt])
      return { status: 200, ...(parts.dry && !replayed ? withoutId(done) : done) }
    }),
  })
  return replyOf(outcome, bodyOf, parts)
}

const outcome = Type.Object(
  {
    status: Type.Integer({ description: 'The HTTP status that the change would get on its own.' }),
    replayed: Type.Optional(
      Type.Boolean({ description: 'Whether it was already applied under its Idempotency-Key.' }),
    ),
    transactionId: Type.Optional(transactionId),
    newBalance: Type.Optional(balance),
    recipientBalance: Type.Optional(balance),
    error: Type.Optional(
      Type.Object(
        { code: Type.String(), detail: Type.String(), status: Type.Integer() },
        {
          title: 'ChangeError',
          description: 'For a rejected change: the problem that it would return on its own.',
        },
      ),
    ),
  },
  { title: 'ChangeOutcome', description: 'A status, with the result or the error.' },
)

export const changes = realmRoute(
  {
    operationId: 'applyChanges',
    tag: 'Points',
    methods: ['POST'],
    path: '/api/v4/realms/{realmID}/changes',
    summary: 'Post many changes and transfers',
    description:
      'Up to 1000 changes and transfers, decided in order. Each has its own outcome: a rejected one does ' +
      'not affect the others. An `Idempotency-Key` makes a retry of the whole list safe: the same list is ' +
      'applied once, and any other list with that key is rejected. A change can have its own ' +
      '`idempotencyKey` instead. With `atomic`, all changes are applied or none: one that fails rejects ' +
      'the list (422 `changes_refused`, with `index`), and the key covers the whole list.',
    params: { realmID: realmIdParam },
    query: dryRun,
    writes: true,
    scope: 'points:write',
    idempotent: 'list',
    weight: countOf('changes'),
    body,
    answer: Type.Object({
      data: Type.Array(outcome, { description: 'In the order of the changes.' }),
      ...dryRunAnswer,
    }),
    refusals: ['changes_refused'],
  },
  (request, { ledger, requests }) => (request.body.atomic ? together : apart)(request, ledger, requests),
)
