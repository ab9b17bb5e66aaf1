import { RefusalError } from '../../errors.ts'
import { isNamed } from '../../members/identities/index.ts'
import type { Reply, StreamReply } from '../problem.ts'
import type { Request, Route } from './description.ts'
import { isDecided } from './named.ts'
import type { Services } from './services.ts'

/** Old ids of merged members: requests to one act on the member that it was merged into. */

type Answer = Reply | StreamReply | Promise<Reply | StreamReply>

/**
 * Handles a request; if no member has the id in its path, but one had it before it was merged, again with the
 * id of the survivor. Only a 404 costs a look-up. The ledger finds old ids itself, under the head lock.
 */
export function handleMerged(route: Route, request: Request, services: Services): Answer {
  const { memberID: id } = request.params
  const handled = route.handle(request, services)
  if (id === undefined || isNamed(id) || isDecided(route) || !(handled instanceof Promise)) return handled
  return handled.catch(async (error: unknown) => {
    const { caller } = request
    if (!caller || !isUnknown(error)) throw error
    const survivor = await services.identities.find(caller.realm, `id:${id}`)
    if (survivor === undefined) throw error
    const reply = await route.handle(
      { ...request, params: { ...request.params, memberID: survivor } },
      services,
    )
    return { ...reply, survivor }
  })
}

const isUnknown = (error: unknown): boolean =>
  error instanceof RefusalError && error.refusal.code === 'member_not_found'
