import { gone } from '../problem.ts'
import type { Documented, Request, Route } from './description.ts'

type Handle = Route['handle']
type Creation = Pick<Documented, 'creates' | 'createdId'>

const isDry = ({ query }: Request): boolean => query.get('dryRun') === 'true'

/** Where what was created is read: by the request's path, and by what the answer names it. */
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
 * What was created is answered 201 with its place. A dry run creates nothing; a replay under its key is of
 * what was created.
 */
function created(documented: Documented, handle: Handle): Handle {
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

/** A handler whose answers have the status of what its route is declared to do. */
export function withStatus(documented: Documented, handle: Handle): Handle {
  if (documented.creates) return created(documented, handle)
  return documented.deletes ? deleted(handle) : handle
}
