import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What happens to one request. */
const fates = ['lost before', 'lost after', 'late before', 'late after'] as const
export type Fate = (typeof fates)[number] | 'well'

export type Flaky = {
  readonly url: string
  readonly seen: ReadonlyMap<Fate, number>
  close(): Promise<void>
}

const share = 0.05
const lateMs = 1_200

/** A proxy that drops or delays one in five requests or responses. */
export async function startFlaky(target: string): Promise<Flaky> {
  const seen = new Map<Fate, number>()
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const fate: Fate = fates[Math.floor(Math.random() / share)] ?? 'well'
    seen.set(fate, (seen.get(fate) ?? 0) + 1)
    const body = await Array.fromAsync(incoming)
    if (fate === 'lost before') throw new Error(fate)
    if (fate === 'late before') await sleep(lateMs)
    const answer = await passOn(target, incoming, Buffer.concat(body as Buffer[]))
    const text = await Array.fromAsync(answer)
    if (fate === 'lost after') throw new Error(fate)
    if (fate === 'late after') await sleep(lateMs)
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(Buffer.concat(text as Buffer[]))
  }
  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => incoming.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function passOn(
  target: string,
  { method, headers, url }: IncomingMessage,
  body: Buffer,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const passed = ask(`${target}${url}`, { method, headers, agent: false }, resolve)
    passed.on('error', reject)
    passed.end(body)
  })
}
