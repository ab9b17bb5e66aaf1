import { invalid } from '../../errors.ts'
import { ok } from '../problem.ts'
import { compileCheck } from '../route/check.ts'
import { expected } from '../route/expects.ts'
import { realmRoute } from '../route/route.ts'
import { memberIdAnswer, nullable, realmIdParam, Type } from '../route/schemas.ts'

const wallets = Type.Array(
  Type.String({ minLength: 1, maxLength: 128, description: 'A wallet: a string of 1 to 128 characters.' }),
  {
    minItems: 1,
    maxItems: 1000,
    description: 'A list of 1 to 1000 wallets, each a string of 1 to 128 characters.',
  },
)

const body = Type.Object({ wallets }, { description: 'A JSON object with wallets.' })
const checkWallets = compileCheck(body)

/** `?wallets=a,b`, which may repeat. Undefined when there is no such parameter. */
function fromQuery(query: URLSearchParams): string[] | undefined {
  const given = query.getAll('wallets')
  if (given.length === 0) return undefined
  const list = given.flatMap((part) => part.split(','))
  try {
    checkWallets({ wallets: list })
  } catch {
    throw invalid('query:wallets', expected(wallets))
  }
  return list
}

export const includes = realmRoute(
  {
    operationId: { GET: 'findMembersByWallet', POST: 'searchMembersByWallet' },
    tag: 'Wallets',
    methods: ['GET', 'QUERY', 'POST'],
    path: '/api/v4/realms/{realmID}/members/includes',
    summary: 'Check whether wallets belong to members',
    description:
      'The list is in the body of a GET, as the contract specifies. Clients that can’t send one use ' +
      '`?wallets=a,b`, `QUERY` (RFC 10008) or `POST` with the same body; all return the same. ' +
      'EVM addresses are case-insensitive.',
    params: { realmID: realmIdParam },
    query: {
      wallets: Type.String({ description: 'Comma-separated wallets; can be repeated. Instead of a body.' }),
    },
    writes: false,
    lenient: true,
    scope: 'wallets:read',
    body,
    bodyRequired: false,
    answer: Type.Object({
      includes: Type.Boolean({ description: 'Whether every wallet belongs to a member.' }),
      wallets: Type.Array(
        Type.Object(
          {
            wallet: Type.String({ description: 'As sent.' }),
            included: Type.Boolean(),
            memberId: nullable(memberIdAnswer),
          },
          { title: 'IncludedWallet' },
        ),
        { description: 'In the order sent, duplicates kept.' },
      ),
    }),
  },
  async ({ caller, query, body: sent }, { wallets: linked }) => {
    const asked = fromQuery(query)
    const inBody = (sent as typeof sent | undefined)?.wallets
    if (asked && inBody)
      throw invalid('query:wallets', 'Send the list in the body or in the query, not both.')
    const list = asked ?? inBody
    if (!list) throw invalid('/wallets', `Missing. ${expected(wallets)}`)
    const owners = await linked.ownersOf(caller.realm, list)
    return ok({
      includes: owners.every((owner) => owner !== null),
      wallets: list.map((wallet, index) => {
        const memberId = owners[index] ?? null
        return { wallet, included: memberId !== null, memberId }
      }),
    })
  },
)
