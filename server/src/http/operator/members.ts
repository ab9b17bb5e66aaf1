import { ok } from '../problem.ts'
import { operatorRoute } from '../route.ts'
import { memberId, memberIdParam, realmIdParam, Type, text } from '../schemas.ts'
import { memberAnswer, memberBody } from '../v4/getMember.ts'
import { walletAnswer } from '../v4/getWeb3Member.ts'

const names = {
  username: Type.Optional(text(100, 'a name')),
  displayName: Type.Optional(text(100, 'a name')),
}
const base = '/operator/v1/realms/{realmID}/members'
const params = { realmID: realmIdParam, memberID: memberIdParam }

const putMember = operatorRoute(
  {
    methods: ['PUT'],
    path: `${base}/{memberID}`,
    summary: 'Make or rename a member',
    params,
    writes: true,
    body: Type.Object(names, { description: 'A JSON object, which may be empty.' }),
    answer: memberAnswer,
    refusals: ['realm_not_found'],
  },
  async ({ params: { realmID = '', memberID = '' }, body, by }, { realms, members }) => {
    const realm = await realms.number(realmID)
    await members.put(realm, [{ ...body, id: memberID }], by())
    return ok(memberBody(realmID, await members.get(realm, memberID)))
  },
)

const putMembers = operatorRoute(
  {
    methods: ['POST'],
    path: base,
    summary: 'Make or rename many members',
    params: { realmID: realmIdParam },
    writes: true,
    body: Type.Object(
      {
        members: Type.Array(Type.Object({ id: memberId('A member'), ...names }), {
          minItems: 1,
          maxItems: 1000,
          description: 'A list of 1 to 1000 members, each with an id.',
        }),
      },
      { description: 'A JSON object with members.' },
    ),
    answer: Type.Object({ created: Type.Integer(), updated: Type.Integer() }),
    refusals: ['realm_not_found'],
  },
  async ({ params: { realmID = '' }, body, by }, { realms, members }) => {
    const created = await members.put(await realms.number(realmID), body.members, by())
    const given = new Set(body.members.map((member) => member.id)).size
    return ok({ created, updated: given - created })
  },
)

const linkWallet = operatorRoute(
  {
    methods: ['POST'],
    path: `${base}/{memberID}/wallets`,
    summary: 'Link a wallet, without proof',
    params,
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
    answer: Type.Object({ wallets: Type.Array(walletAnswer) }),
    refusals: ['realm_not_found', 'member_not_found', 'already_exists'],
  },
  async ({ params: { realmID = '', memberID: member = '' }, body, by }, { realms, wallets }) => {
    const realm = await realms.number(realmID)
    await wallets.link({ ...body, realm, member }, by())
    return ok({ wallets: await wallets.of(realm, member) })
  },
)

const unlinkWallet = operatorRoute(
  {
    methods: ['DELETE'],
    path: `${base}/{memberID}/wallets/{address}`,
    summary: 'Unlink a wallet',
    params: { ...params, address: Type.String({ maxLength: 128, description: 'A wallet address.' }) },
    writes: true,
    answer: Type.Object({ wallets: Type.Array(walletAnswer) }),
    refusals: ['realm_not_found', 'member_not_found', 'wallet_not_found'],
  },
  async ({ params: { realmID = '', memberID: member = '', address = '' }, by }, { realms, wallets }) => {
    const realm = await realms.number(realmID)
    await wallets.unlink({ realm, member, address }, by())
    return ok({ wallets: await wallets.of(realm, member) })
  },
)

export const memberRoutes = [putMember, putMembers, linkWallet, unlinkWallet]
