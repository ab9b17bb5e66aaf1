import type { IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import type { Answer } from './call.ts'

const waitMs = 10_000

/** The first response in these bytes; undefined while it is incomplete. */
function answerIn(bytes: Buffer): Answer | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const headers: IncomingHttpHeaders = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  const body = bytes.subarray(end + 4)
  const length = Number(headers['content-length'] ?? 0)
  if (body.length < length) return undefined
  const text = body.toString('utf8', 0, length)
  const json = /json/.test(headers['content-type'] ?? '') ? JSON.parse(text) : undefined
  return { status: Number(first.split(' ')[1]), headers, text, json }
}

/** Writes raw bytes to the server, HTTP or not, and reads the first response. */
export function wire(url: string, sent: string | Buffer): Promise<Answer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0)
    const socket = connect({ host: hostname, port: Number(port) })
    const failed = (why: string) => {
      socket.destroy()
      reject(new Error(`${why} after ${JSON.stringify(received.toString().slice(0, 200))}`))
    }
    socket.setTimeout(waitMs, () => failed(`no answer in ${waitMs} ms`))
    socket.on('error', (error) => failed(error.message))
    socket.on('close', () => failed('the connection was closed'))
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      const answer = answerIn(received)
      if (!answer) return
      resolve(answer)
      socket.destroy()
    })
    socket.write(sent)
  })
}

/** The head of a request, for bodies that no well-behaved client would send. */
export function head(line: string, headers: Readonly<Record<string, string>>): string {
  const fields = Object.entries({ host: 'exchequer.test', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return `${line} HTTP/1.1\r\n${fields.join('')}\r\n`
}
