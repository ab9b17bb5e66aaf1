import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { invalid, type Refused, refuse } from '../errors.ts'
import { JsonError, parseJson } from './json.ts'

const bodyCapBytes = 256 * 1024
/** A body in single bytes would take a hundred times its size in pieces. */
const pieceCap = 256

function tooLarge(): Refused {
  return refuse('body_too_large', `The body is larger than ${bodyCapBytes / 1024} KiB.`)
}

/** Reads a JSON body; undefined when there is none. In the contract's order: 413, 415, 400. */
export function readBody(request: IncomingMessage): Promise<unknown> | undefined {
  const { headers } = request
  const length = headers['content-length']
  if (length === undefined && headers['transfer-encoding'] === undefined) return undefined
  if (Number(length ?? 0) > bodyCapBytes) throw tooLarge()
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= bodyCapBytes) {
        if (chunks.push(chunk) > pieceCap) chunks.splice(0, chunks.length, Buffer.concat(chunks))
        return
      }
      request.pause()
      reject(tooLarge())
    })
    request.on('end', () => {
      try {
        resolve(parseBody(request, chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
      } catch (error) {
        reject(error as Error)
      }
    })
    // A client that went away: nobody reads the answer, and it is no fault of ours.
    request.on('error', () => reject(invalid('', 'The body ended early.')))
  })
}

function parseBody({ headers }: IncomingMessage, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  checkType(headers['content-type'], headers['content-encoding'])
  if (!isUtf8(bytes)) throw invalid('', 'The body is not UTF-8.')
  try {
    return parseJson(bytes.toString('utf8'))
  } catch (error) {
    if (error instanceof JsonError) throw invalid('', error.message)
    throw error
  }
}

function checkType(type: string | undefined, encoding: string | undefined): void {
  const plain = encoding === undefined || encoding.toLowerCase() === 'identity'
  const json = type === undefined || type.split(';', 1)[0]?.trim().toLowerCase() === 'application/json'
  if (plain && json) return
  throw refuse('unsupported_media_type', 'Send the body as application/json, not compressed.')
}

/** A body that is left unread keeps its connection busy: better to close it than to swallow megabytes. */
export function leavesUnread(request: IncomingMessage): boolean {
  const { headers } = request
  if (request.complete) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > bodyCapBytes
}
