import { evmChain } from '../../web3/chains/index.ts'
import { gone, ok } from '../problem.ts'
import { expectMark } from '../route/expects.ts'
import { cursorsOf, listAt, pageOfRows, rowsFor, smallNumber } from '../route/list.ts'
import type { Route } from '../route/route.ts'
import { clearable, date, nullable, Type, text } from '../route/schemas.ts'
import { asRealmKey, type RouteBase } from '../route/scopedRoutes.ts'

export const collectionId = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,39}$',
  description: 'A collection id: up to 40 lowercase letters, digits and -.',
  [expectMark]: 'up to 40 lowercase letters, digits and -',
  examples: ['founders'],
})

/** A collection in responses, and how recent its data is. */
export const seenFields = {
  name: Type.String(),
  chain: Type.String({ description: 'A CAIP-2 id.' }),
  standard: Type.String({ description: 'native, erc20, erc721 or erc1155.' }),
  address: nullable(Type.String()),
  tokenId: nullable(Type.String()),
  block: nullable(Type.String({ description: 'The block at which it was read; null before that.' })),
  blockHash: nullable(Type.String()),
  seenAt: nullable(date),
  stale: Type.Boolean({
    description: 'Whether it could not be read recently or completely, or the block is old.',
  }),
}

export const collectionAnswer = Type.Object({ id: collectionId, ...seenFields }, { title: 'Collection' })

const under = '/web3/collections'

const list = ({ route, base, params, refusals, realmOf }: RouteBase): Route =>
  listAt(route)(
    {
      operationId: 'listCollections',
      tag: 'Collections',
      path: base,
      summary: 'List collections',
      params,
      item: collectionAnswer,
      refusals,
    },
    cursorsOf(Type.Tuple([smallNumber])),
    async (request, { holdings, realms }, asked) => {
      const realm = await realmOf(request, realms)
      const [after = 0] = asked.after ?? []
      const rows = await holdings.page(realm, { after, limit: rowsFor(asked) })
      return pageOfRows(rows, asked, {
        placeOf: ({ number }) => [number],
        bodyOf: ({ collection }) => collection,
      })
    },
  )

const put = ({ route, base, params, refusals, realmOf }: RouteBase): Route =>
  route(
    {
      operationId: 'putCollection',
      tag: 'Collections',
      methods: ['PUT'],
      path: `${base}/{collectionID}`,
      summary: 'Create a collection, or rename it',
      description:
        'For an existing collection, omitted fields do not change, and only the name can change. The ' +
        'server reads the holdings of linked wallets from the chain soon after, and then regularly.',
      params: { ...params, collectionID: collectionId },
      writes: true,
      body: Type.Object(
        {
          name: Type.Optional(text(100, 'The name.')),
          chain: Type.Optional(
            Type.String({
              pattern: `^${evmChain}$`,
              description: 'A chain that the operator has configured, such as eip155:1.',
            }),
          ),
          standard: Type.Optional(
            Type.Union(
              ['native', 'erc20', 'erc721', 'erc1155'].map((one) => Type.Literal(one as 'native')),
              { description: 'native (the chain’s own coin), erc20, erc721 or erc1155.' },
            ),
          ),
          address: clearable(
            Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', description: 'The contract’s address.' }),
          ),
          tokenId: clearable(
            Type.String({ pattern: '^[0-9]{1,78}$', description: 'For erc1155, in decimal digits.' }),
          ),
        },
        { description: 'A JSON object; a new collection needs chain and standard.' },
      ),
      creates: `${base}/{collectionID}`,
      answer: collectionAnswer,
      refusals: [...refusals, 'already_exists', 'precondition_failed'],
    },
    async (request, { holdings, realms }) => {
      const realm = await realmOf(request, realms)
      const { isCreation } = request
      const { collectionID: id } = request.params
      const isNew = await holdings.put(realm, { ...request.body, id, isCreation }, request.by())
      return { ...ok(await holdings.get(realm, id)), isNew }
    },
  )

const get = ({ route, base, params, refusals, realmOf }: RouteBase): Route =>
  route(
    {
      operationId: 'getCollection',
      tag: 'Collections',
      methods: ['GET'],
      path: `${base}/{collectionID}`,
      summary: 'Read a collection',
      params: { ...params, collectionID: collectionId },
      writes: false,
      answer: collectionAnswer,
      refusals: [...refusals, 'collection_not_found'],
    },
    async (request, { holdings, realms }) => {
      const realm = await realmOf(request, realms)
      return ok(await holdings.get(realm, request.params.collectionID))
    },
  )

const remove = ({ route, base, params, refusals, realmOf }: RouteBase): Route =>
  route(
    {
      operationId: 'deleteCollection',
      tag: 'Collections',
      methods: ['DELETE'],
      path: `${base}/{collectionID}`,
      summary: 'Delete a collection and its holdings data',
      params: { ...params, collectionID: collectionId },
      writes: true,
      deletes: true,
      refusals: [...refusals, 'collection_not_found'],
    },
    async (request, { holdings, realms }) => {
      const realm = await realmOf(request, realms)
      await holdings.remove(realm, request.params.collectionID, request.by())
      return gone
    },
  )

/** Keys that read wallets can read them, keys that manage the realm can change them. */
export const collectionRoutes: readonly Route[] = [
  list(asRealmKey(under, 'wallets:read')),
  get(asRealmKey(under, 'wallets:read')),
  put(asRealmKey(under, 'realm:admin')),
  remove(asRealmKey(under, 'realm:admin')),
]
