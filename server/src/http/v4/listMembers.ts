import { invalid, refuse } from '../../errors.ts'
import { type Identities, isNamed, looksLikeAddress } from '../../members/identities/index.ts'
import { isMemberId, type Member, type Members, type PartPlace, type Place } from '../../members/index.ts'
import type { Wallets } from '../../wallets/index.ts'
import type { Collection, Holdings } from '../../web3/holdings/index.ts'
import { cursorsOf, type PageRequest, realmList } from '../route/list.ts'
import { memberIdParam, realmIdParam, Type, text } from '../route/schemas.ts'
import { collectionAnswer } from './collectionRoutes.ts'
import { memberAnswer, memberBody } from './getMember.ts'

/** Members that are read at once; for a larger page they serve to estimate the size of members. */
const sampleSize = 100
/** A page of more members ends at about this size. */
const pageCapBytes = 1024 * 1024

const query = {
  search: Type.Refine(
    text(100, 'A part of a username or displayName. Case and accents do not matter.'),
    (value) => value !== '' && !looksLikeAddress(value),
  ),
  id: memberIdParam,
  idPart: Type.String({ pattern: '^[0-9]{3,18}$', description: 'Some digits of an id, in a row.' }),
  wallet: Type.String({ minLength: 1, maxLength: 128, description: 'A wallet address.' }),
  walletPart: Type.String({
    pattern: '^[\\x21-\\x7e]{4,128}(…[\\x21-\\x7e]{1,128})?$',
    description: 'The start of a wallet address, or its start and end as 0x5aAe…eAed.',
  }),
  holding: Type.String({
    pattern: '^[a-z0-9][a-z0-9-]{0,39}:[1-9][0-9]{0,77}$',
    description: 'A collection and an amount, such as founders:1. Counts verified wallets only.',
  }),
}

const isKept = (name: unknown): boolean =>
  typeof name === 'string' && name.isWellFormed() && !name.includes('\0')

/** An account, and the name that was searched for or the block at which holdings were read. */
const cursors = cursorsOf(
  Type.Tuple([
    Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }),
    Type.Union([Type.Refine(Type.String(), isKept), Type.Null()]),
  ]),
)

type Key = readonly [account: number, name: string | null]
type Wanted = PageRequest<Key> & { readonly query: URLSearchParams }

type Sources = {
  readonly members: Members
  readonly wallets: Wallets
  readonly holdings: Holdings
  readonly identities: Identities
}

type Found = {
  readonly members: readonly Member[]
  readonly next: Place | null
  /** For a search by holdings. */
  readonly at?: Collection
}

/** A place in a list of holders belongs to one block; at another block it is invalid. */
async function findHolders({ query: asked, after, limit }: Wanted, realm: number, sources: Sources) {
  const [collection = '', atLeast = ''] = (asked.get('holding') ?? '').split(':')
  const rule = { collection, atLeast: BigInt(atLeast) }
  const { at, ids, next } = await sources.holdings.pick(realm, { rule, after: after?.[0] ?? 0, limit })
  if (after && after[1] !== at.blockHash) {
    throw refuse(
      'precondition_failed',
      `The chain was read again, at block ${at.block}. Restart the list: it covers a single block.`,
    )
  }
  const members = await sources.members.those(realm, ids)
  return { members, at, next: next === null ? null : { account: next, name: at.blockHash } }
}

type Part = { readonly by: 'id' | 'wallet'; readonly part: string; readonly members: Members }

/** In its cursors an account of 1 or 2 stands for the list, and the name is the last id or wallet. */
async function findPart(
  { after, limit }: Wanted,
  realm: number,
  { by, part, members }: Part,
): Promise<Found> {
  const place: PartPlace | undefined = after && {
    list: after[0] === 1 ? 'start' : 'within',
    last: placeOf(by, after[1]),
  }
  const { members: found, next } = await members.pageOfPart(realm, { by, part, after: place, limit })
  return { members: found, next: next && { account: next.list === 'start' ? 1 : 2, name: next.last } }
}

function placeOf(by: 'id' | 'wallet', last: string | null): string {
  if (last === null || (by === 'id' && last !== '0' && !isMemberId(last)))
    throw invalid('query:cursor', 'Expected `nextCursor` of the previous page.')
  return last
}

async function find(wanted: Wanted, realm: number, sources: Sources): Promise<Found> {
  const given = (name: keyof typeof query) => wanted.query.get(name) ?? undefined
  const [id, wallet, search] = [given('id'), given('wallet'), given('search')]
  if (Object.keys(query).filter((name) => wanted.query.has(name)).length > 1)
    throw invalid('query:search', `Expected at most one of ${Object.keys(query).join(', ')}.`)
  for (const by of ['id', 'wallet'] as const) {
    const part = given(`${by}Part`)
    if (part !== undefined) return findPart(wanted, realm, { by, part, members: sources.members })
  }
  if (given('holding') !== undefined) return findHolders(wanted, realm, sources)
  const { members, wallets } = sources
  if (id !== undefined) {
    const found = isNamed(id) ? await sources.identities.find(realm, id) : id
    return { members: await members.those(realm, found === undefined ? [] : [found]), next: null }
  }
  if (wallet !== undefined) {
    const [owner] = await wallets.ownersOf(realm, [wallet])
    return { members: await members.those(realm, owner ? [owner] : []), next: null }
  }
  const [account = 0, name = null] = wanted.after ?? []
  const after = wanted.after && { account, name }
  return members.page(realm, { search, after, limit: wanted.limit })
}

/** The requested page, or as much of it as fits: the first members give the estimate of their size. */
async function findFitting(
  limit: number,
  bodyOf: (member: Member) => object,
  read: (limit: number) => Promise<Found>,
): Promise<Found> {
  if (limit <= sampleSize) return read(limit)
  const first = await read(sampleSize)
  if (first.next === null || first.members.length === 0) return first
  const bytes = Buffer.byteLength(JSON.stringify(first.members.map(bodyOf)))
  const fitting = Math.floor(pageCapBytes / (bytes / first.members.length))
  return fitting <= sampleSize ? first : read(Math.min(limit, fitting))
}

export const listMembers = realmList(
  {
    operationId: 'listMembers',
    tag: 'Members',
    path: '/api/v4/realms/{realmID}/members',
    summary: 'List and find members',
    description:
      'In the order they joined. `search` returns members with the text in their username or displayName: ' +
      'those that begin with it, ordered by name, then the others, in the order they joined. Case, accents ' +
      'and styled letters do not matter, and a space also stands for `_`, `-` and `.`. One letter is found ' +
      'at the start of a name, two at the start of a word. `idPart` returns members whose id begins with ' +
      'the digits, then those that contain them. `id` and `wallet` return that member or none. `holding` ' +
      'returns members who hold at least that amount of a collection, all at one block, which `at` ' +
      'names. A page of a search, or of more than 1 MiB, can be shorter than `limit`, or empty, and not ' +
      'the last.',
    params: { realmID: realmIdParam },
    query,
    scope: 'members:read',
    queryScopes: { wallet: 'wallets:read', walletPart: 'wallets:read', holding: 'wallets:read' },
    item: memberAnswer,
    beside: { at: Type.Optional(collectionAnswer) },
    refusals: ['collection_not_found', 'precondition_failed', 'chain_unavailable'],
  },
  cursors,
  async ({ caller, query: given }, { members, wallets, holdings, identities }, { limit, after }) => {
    const bodyOf = (member: Member) => memberBody(caller.realmId, member)
    const sources = { members, wallets, holdings, identities }
    const { next, at, ...found } = await findFitting(limit, bodyOf, (count) =>
      find({ query: given, after, limit: count }, caller.realm, sources),
    )
    return {
      items: found.members,
      bodyOf,
      next: () => next && ([next.account, next.name] as const),
      beside: () => (at ? { at } : {}),
    }
  },
)
