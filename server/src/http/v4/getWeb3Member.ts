import { ok } from '../problem.ts'
import { realmRoute } from '../route/route.ts'
import { date, memberIdAnswer, memberIdParam, nullable, realmIdParam, Type } from '../route/schemas.ts'
import { collectionId, seenFields } from './collectionRoutes.ts'

export const walletAnswer = Type.Object(
  {
    address: Type.String({ description: 'EVM addresses in EIP-55 form, others unchanged.' }),
    chain: Type.String({ description: 'A CAIP-2 namespace or id.', examples: ['eip155', 'solana'] }),
    verified: Type.Boolean({ description: 'Whether the member proved ownership with a signature.' }),
    verifiedAt: nullable(date),
    linkedAt: date,
  },
  { title: 'Wallet' },
)

const amount = Type.String({ pattern: '^[0-9]+$', description: 'In the token’s smallest unit.' })

const holdingAnswer = Type.Object(
  {
    collection: collectionId,
    ...seenFields,
    amount,
    provedAmount: Type.String({ pattern: '^[0-9]+$', description: 'The amount in verified wallets.' }),
    wallets: Type.Array(
      Type.Object(
        { address: Type.String(), verified: Type.Boolean(), amount: nullable(amount) },
        { title: 'HoldingOfWallet' },
      ),
      { description: 'By wallet. An amount is null for a wallet linked after the chain was read.' },
    ),
  },
  { title: 'Holding' },
)

export const getWeb3Member = realmRoute(
  {
    operationId: 'getWeb3Member',
    tag: 'Wallets',
    methods: ['GET'],
    path: '/api/v4/realms/{realmID}/web3/members/{memberID}',
    summary: 'Read a member’s web3 data',
    params: { realmID: realmIdParam, memberID: memberIdParam },
    writes: false,
    lenient: true,
    scope: 'wallets:read',
    answer: Type.Object({
      id: memberIdAnswer,
      realmId: realmIdParam,
      wallets: Type.Array(walletAnswer),
      holdings: Type.Array(holdingAnswer, {
        description: 'For each collection of the realm, as last read. The request does not wait for a chain.',
      }),
    }),
    refusals: ['member_not_found', 'chain_unavailable'],
  },
  async ({ caller, params }, { wallets, holdings }) => {
    const id = params.memberID
    const [linked, held] = await Promise.all([wallets.of(caller.realm, id), holdings.of(caller.realm, id)])
    return ok({ id, realmId: caller.realmId, wallets: linked, holdings: held })
  },
)
