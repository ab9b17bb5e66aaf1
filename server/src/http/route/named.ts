import { invalidAt } from '../../errors.ts'
import { isNamed } from '../../members/identities/index.ts'
import { memberNotFound } from '../../members/index.ts'
import type { Request, Route } from './description.ts'
import type { Services } from './services.ts'

/** Members that requests name by an identity, `shop:9f1c` instead of a number. */

/** Whether the ledger decides what the route writes: under the head lock, where it also finds members. */
export const isDecided = ({ idempotent }: Route): boolean => idempotent === 'journal' || idempotent === 'list'

/** What was found for the identities in a request. */
export type Names = Pick<Request, 'member' | 'actors'>

type Place = { readonly name: string; readonly pointer: string }

type Acted = { readonly actorId?: unknown }
type Body = Acted & { readonly changes?: readonly Acted[]; readonly filter?: Acted }

/** The actors in a body that are named by an identity. */
function actorsIn(body: Body): Place[] {
  const places: Place[] = []
  const look = ({ actorId: name }: Acted, at: string) => {
    if (typeof name === 'string' && isNamed(name)) places.push({ name, pointer: `${at}/actorId` })
  }
  look(body, '')
  if (body.filter) look(body.filter, '/filter')
  for (const [index, change] of (body.changes ?? []).entries()) look(change, `/changes/${index}`)
  return places
}

const isFound = ([, id]: readonly [string, string | undefined]): boolean => id !== undefined

/**
 * Finds the members that a request names by an identity. Undefined when it names none: numeric ids cost no
 * look-up and no promise.
 */
export function findNames(
  route: Route,
  { caller, params, body }: Request,
  { identities }: Pick<Services, 'identities'>,
): Promise<Names> | undefined {
  if (!caller) return undefined
  const { memberID: name } = params
  const ledgers = isDecided(route)
  const named = name !== undefined && isNamed(name) && !ledgers && !route.takesIdentities ? name : undefined
  const actors = ledgers && body ? actorsIn(body as Body) : []
  if (named === undefined && actors.length === 0) return undefined
  const find = async (one: string) => [one, await identities.find(caller.realm, one)] as const
  return Promise.all([
    named === undefined ? undefined : find(named),
    Promise.all(Array.from(new Set(actors.map((actor) => actor.name)), find)),
  ]).then(([member, found]) => {
    const known = new Map(found.filter(isFound) as [string, string][])
    const unknown = actors.filter((actor) => !known.has(actor.name))
    if (unknown.length > 0) throw unknownActors(unknown)
    return { ...(member ? { member: member[1] ?? null } : {}), actors: known }
  })
}

const unknownActors = (unknown: readonly Place[]) =>
  invalidAt(
    unknown
      .slice(0, 20)
      .map(({ name, pointer }) => ({ pointer, detail: `No member has the identity ${name}.` })),
  )

/** The request with the member's id in its path; 404 for an identity that no member has, in every realm. */
export function withMemberId(request: Request): Request {
  const { member, params } = request
  if (member === undefined) return request
  if (member === null) throw memberNotFound(params['memberID'] ?? '')
  return { ...request, params: { ...params, memberID: member } }
}
