import assert from 'node:assert/strict'
import { createServer, type Server, type Socket } from 'node:net'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Heard, Wire } from '../../../tests/security/fuzz/wire.ts'

const servers: Server[] = []
after(() => {
  for (const server of servers) server.close()
})

const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'

/** What the fuzzer reports for a server with this response. */
async function hear(answer: (socket: Socket) => unknown): Promise<Heard> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => void answer(socket))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { readonly port: number }
  const wire = new Wire(port)
  const bytes = Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  const heard = await wire.exchange({ bytes, due: 1, isHead: false, alone: false })
  wire.close()
  return heard
}

describe('what the fuzzer reports', () => {
  it('is a complete response, however long its chunks take, as long as they arrive', async () => {
    const { trouble, answers } = await hear(async (socket) => {
      socket.write(head)
      for (let sent = 0; sent < 4; sent += 1) {
        await sleep(3_500)
        socket.write('1\r\na\r\n')
      }
      socket.write('0\r\n\r\n')
    })
    assert.equal(trouble, 'none')
    assert.equal(answers[0]?.text, 'aaaa')
  })

  it('is silence when no more chunks arrive', async () => {
    const { trouble } = await hear((socket) => socket.write(`${head}1\r\na\r\n`))
    assert.equal(trouble, 'silence')
  })

  it('is silence when nothing arrives', async () => {
    assert.equal((await hear(() => {})).trouble, 'silence')
  })

  it('is a cut when the connection ends before the last chunk', async () => {
    const { trouble } = await hear((socket) => socket.end(`${head}5\r\nab`))
    assert.equal(trouble, 'cut')
  })

  it('is a drop when the connection ends without a response', async () => {
    assert.equal((await hear((socket) => socket.end())).trouble, 'dropped')
  })

  it('is not HTTP when the body is shorter than its length', async () => {
    const { trouble } = await hear((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab'))
    assert.equal(trouble, 'not HTTP')
  })
})
