import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { askedOf, type RequestedStatement } from './asked.ts'

/** A response as received. */
export type Wire = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** A client's result: the response as received, and what the client returned to its caller. */
export type GateEvent = { readonly wire: Wire } & (
  | { readonly value: unknown }
  | { readonly error: { readonly status: number; readonly code: string; readonly requestId?: string | null } }
)

export type Client = {
  /** Undefined if its types do not allow such a request. */
  ask(asked: RequestedStatement): Promise<GateEvent | undefined>
  close(): Promise<void>
}

export type Gate = {
  readonly url: string
  /** How many requests the client sent, and how many it can't send and were forwarded unchanged. */
  readonly made: { byClient: number; passedOn: number }
  close(): Promise<void>
}

const bodyCap = 256 * 1024
const notOurs = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'content-encoding',
])

/**
 * A proxy in front of a server that sends each request through a client, if it can. The response is the one
 * that the client received; it must have returned the same to its caller.
 */
export async function startGate(target: string, client: Client): Promise<Gate> {
  const made = { byClient: 0, passedOn: 0 }
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method = '', url = '', headers } = incoming
    if (Number(headers['content-length'] ?? 0) > bodyCap) return passOn(target, incoming, outgoing)
    const body = Buffer.concat((await Array.fromAsync(incoming)) as Buffer[])
    const asked = isUtf8(body) ? askedOf({ method, url, headers, body: body.toString() }) : undefined
    const event = asked && (await client.ask(asked))
    made[event ? 'byClient' : 'passedOn'] += 1
    if (!event) return passOn(target, incoming, outgoing, body)
    const { status, headers: came, text } = agreed(event)
    outgoing.writeHead(
      status,
      Object.entries(came)
        .filter(([name]) => !notOurs.has(name.toLowerCase()))
        .flat(),
    )
    outgoing.end(text)
  }
  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch((error: Error) => {
      console.error(error)
      outgoing.writeHead(599).end(error.message)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    made,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await client.close()
    },
  }
}

/** The response, after checking that the client returned the same to its caller. */
function agreed(event: GateEvent): Wire {
  const { wire } = event
  const body = JSON.parse(wire.text) as { code?: string; requestId?: string }
  if ('value' in event) assert.deepEqual([wire.status, event.value], [200, body])
  else {
    const { status, code, requestId } = event.error
    assert.deepEqual([status, code, requestId], [wire.status, body.code, body.requestId])
  }
  return wire
}

function passOn(
  target: string,
  incoming: IncomingMessage,
  ...[outgoing, body]: [ServerResponse, Buffer?]
): void {
  const { method, url, headers } = incoming
  const passed = ask(`${target}${url}`, { method, headers, agent: false }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
  })
  // A server may answer and close while it is still being written to: what it answered counts.
  passed.on('error', () => outgoing.headersSent || incoming.socket.destroy())
  passed.flushHeaders()
  if (body) passed.end(body)
  else incoming.pipe(passed)
}
