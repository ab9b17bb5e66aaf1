import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import { TextDecoder } from 'node:util'
import { wrongUsage } from './exits.ts'

export function sizeOf(file: string): number {
  const stat = statSync(file)
  if (!stat.isFile()) throw wrongUsage(`${file} is not a file.`)
  return stat.size
}

/** A file's bytes, reporting how many were read. */
export async function* bytesOf(file: string, onRead: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of createReadStream(file, { highWaterMark: 64 * 1024 })) {
    bytes += (chunk as Buffer).length
    onRead(bytes)
    yield chunk as Buffer
  }
}

/** The longest line accepted: a file in another format must not be read into memory whole. */
const lineCap = 4 * 1024 * 1024

/** A file's lines, in pages as they are read. */
export async function* linesOf(file: string, onRead: (bytes: number) => void): AsyncGenerator<string[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  for await (const chunk of bytesOf(file, onRead)) {
    const lines = (rest + decoded(decoder, file, chunk)).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > lineCap) throw wrongUsage(`${file} has a line of more than ${lineCap} characters.`)
    yield lines
  }
  if (rest !== '') yield [rest]
}

function decoded(decoder: TextDecoder, file: string, chunk: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: true })
  } catch {
    throw wrongUsage(`${file} is not UTF-8. Save it as UTF-8 and try again.`)
  }
}

/** The default name of a file: the hash of its contents. */
export async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/**
 * Quotes whole numbers of 16 digits or more in JSON: an ID above 2^53 would otherwise change into another
 * member's.
 */
export const withoutLoss = (json: string): string =>
  json.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    /^\d{16,}$/.test(token) ? `"${token}"` : token,
  )
