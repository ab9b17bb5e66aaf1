import { ok } from '../problem.ts'
import { realmRoute } from '../route.ts'
import { date, memberIdAnswer, memberIdParam, nullable, realmIdParam, Type } from '../schemas.ts'

export const walletAnswer = Type.Object({
  address: Type.String({ description: 'EVM addresses in EIP-55 form, others as they are.' }),
  chain: Type.String({ description: 'A CAIP-2 namespace or id.', examples: ['eip155', 'solana'] }),
  verified: Type.Boolean({ description: 'Linked by the member’s own signature.' }),
  verifiedAt: nullable(date),
  linkedAt: date,
})

export const getWeb3Member = realmRoute(
  {
    methods: ['GET'],
    path: '/api/v4/realms/{realmID}/web3/members/{memberID}',
    summary: 'Read a member’s web3 data',
    params: { realmID: realmIdParam, memberID: memberIdParam },
    writes: false,
    scope: 'wallets:read',
    answer: Type.Object({ id: memberIdAnswer, realmId: realmIdParam, wallets: Type.Array(walletAnswer) }),
    refusals: ['member_not_found'],
  },
  async ({ caller, params }, { wallets }) => {
    const id = params['memberID'] ?? ''
    return ok({ id, realmId: caller.realmId, wallets: await wallets.of(caller.realm, id) })
  },
)
