import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { invalid, overloaded, RefusalError, refuse } from '../../errors.ts'
import { JsonError, parseJson } from './json.ts'

const bodyCapBytes = 256 * 1024
/** A body of up to this size is always accepted; beyond it there must be memory left. */
const smallBytes = 16 * 1024
/** A body sent in single bytes would take a hundred times its size as separate chunks. */
const pieceCap = 256

function tooLarge(): RefusalError {
  return refuse('body_too_large', `The body is larger than ${bodyCapBytes / 1024} KiB.`, {
    limit: bodyCapBytes,
  })
}

/** The memory for larger bodies that are still arriving, over all requests. */
export class Room {
  #leftBytes: number

  constructor(bytes: number) {
    this.#leftBytes = bytes
  }

  take(bytes: number): boolean {
    if (bytes > this.#leftBytes) return false
    this.#leftBytes -= bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#leftBytes += bytes
  }
}

/** The part of a body that has arrived. */
class Arriving {
  readonly #room: Room
  #pieces: Buffer[] = []
  #size = 0
  #taken = 0
  #over = false

  constructor(room: Room) {
    this.#room = room
  }

  /** Returns the reason if a chunk can't be added; then everything is dropped and nothing more is added. */
  add(piece: Buffer): RefusalError | undefined {
    if (this.#over) return undefined
    this.#size += piece.length
    const needed = Math.max(0, this.#size - smallBytes) - this.#taken
    const refused =
      this.#size > bodyCapBytes
        ? tooLarge()
        : this.#room.take(needed)
          ? undefined
          : new RefusalError(overloaded)
    if (refused) {
      this.drop()
      return refused
    }
    this.#taken += needed
    if (this.#pieces.push(piece) > pieceCap) this.#pieces = [Buffer.concat(this.#pieces)]
    return undefined
  }

  /** The whole body. */
  end(): Buffer {
    const [first, ...more] = this.#pieces
    const whole = first && more.length === 0 ? first : Buffer.concat(this.#pieces)
    this.drop()
    return whole
  }

  drop(): void {
    this.#room.giveBack(this.#taken)
    this.#pieces = []
    this.#taken = 0
    this.#over = true
  }
}

/** A body that is not JSON, as it was sent. */
export type TextBody = { readonly type: string; readonly text: string }

export type ReadOptions = {
  readonly textTypes?: readonly string[] | undefined
  /** Called with the size of the body, before it is parsed. */
  readonly arrived?: (bytes: number) => void
}

/**
 * Reads a JSON body, or one of `textTypes`; undefined when there is none. Errors in the contract's order:
 * 413, 415, 400.
 */
export function readBody(
  request: IncomingMessage,
  room: Room,
  { textTypes, arrived = () => {} }: ReadOptions = {},
): Promise<unknown> | undefined {
  const { headers } = request
  const length = headers['content-length']
  if (length === undefined && headers['transfer-encoding'] === undefined) return undefined
  if (Number(length ?? 0) > bodyCapBytes) throw tooLarge()
  return new Promise((resolve, reject) => {
    const arriving = new Arriving(room)
    request.on('data', (piece: Buffer) => {
      const refused = arriving.add(piece)
      if (!refused) return
      request.pause()
      reject(refused)
    })
    request.on('end', () => {
      try {
        const bytes = arriving.end()
        arrived(bytes.length)
        resolve(parseBody(request, bytes, textTypes))
      } catch (error) {
        reject(error as Error)
      }
    })
    // The client disconnected: the response is not read, and this is not a server error.
    request.on('error', () => {
      arriving.drop()
      reject(invalid('', 'The body ended early.'))
    })
  })
}

function parseBody({ headers }: IncomingMessage, bytes: Buffer, textTypes?: readonly string[]): unknown {
  if (bytes.length === 0) return undefined
  const type = mediaType(headers['content-type'])
  const encoding = headers['content-encoding']
  const plain = encoding === undefined || encoding.toLowerCase() === 'identity'
  const fits = textTypes ? textTypes.includes(type ?? '') : type === undefined || type === jsonType
  if (!plain || !fits) throw unsupported(textTypes)
  if (!isUtf8(bytes)) throw invalid('', 'The body is not UTF-8.')
  const text = bytes.toString('utf8')
  if (textTypes) return { type: type ?? '', text } satisfies TextBody
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonError) throw invalid('', error.message)
    throw error
  }
}

const jsonType = 'application/json'

/** Without its parameters. */
const mediaType = (type: string | undefined): string | undefined =>
  type?.split(';', 1)[0]?.trim().toLowerCase()

function unsupported(textTypes: readonly string[] = [jsonType]): RefusalError {
  return refuse('unsupported_media_type', `Send the body as ${textTypes.join(' or ')}, not compressed.`)
}

/**
 * An unread body keeps its connection busy: closing it is better than reading megabytes. Node also drops what
 * a client sends right after an Upgrade request: the client must not wait for a response.
 */
export function leavesUnread(request: IncomingMessage): boolean {
  const { headers } = request
  if (headers.upgrade !== undefined) return true
  if (request.complete) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > bodyCapBytes
}
