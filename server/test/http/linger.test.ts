import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { connect } from 'node:net'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { linger } from '../../src/http/wire/linger.ts'
import { type Listening, listen } from '../../src/http/wire/server.ts'

const answerBytes = 16 * 1024 * 1024
const servers: Listening[] = []
after(() => Promise.all(servers.map((server) => server.close())))

/** Sends a long response before the request's body has arrived, and closes the connection. */
async function serveLong(): Promise<number> {
  const body = Buffer.alloc(answerBytes, 'a')
  const answer: RequestListener = (request, response) => {
    response.shouldKeepAlive = false
    linger(request.socket)
    response.end(body)
  }
  const server = await listen(answer, { host: '127.0.0.1', port: 0 })
  servers.push(server)
  return Number(new URL(server.url).port)
}

/** Sends this, reads slowly, and closes when the server does: returns the bytes received, and the error. */
async function readSlowly(port: number, sent: string): Promise<{ bytes: number; error: string | undefined }> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  let bytes = 0
  let error: string | undefined
  let ended = false
  socket.on('error', (fault) => {
    error = fault.message
  })
  socket.on('end', () => {
    ended = true
  })
  socket.write(sent)
  const pieces = socket.iterator({ destroyOnReturn: false })
  try {
    for await (const piece of pieces) {
      bytes += (piece as Buffer).length
      if (bytes < 8 * 1024 * 1024) await sleep(1)
    }
  } catch {
    // Kept above.
  }
  assert.ok(ended || error, 'neither ended nor failed')
  socket.destroy()
  return { bytes, error }
}

describe('a response that is sent while the client still sends', () => {
  const body = 'x'.repeat(420_000)
  const request = `GET /long HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`

  it('arrives completely, though the body is never read', async () => {
    const { bytes, error } = await readSlowly(await serveLong(), request)
    assert.equal(error, undefined)
    assert.ok(bytes > answerBytes, `${bytes} bytes came`)
  })

  it('arrives completely, though other requests follow it on the same connection', async () => {
    const { bytes, error } = await readSlowly(await serveLong(), request.repeat(4))
    assert.equal(error, undefined)
    assert.ok(bytes > answerBytes, `${bytes} bytes came`)
  })
})
