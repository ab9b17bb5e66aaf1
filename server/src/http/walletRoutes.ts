import { ok } from './problem.ts'
import type { Route } from './route.ts'
import { memberIdParam, Type } from './schemas.ts'
import type { RealmDoor } from './twoDoors.ts'
import { walletAnswer } from './v4/getWeb3Member.ts'

const answer = Type.Object({ wallets: Type.Array(walletAnswer) })

export function walletRoutesAt(door: RealmDoor): Route[] {
  return [link(door), unlink(door)]
}

const link = ({ route, base, params, refusals, realmOf }: RealmDoor): Route =>
  route(
    {
      methods: ['POST'],
      path: `${base}/{memberID}/wallets`,
      summary: 'Link a wallet, without proof',
      params: { ...params, memberID: memberIdParam },
      writes: true,
      body: Type.Object(
        {
          address: Type.String({ minLength: 1, maxLength: 128, description: 'A wallet address.' }),
          chain: Type.Optional(
            Type.String({
              pattern: '^[a-z0-9-]{3,8}(:[-_a-zA-Z0-9]{1,32})?$',
              description: 'A CAIP-2 namespace or id.',
            }),
          ),
        },
        { description: 'A JSON object with address.' },
      ),
      answer,
      refusals: [...refusals, 'member_not_found', 'already_exists'],
    },
    async (request, services) => {
      const { memberID: member = '' } = request.params
      const realm = await realmOf(request, services)
      await services.wallets.link({ ...request.body, realm, member }, request.by())
      return ok({ wallets: await services.wallets.of(realm, member) })
    },
  )

const unlink = ({ route, base, params, refusals, realmOf }: RealmDoor): Route =>
  route(
    {
      methods: ['DELETE'],
      path: `${base}/{memberID}/wallets/{address}`,
      summary: 'Unlink a wallet',
      params: {
        ...params,
        memberID: memberIdParam,
        address: Type.String({ maxLength: 128, description: 'A wallet address.' }),
      },
      writes: true,
      answer,
      refusals: [...refusals, 'member_not_found', 'wallet_not_found'],
    },
    async (request, services) => {
      const { memberID: member = '', address = '' } = request.params
      const realm = await realmOf(request, services)
      await services.wallets.unlink({ realm, member, address }, request.by())
      return ok({ wallets: await services.wallets.of(realm, member) })
    },
  )
