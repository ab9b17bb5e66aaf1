import { realmRoute } from '../route/route.ts'
import { realmIdParam, Type } from '../route/schemas.ts'

/** One message of the Model Context Protocol. GET and DELETE, which are for sessions, are not allowed. */
export const mcp = realmRoute(
  {
    operationId: 'openMcp',
    tag: 'Realm',
    methods: ['POST'],
    path: '/api/v4/realms/{realmID}/mcp',
    summary: 'Serve an assistant by the Model Context Protocol',
    params: { realmID: realmIdParam },
    // It changes nothing itself; the requests that its tools send are checked as any others.
    writes: false,
    scope: [],
    sends: true,
    textTypes: ['application/json'],
    body: Type.Object({ type: Type.String(), text: Type.String() }),
    refusals: ['not_set_up'],
  },
  ({ caller, headers, body: { text }, send }, { assistants }) => {
    if (!send) throw new Error('the route can’t send requests')
    return assistants.answer({ caller, headers, text, send })
  },
)
