import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { rich } from '../../../tests/support/fixture.ts'
import { suite } from '../../../tests/support/suite.ts'
import { head } from '../../../tests/support/wire.ts'

const made = suite()
const body = '{"tokens":1}'

function patchHead(more: Readonly<Record<string, string>> = {}): string {
  const { id, key } = made.fixture.realm
  return head(`PATCH /api/v4/realms/${id}/members/${rich}/tokenBalance`, {
    authorization: `Bearer ${key}`,
    'content-length': String(body.length),
    expect: '100-continue',
    ...more,
  })
}

function open() {
  const { hostname, port } = new URL(made.app.url)
  return connect({ host: hostname, port: Number(port) }).setTimeout(5_000)
}

/** The statuses in these bytes, one message after the other. */
function statusesIn(bytes: string): number[] {
  if (bytes === '') return []
  const end = bytes.indexOf('\r\n\r\n') + 4
  const top = bytes.slice(0, end)
  const status = /^HTTP\/1\.1 (\d+) /.exec(top)?.[1]
  assert.ok(status, `not a message: ${bytes}`)
  const length = Number(/^content-length: (\d+)/im.exec(top)?.[1] ?? 0)
  return [Number(status), ...statusesIn(bytes.slice(end + length))]
}

describe('Expect: 100-continue', () => {
  it('is answered before the body is sent', async () => {
    const socket = open()
    socket.write(patchHead({ connection: 'close' }))
    const [first] = await once(socket, 'data')
    assert.deepEqual(statusesIn(String(first)), [100])
    socket.write(body)
    const chunks = await socket.toArray()
    assert.deepEqual(statusesIn(Buffer.concat(chunks).toString('latin1')), [200])
  })

  it('never gets between the head and the body of a response when requests are pipelined', async () => {
    const socket = open()
    const requests = `${patchHead()}${body}`.repeat(3) + patchHead({ connection: 'close' }) + body
    socket.write(requests)
    const statuses = statusesIn(Buffer.concat(await socket.toArray()).toString('latin1'))
    assert.deepEqual(
      statuses.filter((status) => status !== 100),
      [200, 200, 200, 200],
    )
  })

  it('is answered in order after another request on the connection', async () => {
    const socket = open()
    const heard: Buffer[] = []
    const waits = patchHead({ connection: 'close' })
    socket.on('data', (chunk: Buffer) => {
      heard.push(chunk)
      const statuses = statusesIn(Buffer.concat(heard).toString('latin1'))
      if (statuses.at(-1) === 100 && statuses.includes(200)) socket.write(body)
    })
    socket.write(`${patchHead()}${body}${waits}`)
    await once(socket, 'close')
    assert.deepEqual(statusesIn(Buffer.concat(heard).toString('latin1')), [100, 200, 100, 200])
  })
})
