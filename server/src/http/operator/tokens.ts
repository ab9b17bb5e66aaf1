import { tokenForm } from '../../keys/keys.ts'
import { ok } from '../problem.ts'
import { operatorRoute } from '../route.ts'
import { listedFields, Type, text, time } from '../schemas.ts'

const base = '/operator/v1/tokens'

const issueToken = operatorRoute(
  {
    methods: ['POST'],
    path: base,
    summary: 'Issue an operator token',
    description: 'For one more person or program at this door. It is in this answer and nowhere else.',
    writes: true,
    body: Type.Object(
      { name: text(100, 'whose it is'), expiresAt: Type.Optional(time) },
      { description: 'A JSON object with name.' },
    ),
    answer: Type.Object({ ...listedFields, token: Type.String({ pattern: tokenForm.pattern }) }),
  },
  async ({ body, by }, { operators }) => {
    const expiresAt = body.expiresAt === undefined ? null : new Date(body.expiresAt)
    return ok(await operators.issue({ name: body.name, expiresAt }, by()))
  },
)

const listTokens = operatorRoute(
  {
    methods: ['GET'],
    path: base,
    summary: 'List operator tokens',
    writes: false,
    answer: Type.Object({ tokens: Type.Array(Type.Object(listedFields)) }),
  },
  async (_request, { operators }) => ok({ tokens: await operators.list() }),
)

const revokeToken = operatorRoute(
  {
    methods: ['DELETE'],
    path: `${base}/{tokenID}`,
    summary: 'Revoke an operator token',
    description: 'It stops working everywhere within one second.',
    params: { tokenID: Type.String({ description: 'A token’s id.' }) },
    writes: true,
    answer: Type.Object(listedFields),
    refusals: ['token_not_found'],
  },
  async ({ params: { tokenID = '' }, by }, { operators }) => ok(await operators.revoke(tokenID, by())),
)

export const tokenRoutes = [issueToken, listTokens, revokeToken]
