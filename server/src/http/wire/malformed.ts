import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { release } from '../../config/release.ts'
import type { Refusal } from '../../errors.ts'
import { problem } from '../problem.ts'
import { defaultBounds } from './bounds.ts'

/** Responds to input that is not valid HTTP and never becomes a request. */

/** How long such a response may take to be sent. */
const leaveMs = 1_000
/** How many are sent before other work gets a turn. */
const atATime = 8

type Garbage = { readonly status: string; readonly refusal: Refusal }

const notHttp: Garbage = {
  status: '400 Bad Request',
  refusal: {
    code: 'invalid_request',
    detail: 'The request is not valid HTTP.',
    faults: [{ pointer: '', detail: 'Not valid HTTP.' }],
  },
}

const garbage: Readonly<Record<string, Garbage>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    refusal: {
      code: 'headers_too_large',
      detail: `The headers are larger than ${defaultBounds.headerBytes / 1024} KiB.`,
    },
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    refusal: { code: 'request_timeout', detail: 'The request took too long to arrive.' },
  },
}

const noTunnel: Garbage = {
  status: '405 Method Not Allowed',
  refusal: {
    code: 'method_not_allowed',
    detail: 'CONNECT is not supported: this server is not a proxy.',
    headers: { allow: 'GET, HEAD, QUERY, POST, PUT, PATCH, DELETE' },
  },
}

function answerTo({ status, refusal }: Garbage): string {
  const reply = problem(refusal, '-')
  const more = Object.entries(reply.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`)
  return (
    `HTTP/1.1 ${status}\r\nContent-Type: ${reply.type}\r\nX-Request-Id: -\r\nConnection: close\r\n` +
    `Exchequer-Version: ${release}\r\n${more.join('')}` +
    `Content-Length: ${Buffer.byteLength(reply.body)}\r\n\r\n${reply.body}`
  )
}

// Built once, because thousands may be sent at a time.
const notHttpAnswer = answerTo(notHttp)
const noTunnelAnswer = answerTo(noTunnel)
const garbageAnswers: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(garbage).map(([code, one]) => [code, answerTo(one)]),
)

function answerBare(answer: string, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  socket.write(answer)
  // If only ended, it would stay open for as long as the client likes, and serve what is sent on it.
  socket.destroySoon()
  setTimeout(() => socket.destroy(), leaveMs).unref()
}

/**
 * The response that an earlier request on this connection waits for: its client would take the 400 as its
 * own, although its request was served. The same holds for a response that has begun, although its request
 * never ended: a 400 in the middle would be read as part of its body. Node stores it on the socket only.
 */
function answerDue(socket: Socket): ServerResponse | undefined {
  const { _httpMessage: answer } = socket as Socket & { readonly _httpMessage?: ServerResponse | null }
  return answer?.req.complete || answer?.headersSent ? answer : undefined
}

/** Rejects malformed input, a few at a time: thousands of clients may time out at the same moment. */
export function rejectMalformed(): (error: NodeJS.ErrnoException, socket: Socket) => void {
  const leaving: { readonly answer: string; readonly socket: Socket }[] = []
  const showOut = () => {
    for (const { answer, socket } of leaving.splice(0, atATime)) answerBare(answer, socket)
    if (leaving.length > 0) setImmediate(showOut)
  }
  return (error, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    // Nothing more is read from it.
    socket.pause()
    const due = answerDue(socket)
    if (due) {
      due.shouldKeepAlive = false
      due.once('close', () => socket.destroySoon())
      return
    }
    leaving.push({ answer: garbageAnswers[error.code ?? ''] ?? notHttpAnswer, socket })
    if (leaving.length === 1) setImmediate(showOut)
  }
}

/** Node hands over the bare connection, and closes it silently without this listener. */
export function refuseTunnel(_request: unknown, socket: Socket): void {
  socket.on('error', () => socket.destroy())
  answerBare(noTunnelAnswer, socket)
}
