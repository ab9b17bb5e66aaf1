import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { head } from '../../../tests/support/wire.ts'
import { RefusalError } from '../../src/errors.ts'
import { Room, readBody } from '../../src/http/wire/body.ts'

const kib = 1024
/** A buffer limit for one body of 256 KiB; the first 16 KiB of a body do not count. */
const roomBytes = 240 * kib

/** The outcome of each body, in the order in which they ended. */
const ended: string[] = []
const sockets: Socket[] = []
const room = new Room(roomBytes)

async function read(request: IncomingMessage): Promise<void> {
  try {
    const body = (await readBody(request, room)) as { x: string }
    ended.push(`read ${body.x.length > kib ? 'big' : 'small'}`)
  } catch (error) {
    ended.push(error instanceof RefusalError ? error.refusal.code : String(error))
  }
}

const server = createServer((request, response) => void read(request).finally(() => response.end()))
before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
after(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

/** Sends a body without its last byte. */
function begin(bytes: number): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  sockets.push(socket.on('error', () => {}).resume())
  const body = `{"x":"${'x'.repeat(bytes - 8)}"`
  socket.write(head('POST /', { 'content-length': String(bytes) }) + body)
  return socket
}

async function expect(...codes: string[]): Promise<void> {
  for (let round = 0; ended.length < codes.length && round < 100; round++) await sleep(20)
  await sleep(50)
  assert.deepEqual(ended.splice(0), codes)
}

describe('bodies that arrive at the same time', () => {
  it('share a buffer limit, which is freed once they are read, rejected or aborted', async () => {
    for (const leave of [(one: Socket) => one.write('}'), (one: Socket) => one.destroy()]) {
      const first = begin(256 * kib)
      await sleep(100)
      begin(200 * kib)
      await expect('overloaded')
      leave(first)
      await sleep(100)
      ended.length = 0
      begin(256 * kib).write('}')
      await expect('read big')
    }
  })

  it('are read even when the limit is reached, if they are small', async () => {
    const big = begin(256 * kib)
    await sleep(100)
    for (const bytes of [12, 900]) begin(bytes).write('}')
    await expect('read small', 'read small')
    big.write('}')
    await expect('read big')
  })
})
