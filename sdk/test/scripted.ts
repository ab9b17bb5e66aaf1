import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as soon } from 'node:timers/promises'

/** What a scripted server does with one request. */
export type Turn =
  | {
      /** The pieces of an event stream. */
      readonly sends: readonly (string | Uint8Array)[]
      /** The connection is cut at the end, or stays open. */
      readonly breaks?: boolean
      readonly hangs?: boolean
    }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly answers: object }
  | { readonly drops: true }
  /** No answer. */
  | { readonly waits: true }

export type Scripted = {
  readonly url: string
  readonly requests: readonly { readonly url: string; readonly atMs: number }[]
  /** Aborted when all turns are over. */
  readonly finished: AbortSignal
  close(): Promise<void>
}

/** A server that does one thing after the other, each for one request. */
export async function startScripted(turns: readonly Turn[]): Promise<Scripted> {
  const requests: { url: string; atMs: number }[] = []
  const finished = new AbortController()
  const server = createServer((request, response) => {
    const turn = turns[requests.length]
    requests.push({ url: request.url ?? '', atMs: performance.now() })
    const isLast = requests.length >= turns.length
    const play = async () => {
      if (!turn || 'drops' in turn) request.socket.destroy()
      else if ('waits' in turn) return
      else if ('status' in turn) response.writeHead(turn.status, turn.headers).end('{}')
      else if ('answers' in turn) response.end(JSON.stringify(turn.answers))
      else {
        response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).flushHeaders()
        for (const piece of turn.sends) {
          response.write(piece)
          await soon()
        }
        // What was sent last must have been received.
        if (isLast) setTimeout(() => finished.abort(), 200)
        else if (turn.breaks) setTimeout(() => request.socket.destroy(), 50)
        else if (!turn.hangs) response.end()
      }
    }
    void play()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    finished: finished.signal,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
