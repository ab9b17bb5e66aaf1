import { request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What becomes of one request on its way. */
const fates = ['lost before', 'lost after', 'late before', 'late after'] as const
export type Fate = (typeof fates)[number] | 'well'

export type Flaky = {
  readonly url: string
  readonly seen: ReadonlyMap<Fate, number>
  close(): Promise<void>
}

const share = 0.05
const lateMs = 1_200

/** A proxy that drops or delays one in five: the request or its answer. */
export async function startFlaky(target: string): Promise<Flaky> {
  const seen = new Map<Fate, number>()
  const server = createServer(async (incoming, outgoing) => {
    const fate: Fate = fates[Math.floor(Math.random() / share)] ?? 'well'
    seen.set(fate, (seen.get(fate) ?? 0) + 1)
    const body = await Array.fromAsync(incoming)
    if (fate === 'lost before') {
      incoming.socket.destroy()
      return
    }
    if (fate === 'late before') await sleep(lateMs)
    const { method, headers, url } = incoming
    const passed = ask(`${target}${url}`, { method, headers, agent: false }, async (answer) => {
      const text = await Array.fromAsync(answer)
      if (fate === 'lost after') {
        incoming.socket.destroy()
        return
      }
      if (fate === 'late after') await sleep(lateMs)
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(Buffer.concat(text as Buffer[]))
    })
    passed.on('error', () => incoming.socket.destroy())
    passed.end(Buffer.concat(body as Buffer[]))
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
