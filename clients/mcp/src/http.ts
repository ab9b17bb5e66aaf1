import { Realm, type Scope } from '@exchequer/sdk'
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { PlanOptions } from './plans.ts'
import { createServer } from './server.ts'

/** The tools by HTTP, for a server that has authenticated the request: a response each, and no session. */

export type HttpOptions = {
  readonly realmId: string
  readonly scopes: ReadonlySet<Scope>
  /** Sends the requests of the tools, with the key of the request; the one they contain is a placeholder. */
  readonly fetch: typeof fetch
  readonly allowWrites: boolean
  readonly plans: PlanOptions
  readonly log: (text: string) => void
}

const invalidRequest = -32_600
const parseError = -32_700

const failure = (code: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status: 400 })

/** The message of a body; undefined when it is not JSON. */
function messageOf(text: string): { readonly message: unknown } | undefined {
  try {
    return { message: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** One message of a POST. Its body has been read: `text` is that. */
export async function answer(request: Request, text: string, options: HttpOptions): Promise<Response> {
  const parsed = messageOf(text)
  if (!parsed) return failure(parseError, 'The body is not valid JSON.')
  const { message } = parsed
  // One request could otherwise be hundreds. The protocol has no batches since 2025-06-18.
  if (Array.isArray(message)) return failure(invalidRequest, 'Send one message in a request, not a batch.')
  const make = () => serverFor(options)
  if (await isLegacyRequest(request, message)) return answerLegacy(request, message, make)
  const handler = createMcpHandler(make, { legacy: 'reject', maxSubscriptions: 0 })
  try {
    return await buffered(await handler.fetch(request, { parsedBody: message }))
  } finally {
    await handler.close()
  }
}

function serverFor({ realmId, scopes, fetch: send, allowWrites, plans, log }: HttpOptions) {
  const access = { url: 'http://localhost', realm: realmId, key: 'key-of-the-request' }
  const realm = new Realm({ ...access, fetch: send, retries: 2, longestWaitMs: 2_000 })
  return createServer({ realm, scopes, allowWrites, isStateless: true, plans, log })
}

/** Protocols before 2026: by default the library would stream the response. */
async function answerLegacy(
  request: Request,
  message: unknown,
  make: () => ReturnType<typeof createServer>,
): Promise<Response> {
  const server = make()
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  try {
    await server.connect(transport)
    return await buffered(await transport.handleRequest(request, { parsedBody: message }))
  } finally {
    await server.close()
  }
}

/** The whole response, so that its server can be closed. */
async function buffered({ status, headers, body }: Response): Promise<Response> {
  return new Response(body && (await new Response(body).text()), { status, headers })
}
