import { gone } from '../problem.ts'
import type { Request, Route, RouteDescription } from './description.ts'

type Handle = Route['handle']
type Creation = Pick<RouteDescription, 'creates' | 'createdId'>

const isDry = ({ query }: Request): boolean => query.get('dryRun') === 'true'

/** The path of a created object, from the request's path and the id in the response. */
export function locationOf(
  { creates = '', createdId = 'id' }: Creation,
  { params }: Pick<Request, 'params'>,
  { body, basePath }: { readonly body: string; readonly basePath: string },
): string {
  const answer = JSON.parse(body) as Readonly<Record<string, string>>
  const path = creates.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? answer[createdId] ?? ''),
  )
  return basePath + path
}

/**
 * A creation returns 201 with `Location`. A dry run creates nothing; a replay returns 201 again.
 */
function created(documented: RouteDescription, handle: Handle): Handle {
  const isPut = documented.methods.includes('PUT')
  return async (request, services) => {
    const reply = await handle(request, services)
    const { status, body, isNew = !isPut, headers, replays = 0 } = reply
    if (status !== 200 || typeof body !== 'string' || !isNew) return reply
    if (isDry(request) && replays === 0) return reply
    const location = locationOf(documented, request, { body, basePath: services.site.basePath })
    return { ...reply, body, status: 201, headers: { ...headers, location } }
  }
}

function deleted(handle: Handle): Handle {
  return async (request, services) => {
    const { headers } = await handle(request, services)
    return headers ? { ...gone, headers } : gone
  }
}

/** A handler whose responses have the status that its route declares. */
export function withStatus(documented: RouteDescription, handle: Handle): Handle {
  if (documented.creates) return created(documented, handle)
  return documented.deletes ? deleted(handle) : handle
}
