import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { release } from '../../config/release.ts'
import type { Refusal } from '../../errors.ts'
import { problem } from '../problem.ts'
import { defaultBounds } from './bounds.ts'

/** What is not even HTTP is answered from here, as no request came of it. */

/** How long such an answer may take to leave. */
const leaveMs = 1_000
/** How many of them are given before others have their turn. */
const atATime = 8

type Garbage = { readonly status: string; readonly refusal: Refusal }

const notHttp: Garbage = {
  status: '400 Bad Request',
  refusal: {
    code: 'invalid_request',
    detail: 'This is not HTTP.',
    faults: [{ pointer: '', detail: 'Not HTTP.' }],
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
    detail: 'This is no proxy: CONNECT is not possible here.',
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

// Made once, as they are given to thousands at a time.
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
  // Ended alone it would stay open for as long as the client likes, and do what is sent on it.
  socket.destroySoon()
  setTimeout(() => socket.destroy(), leaveMs).unref()
}

/**
 * The answer that a request before the garbage waits for: it would take a 400 for its own, though what it
 * asked for is done. So is one that has begun, though its request never ended: another in the middle of it
 * would be read as a part of its body. Node keeps it at the connection and offers no other way to it.
 */
function answerDue(socket: Socket): ServerResponse | undefined {
  const { _httpMessage: answer } = socket as Socket & { readonly _httpMessage?: ServerResponse | null }
  return answer?.req.complete || answer?.headersSent ? answer : undefined
}

/** Shows out whoever sends no HTTP, a few at a time: thousands may be too slow in the same moment. */
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
    // Nothing more is heard from it.
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

/** Node hands over the bare connection, and closes it without a word where nobody takes it. */
export function refuseTunnel(_request: unknown, socket: Socket): void {
  socket.on('error', () => socket.destroy())
  answerBare(noTunnelAnswer, socket)
}
