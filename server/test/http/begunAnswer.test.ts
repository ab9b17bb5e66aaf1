import assert from 'node:assert/strict'
import type { RequestListener, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Listening, listen } from '../../src/http/wire/server.ts'

const servers: Listening[] = []
after(() => Promise.all(servers.map((server) => server.close())))

/** The response of a server that answers in ten chunks before the request has ended. */
async function receive(sent: string, isEnded: boolean): Promise<string> {
  const pieces = async (response: ServerResponse) => {
    for (let piece = 0; piece < 10; piece += 1) {
      response.write(`piece ${piece}\n`)
      await sleep(60)
    }
    response.end()
  }
  const answer: RequestListener = (_request, response) => void pieces(response)
  const bounds = { requestMs: 200, headersMs: 200, unreadMs: 200 }
  const server = await listen(answer, { host: '127.0.0.1', port: 0, bounds })
  servers.push(server)
  const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {})
  socket.write(sent)
  const timer = setTimeout(() => isEnded && socket.end(), 150)
  let received = ''
  for await (const piece of socket) received += String(piece)
  clearTimeout(timer)
  socket.destroy()
  return received
}

describe('a response that has begun before its request has ended', () => {
  const broken = 'GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\nabc'

  for (const [what, isEnded] of [
    ['that ends early', true],
    ['that takes too long', false],
  ] as const)
    it(`arrives complete, with no other response inside it, for a request ${what}`, async () => {
      const received = await receive(broken, isEnded)
      assert.equal(received.match(/HTTP\/1\.1/g)?.length, 1, received)
      assert.match(received, /piece 9\n\r\n0\r\n\r\n$/)
    })
})
