import { connect, type Socket } from 'node:net'

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The outcome of a request: its responses, and the problem if any is missing. */
export type Heard = {
  readonly answers: readonly Answer[]
  readonly trouble: 'none' | 'silence' | 'dropped' | 'cut' | 'not HTTP'
  readonly said: string
}

export type Sending = {
  readonly bytes: Buffer
  /** The number of expected responses. */
  readonly due: number
  readonly isHead: boolean
  /** On its own connection, which is closed afterwards. */
  readonly alone: boolean
}

/** The server gives a write 5 seconds: wait for its own timeout response. */
const patienceMs = 10_000
/** A chunked response counts as activity while chunks arrive; this is its limit in total. */
const streamMs = 60_000
const connectMs = 5_000
/** After this, the client half-closes the connection: the server must not wait for the rest of a request. */
const lingerMs = 1_000

type Read = { readonly answer: Answer; readonly end: number } | 'more' | 'chunks' | 'cut' | 'not HTTP'

/** One connection of a client that parses responses strictly. */
export class Wire {
  readonly #port: number
  #socket: Socket | undefined
  #received = Buffer.alloc(0)
  #heardAtMs = 0
  #why = ''
  #wake: () => void = () => {}

  constructor(port: number) {
    this.#port = port
  }

  async exchange(sending: Sending): Promise<Heard> {
    if (sending.alone) this.close()
    const socket = this.#socket ?? (await this.#open())
    socket.write(sending.bytes, () => {})
    // Not at once, nor during a response: the server does not answer a client that seems to have left, though
    // it executes the request.
    const leave = () => this.#received.length === 0 && socket.end()
    const timer = sending.alone ? setInterval(leave, lingerMs) : undefined
    const heard = await this.#hear(sending)
    clearInterval(timer)
    if (sending.alone || heard.trouble !== 'none' || heard.answers.some(closes)) this.close()
    return heard
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
    this.#received = Buffer.alloc(0)
  }

  async #open(): Promise<Socket> {
    const socket = connect({ port: this.#port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
    this.#socket = socket
    this.#received = Buffer.alloc(0)
    this.#why = ''
    const ended = (why: string) => {
      if (this.#socket !== socket) return
      this.#why ||= why
      this.#wake()
    }
    socket.on('data', (chunk) => {
      if (this.#socket !== socket) return
      this.#received = Buffer.concat([this.#received, chunk])
      this.#heardAtMs = Date.now()
      this.#wake()
    })
    socket.on('end', () => ended('the server ended it'))
    socket.on('close', () => ended('it was closed'))
    await new Promise<void>((resolve, reject) => {
      socket.setTimeout(connectMs, () => reject(new Error('no connection')))
      socket.once('connect', resolve)
      socket.once('error', reject)
    })
    socket.setTimeout(0)
    socket.on('error', (error) => ended(error.message))
    return socket
  }

  async #hear({ due, isHead }: Sending): Promise<Heard> {
    const answers: Answer[] = []
    const heard = (trouble: Heard['trouble'], said: string): Heard => ({ answers, trouble, said })
    const startMs = Date.now()
    for (let deadlineMs = startMs + patienceMs; ; ) {
      const read = readAnswer(this.#received, isHead, this.#why !== '')
      if (read === 'chunks') deadlineMs = Math.min(this.#heardAtMs + patienceMs, startMs + streamMs)
      if (read === 'not HTTP' || read === 'cut') return heard(read, this.#received.toString('latin1', 0, 300))
      if (read !== 'more' && read !== 'chunks') {
        this.#received = this.#received.subarray(read.end)
        if (read.answer.status >= 200) answers.push(read.answer)
        if (answers.length === due || closes(read.answer)) return heard('none', '')
      } else if (this.#why !== '') {
        return heard('dropped', `${this.#why}; ${this.#received.toString('latin1', 0, 300)}`)
      } else if (Date.now() >= deadlineMs) return heard('silence', '')
      else await this.#news(deadlineMs - Date.now())
    }
  }

  #news(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, withinMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

const closes = ({ headers }: Answer): boolean => /\bclose\b/i.test(headers['connection'] ?? '')

function headersIn(lines: readonly string[]): Record<string, string> | undefined {
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): *(.*?) *$/.exec(line) ?? []
    if (name === undefined || value === undefined || /[^\t -~\u0080-\u00ff]/.test(value)) return undefined
    headers[name.toLowerCase()] = value
  }
  return headers
}

/** A body in chunks, and where it ends; undefined while there is more to come. */
function unchunked(bytes: Buffer, start: number): { text: string; end: number } | 'more' | 'not HTTP' {
  const pieces: Buffer[] = []
  for (let at = start; ; ) {
    const line = bytes.indexOf('\r\n', at)
    if (line < 0) return 'more'
    const size = bytes.toString('latin1', at, line)
    if (!/^[0-9a-f]{1,8}$/i.test(size)) return 'not HTTP'
    const from = line + 2
    const until = from + Number.parseInt(size, 16)
    if (bytes.length < until + 2) return 'more'
    if (bytes.toString('latin1', until, until + 2) !== '\r\n') return 'not HTTP'
    pieces.push(bytes.subarray(from, until))
    if (from === until) return { text: Buffer.concat(pieces).toString('utf8'), end: until + 2 }
    at = until + 2
  }
}

/** The first response in these bytes. Its body must have a length or be chunked. */
function readAnswer(bytes: Buffer, isHead: boolean, ended: boolean): Read {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return bytes.length > 65_536 || (ended && bytes.length > 0) ? 'not HTTP' : 'more'
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) [\x20-\x7e]+$/.exec(first)?.[1])
  const headers = headersIn(lines)
  if (!(status >= 100) || !headers) return 'not HTTP'
  const start = end + 4
  if (status < 200 || isHead) return { answer: { status, headers, text: '' }, end: start }
  // A stream has no end: its beginning is enough, and its connection is of no further use.
  if (headers['content-type']?.startsWith('text/event-stream') && bytes.length > start) {
    const text = bytes.toString('utf8', start)
    return { answer: { status, headers: { ...headers, connection: 'close' }, text }, end: bytes.length }
  }
  if (headers['transfer-encoding'] === 'chunked') {
    const read = unchunked(bytes, start)
    if (read === 'more') return ended ? 'cut' : 'chunks'
    if (read === 'not HTTP') return read
    return { answer: { status, headers, text: read.text }, end: read.end }
  }
  const length = status === 204 ? '0' : (headers['content-length'] ?? '')
  // For HTTP/1.0, a body without a length ends with the connection.
  if (length === '' && headers['connection'] === 'close') {
    const text = bytes.toString('utf8', start)
    return ended ? { answer: { status, headers, text }, end: bytes.length } : 'more'
  }
  if (!/^\d{1,9}$/.test(length)) return 'not HTTP'
  const until = start + Number(length)
  if (bytes.length < until) return ended ? 'not HTTP' : 'more'
  return { answer: { status, headers, text: bytes.toString('utf8', start, until) }, end: until }
}
