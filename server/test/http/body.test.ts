import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refused } from '../../src/errors.ts'
import { Room, readBody } from '../../src/http/wire/body.ts'
import { head } from '../support/wire.ts'

const kib = 1024
/** Room for one body of 256 KiB, whose first 16 need none. */
const roomBytes = 240 * kib

/** What became of each body, in the order in which they ended. */
const ended: string[] = []
const sockets: Socket[] = []
const room = new Room(roomBytes)

async function read(request: IncomingMessage): Promise<void> {
  try {
    const body = (await readBody(request, room)) as { x: string }
    ended.push(`read ${body.x.length > kib ? 'big' : 'small'}`)
  } catch (error) {
    ended.push(error instanceof Refused ? error.refusal.code : String(error))
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

/** Sends all of a body but its last byte. */
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
  it('have a room in common, which is free again once they are read, refused or left alone', async () => {
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

  it('are read even when there is no room, if they are small', async () => {
    const big = begin(256 * kib)
    await sleep(100)
    for (const bytes of [12, 900]) begin(bytes).write('}')
    await expect('read small', 'read small')
    big.write('}')
    await expect('read big')
  })
})
