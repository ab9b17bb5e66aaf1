import { tokenForm } from '../../keys/index.ts'
import { gone, ok } from '../problem.ts'
import { expiryFields, expiryOf } from '../route/expiry.ts'
import { numbered, operatorList, pageByNumber, rowsFor } from '../route/list.ts'
import { operatorRoute } from '../route/route.ts'
import { listedFields, secret, statusOf, statusQuery, statusWords, Type, text } from '../route/schemas.ts'

const base = '/operator/v1/tokens'

export const tokenAnswer = Type.Object(listedFields, { title: 'OperatorToken' })

const issueToken = operatorRoute(
  {
    operationId: 'createOperatorToken',
    tag: 'Operator tokens',
    methods: ['POST'],
    path: base,
    summary: 'Issue an operator token',
    description: 'For another person or program with operator access. It is returned only in this response.',
    writes: true,
    body: Type.Object(
      { name: text(100, 'The token’s owner.'), ...expiryFields },
      { description: 'A JSON object with name.' },
    ),
    creates: `${base}/{tokenID}`,
    answer: Type.Object({ ...listedFields, token: secret({ pattern: tokenForm.pattern }) }),
    refusals: ['key_limit'],
  },
  async ({ body, by }, { operators }) => {
    const expiresAt = expiryOf(body) ?? null
    return ok(await operators.issue({ name: body.name, expiresAt }, by()))
  },
)

const listTokens = operatorList(
  {
    operationId: 'listOperatorTokens',
    tag: 'Operator tokens',
    path: base,
    summary: 'List operator tokens',
    description: statusWords,
    query: statusQuery,
    item: tokenAnswer,
  },
  numbered,
  async ({ query }, { operators }, asked) => {
    const page = { status: statusOf(query), from: asked.after?.[0], limit: rowsFor(asked) }
    return pageByNumber(await operators.list(page), asked)
  },
)

const tokenID = Type.String({ description: 'The token’s id.' })

const getToken = operatorRoute(
  {
    operationId: 'getOperatorToken',
    tag: 'Operator tokens',
    methods: ['GET'],
    path: `${base}/{tokenID}`,
    summary: 'Read an operator token',
    description: 'Without its secret. Revoked and expired tokens can still be read.',
    params: { tokenID },
    writes: false,
    answer: tokenAnswer,
    refusals: ['token_not_found'],
  },
  async ({ params: { tokenID: id } }, { operators }) => ok(await operators.get(id)),
)

const revokeToken = operatorRoute(
  {
    operationId: 'revokeOperatorToken',
    tag: 'Operator tokens',
    methods: ['DELETE'],
    path: `${base}/{tokenID}`,
    summary: 'Revoke an operator token',
    description: 'The token stops working everywhere within one second. It can still be read, as `revoked`.',
    params: { tokenID },
    writes: true,
    deletes: true,
    refusals: ['token_not_found'],
  },
  async ({ params: { tokenID: id }, by }, { operators }) => {
    await operators.revoke(id, by())
    return gone
  },
)

export const tokenRoutes = [issueToken, listTokens, getToken, revokeToken]
