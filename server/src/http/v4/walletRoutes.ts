import { invalid } from '../../errors.ts'
import type { ActRow } from '../../wallets/index.ts'
import { gone, ok } from '../problem.ts'
import { cursorsOf, listAt, microseconds, pageOfRows, rowsFor } from '../route/list.ts'
import type { Route } from '../route/route.ts'
import { date, memberIdParam, secret, Type } from '../route/schemas.ts'
import type { RouteBase } from '../route/scopedRoutes.ts'
import { walletAnswer } from './getWeb3Member.ts'

type Bases = {
  /** For the list, which shows who linked what: reading and writing wallets are separate scopes. */
  readonly listing?: RouteBase
  readonly reading?: RouteBase
}

export function walletRoutesAt(base: RouteBase, { listing = base, reading = base }: Bases = {}): Route[] {
  return [link(base), list(listing), get(reading), unlink(base), challenge(base), pageLink(base)]
}

export const walletAddress = Type.String({
  minLength: 1,
  maxLength: 128,
  description: 'A wallet address.',
  examples: ['0x52908400098527886E0F7030069857D2E4169EE7'],
})

const addressParam = Type.String({ maxLength: 128, description: 'A wallet address.' })

const chain = Type.String({
  pattern: '^[a-z0-9-]{3,8}(:[-_a-zA-Z0-9]{1,32})?$',
  description: 'A CAIP-2 namespace or id.',
})

export const signedFields = {
  message: Type.String({
    minLength: 1,
    maxLength: 2_000,
    description: 'The challenge’s message, unchanged, at most 2000 characters.',
  }),
  signature: Type.String({
    minLength: 1,
    maxLength: 16_384,
    description:
      'The wallet’s signature, at most 16384 characters: 0x and hex digits for EVM (ERC-191, ERC-1271, ' +
      'ERC-6492), base58 or base64 for Solana.',
  }),
}

const link = ({ route, base, params, refusals, realmOf }: RouteBase): Route =>
  route(
    {
      operationId: 'linkWallet',
      tag: 'Wallets',
      methods: ['POST'],
      path: `${base}/{memberID}/wallets`,
      summary: 'Link a wallet, with or without proof of ownership',
      description:
        '`message` and `signature` prove ownership: the message is that of a challenge, which works once, ' +
        'for five minutes. The wallet is then unlinked from any member who has it without proof. Without ' +
        'both, it is linked unproved, as `verified: false`.',
      params: { ...params, memberID: memberIdParam },
      writes: true,
      body: Type.Object(
        {
          address: walletAddress,
          chain: Type.Optional(chain),
          message: Type.Optional(signedFields.message),
          signature: Type.Optional(signedFields.signature),
        },
        { description: 'A JSON object with address.' },
      ),
      creates: `${base}/{memberID}/wallets/{address}`,
      createdId: 'address',
      answer: walletAnswer,
      refusals: [...refusals, 'member_not_found', 'already_exists', 'proof_refused', 'chain_unavailable'],
    },
    async (request, { proofs, wallets, holdings, realms }) => {
      const { memberID: member } = request.params
      const realm = await realmOf(request, realms)
      const { address, chain: on, message, signature } = request.body
      if ((message === undefined) !== (signature === undefined)) {
        const missing = message === undefined ? 'message' : 'signature'
        throw invalid(`/${missing}`, 'Send both message and signature.')
      }
      let isNew = true
      if (message !== undefined && signature !== undefined)
        await proofs.prove({ realm, member, address, message, signature }, request.by())
      else isNew = await wallets.link({ realm, member, address, chain: on }, request.by())
      if (isNew) holdings.soon(realm)
      return ok(await wallets.get({ realm, member, address }))
    },
  )

/** When it was linked, in microseconds, and its address. */
const cursors = cursorsOf(
  Type.Tuple([microseconds, Type.Refine(Type.String({ maxLength: 128 }), (text) => !text.includes('\0'))]),
)

const list = ({ route, base, params, refusals, realmOf }: RouteBase): Route =>
  listAt(route)(
    {
      operationId: 'listWallets',
      tag: 'Wallets',
      path: `${base}/{memberID}/wallets`,
      summary: 'List a member’s wallets and their history',
      description: 'In the order they were linked.',
      params: { ...params, memberID: memberIdParam },
      item: walletAnswer,
      beside: {
        acts: Type.Array(
          Type.Object(
            {
              at: date,
              act: Type.Union(
                ['linked', 'proved', 'taken', 'unlinked'].map((act) => Type.Literal(act)),
                { description: '`taken`: another member proved ownership.' },
              ),
              address: Type.String(),
              chain: Type.String(),
              by: Type.String({ description: 'The operator, a key, or the member.' }),
            },
            { title: 'WalletAct' },
          ),
          { description: 'The last 100 changes, newest first.' },
        ),
      },
      refusals: [...refusals, 'member_not_found'],
    },
    cursors,
    async (request, { wallets, realms }, asked) => {
      const { memberID: member } = request.params
      const realm = await realmOf(request, realms)
      const [linkedUs = 0, address = ''] = asked.after ?? []
      const after = asked.after && { linkedUs, address }
      const [linked, acts] = await Promise.all([
        wallets.page(realm, { member, after, limit: rowsFor(asked) }),
        wallets.acts(realm, member),
      ])
      const actBody = ({ actor: by, ...act }: ActRow) => ({ ...act, by })
      return {
        ...pageOfRows(linked, asked, {
          placeOf: (one) => [one.linkedUs, one.wallet.address],
          bodyOf: ({ wallet }) => wallet,
        }),
        beside: () => ({ acts: acts.map(actBody) }),
      }
    },
  )

const get = ({ route, base, params, refusals, realmOf }: RouteBase): Route =>
  route(
    {
      operationId: 'getWallet',
      tag: 'Wallets',
      methods: ['GET'],
      path: `${base}/{memberID}/wallets/{address}`,
      summary: 'Read a member’s wallet',
      params: { ...params, memberID: memberIdParam, address: addressParam },
      writes: false,
      answer: walletAnswer,
      refusals: [...refusals, 'member_not_found', 'wallet_not_found'],
    },
    async (request, { wallets, realms }) => {
      const { memberID: member, address } = request.params
      const realm = await realmOf(request, realms)
      return ok(await wallets.get({ realm, member, address }))
    },
  )

const unlink = ({ route, base, params, refusals, realmOf }: RouteBase): Route =>
  route(
    {
      operationId: 'unlinkWallet',
      tag: 'Wallets',
      methods: ['DELETE'],
      path: `${base}/{memberID}/wallets/{address}`,
      summary: 'Unlink a wallet',
      params: { ...params, memberID: memberIdParam, address: addressParam },
      writes: true,
      deletes: true,
      refusals: [...refusals, 'member_not_found', 'wallet_not_found'],
    },
    async (request, { wallets, realms }) => {
      const { memberID: member, address } = request.params
      const realm = await realmOf(request, realms)
      await wallets.unlink({ realm, member, address }, request.by())
      return gone
    },
  )

export const challengeAnswer = Type.Object({
  address: Type.String(),
  chain: Type.String({ description: 'A CAIP-2 id.' }),
  message: Type.String({ description: 'The exact text that the wallet’s owner signs.' }),
  expiresAt: date,
})

export const challengeBody = Type.Object(
  { address: walletAddress, chain: Type.Optional(chain) },
  { description: 'A JSON object with address.' },
)

const challenge = ({ route, base, params, refusals, realmOf }: RouteBase): Route =>
  route(
    {
      operationId: 'createWalletChallenge',
      tag: 'Wallets',
      methods: ['POST'],
      path: `${base}/{memberID}/wallets/challenges`,
      summary: 'Create a challenge for a wallet’s owner to sign',
      description:
        'ERC-4361 for EVM, Sign-In-With-Solana for Solana; by default for the main network of Ethereum or ' +
        'Solana. It works once, for five minutes, for this member and this wallet.',
      params: { ...params, memberID: memberIdParam },
      writes: true,
      body: challengeBody,
      answer: challengeAnswer,
      refusals: [...refusals, 'member_not_found'],
    },
    async (request, { proofs, realms }) => {
      const { memberID: member } = request.params
      const realm = await realmOf(request, realms)
      return ok(await proofs.challenge({ ...request.body, realm, member }))
    },
  )

const pageLink = ({ route, base, params, refusals, realmOf }: RouteBase): Route =>
  route(
    {
      operationId: 'createWalletLink',
      tag: 'Wallets',
      methods: ['POST'],
      path: `${base}/{memberID}/wallets/links`,
      summary: 'Create a link to the page where the member signs',
      description:
        'Send it only to the member: anyone with it can link a wallet to them, once, within 15 minutes.',
      params: { ...params, memberID: memberIdParam },
      writes: true,
      bodyRequired: false,
      body: Type.Object(
        {
          returnUrl: Type.Optional(
            Type.String({ maxLength: 2_000, description: 'Where the page leads when it is done: https://…' }),
          ),
        },
        { description: 'A JSON object, which may be empty.' },
      ),
      answer: Type.Object({ url: secret({}), expiresAt: date }),
      refusals: [...refusals, 'member_not_found'],
    },
    async (request, { pageLinks, realms }) => {
      const { memberID: member } = request.params
      const realm = await realmOf(request, realms)
      const returnUrl = request.body?.returnUrl
      return ok(await pageLinks.make({ realm, member, returnUrl }, request.by()))
    },
  )
