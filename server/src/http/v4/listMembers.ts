import { invalid, refuse } from '../../errors.ts'
import type { Collection } from '../../holdings/holdings.ts'
import type { Member, Place } from '../../members/members.ts'
import { collectionId, seenFields } from '../collectionRoutes.ts'
import { okList } from '../longList.ts'
import { realmRoute, type Services } from '../route.ts'
import { memberIdParam, nullable, realmIdParam, Type, text } from '../schemas.ts'
import { memberAnswer, memberBody } from './getMember.ts'

const usualLimit = 100
/** A page of more members ends at about this size. */
const pageCapBytes = 1024 * 1024
const limitForm = '^([1-9][0-9]{0,2}|1000)$'

const query = {
  limit: Type.String({ pattern: limitForm, description: 'A whole number from 1 to 1000; 100 unless given.' }),
  cursor: Type.String({
    pattern: '^[A-Za-z0-9_-]{1,2000}$',
    description: 'The `next` of the page before, for the same search.',
  }),
  search: Type.Refine(
    text(100, 'how a username or a displayName begins, in any case'),
    (value) => value !== '',
  ),
  id: memberIdParam,
  wallet: Type.String({ minLength: 1, maxLength: 128, description: 'A wallet address.' }),
  holding: Type.String({
    pattern: '^[a-z0-9][a-z0-9-]{0,39}:[1-9][0-9]{0,77}$',
    description: 'A collection and an amount, as founders:1: who holds at least that in proved wallets.',
  }),
}

/** A cursor is a place in the list, as text that nobody is meant to read. */
const cursorOf = ({ account, name }: Place): string =>
  Buffer.from(JSON.stringify([account, name])).toString('base64url')

const wrongCursor = () =>
  invalid('query:cursor', 'Expected the `next` of the page before, for the same search.')

function placeOf(cursor: string, search: string | undefined): Place {
  let said: unknown
  try {
    said = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    throw wrongCursor()
  }
  const [account, name] = Array.isArray(said) ? said : []
  const isPlace = Number.isInteger(account) && account > 0 && account < 2 ** 31
  const isName = search === undefined ? name === null : typeof name === 'string' && isKept(name)
  if (!isPlace || !isName) throw wrongCursor()
  return { account, name }
}

const isKept = (name: string): boolean => name.isWellFormed() && !name.includes('\0')

type Found = {
  readonly members: readonly Member[]
  readonly next: Place | null
  /** Of a search by what members hold. */
  readonly at?: Collection
}

/** A place in a list of holders is as of a block: behind another one it is no place. */
async function findHolders(asked: URLSearchParams, realm: number, services: Services): Promise<Found> {
  const [collection = '', atLeast = ''] = (asked.get('holding') ?? '').split(':')
  const cursor = asked.get('cursor')
  const place = cursor === null ? undefined : placeOf(cursor, '')
  const rule = { collection, atLeast: BigInt(atLeast) }
  const limit = Number(asked.get('limit') ?? usualLimit)
  const { at, ids, next } = await services.holdings.pick(realm, { rule, after: place?.account ?? 0, limit })
  if (place && place.name !== at.blockHash) {
    throw refuse(
      'precondition_failed',
      `The chain was read again, at block ${at.block}. Begin the list anew: it is told at one block.`,
    )
  }
  const members = await services.members.those(realm, ids)
  return { members, at, next: next === null ? null : { account: next, name: at.blockHash } }
}

async function find(asked: URLSearchParams, realm: number, services: Services): Promise<Found> {
  const given = (name: keyof typeof query) => asked.get(name) ?? undefined
  const [id, wallet, search, cursor] = [given('id'), given('wallet'), given('search'), given('cursor')]
  if ([id, wallet, search, given('holding')].filter((one) => one !== undefined).length > 1)
    throw invalid('query:search', 'Expected one of search, id, wallet and holding at most.')
  if (given('holding') !== undefined) return findHolders(asked, realm, services)
  const { members, wallets } = services
  if (id !== undefined) return { members: await members.those(realm, [id]), next: null }
  if (wallet !== undefined) {
    const [owner] = await wallets.ownersOf(realm, [wallet])
    return { members: await members.those(realm, owner ? [owner] : []), next: null }
  }
  const after = cursor === undefined ? undefined : placeOf(cursor, search)
  return members.page(realm, { search, after, limit: Number(given('limit') ?? usualLimit) })
}

/** The page that is asked for, or as much of it as fits: the first members tell how large they are. */
async function findFitting(
  asked: URLSearchParams,
  bodyOf: (member: Member) => object,
  read: (asked: URLSearchParams) => Promise<Found>,
): Promise<Found> {
  const limit = Number(asked.get('limit') ?? usualLimit)
  if (limit <= usualLimit) return read(asked)
  const readSome = (count: number) => {
    const some = new URLSearchParams(asked)
    some.set('limit', String(count))
    return read(some)
  }
  const first = await readSome(usualLimit)
  if (first.next === null || first.members.length === 0) return first
  const bytes = Buffer.byteLength(JSON.stringify(first.members.map(bodyOf)))
  const fitting = Math.floor(pageCapBytes / (bytes / first.members.length))
  return fitting <= usualLimit ? first : readSome(Math.min(limit, fitting))
}

export const listMembers = realmRoute(
  {
    methods: ['GET'],
    path: '/api/v4/realms/{realmID}/members',
    summary: 'List and find members',
    description:
      'In the order they joined; with `search` those whose username or displayName begins so, in the ' +
      'order of names, whatever the case (beyond a to z as far as the database’s locale knows it); with ' +
      '`id` or `wallet` that member or none; with `holding` those who hold enough of a collection, all of ' +
      'them at one block, which `at` names. `next` is the `cursor` of the following page, null behind the ' +
      'last; a page of a search, or of more than 1 MiB, may be shorter than `limit` and not the last.',
    params: { realmID: realmIdParam },
    query,
    writes: false,
    scope: 'members:read',
    queryScopes: { wallet: 'wallets:read', holding: 'wallets:read' },
    answer: Type.Object({
      members: Type.Array(memberAnswer),
      next: nullable(Type.String()),
      at: Type.Optional(Type.Object({ id: collectionId, ...seenFields })),
    }),
    refusals: ['collection_not_found', 'precondition_failed', 'chain_unavailable'],
  },
  async ({ caller, query: asked }, services) => {
    const bodyOf = (member: Member) => memberBody(caller.realmId, member)
    const found = await findFitting(asked, bodyOf, (shorter) => find(shorter, caller.realm, services))
    const { members, next, at } = found
    const rest = { next: next && cursorOf(next), ...(at ? { at } : {}) }
    return okList({ name: 'members', items: members, bodyOf, rest })
  },
)
