/** The part of the EVM's calling convention needed here: words of 32 bytes, and `bytes`. */

const word = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')

export type Value = bigint | Buffer

/** A number, an address as a number, or a bytes32 is a word; a Buffer is `bytes`. */
export function encode(values: readonly Value[]): Buffer {
  const heads: Buffer[] = []
  const tails: Buffer[] = []
  let at = values.length * 32
  for (const value of values) {
    if (typeof value === 'bigint') heads.push(word(value))
    else {
      const padded = Buffer.alloc(Math.ceil(value.length / 32) * 32)
      value.copy(padded)
      heads.push(word(BigInt(at)))
      tails.push(word(BigInt(value.length)), padded)
      at += 32 + padded.length
    }
  }
  return Buffer.concat([...heads, ...tails])
}

/** The word that begins at this byte; undefined beyond the end. */
export function wordAt(data: Buffer, at: number): bigint | undefined {
  if (at < 0 || at + 32 > data.length) return undefined
  return BigInt(`0x${data.toString('hex', at, at + 32)}`)
}

/** The `bytes` that the word at this offset points to; undefined where it points outside. */
export function bytesAt(data: Buffer, at: number): Buffer | undefined {
  const offset = wordAt(data, at)
  if (offset === undefined || offset > BigInt(data.length)) return undefined
  const begin = Number(offset)
  const length = wordAt(data, begin)
  if (length === undefined || length > BigInt(data.length - begin - 32)) return undefined
  return data.subarray(begin + 32, begin + 32 + Number(length))
}

/** `0x` and hex digits in pairs, as chains answer; undefined for anything else. */
export function hexBytes(text: unknown): Buffer | undefined {
  if (typeof text !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(text)) return undefined
  return Buffer.from(text.slice(2), 'hex')
}

export const hexOf = (data: Buffer): string => `0x${data.toString('hex')}`
