import { createHmac, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 30
const checksumLength = 6

export const keyPrefix = 'exq_'
/** The published pattern: what secret scanners look for. */
export const keyPattern = '^exq_[0-9A-Za-z]{36}$'
const pattern = new RegExp(keyPattern)

/** CRC-32 of prefix and random part, in base62: a mistyped key is known as such without asking anyone. */
function checksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let place = 0; place < checksumLength; place++) {
    text = digits[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}

export function makeKeyText(): string {
  let body = keyPrefix
  for (let place = 0; place < randomLength; place++) body += digits[randomInt(62)]
  return body + checksum(body)
}

export function isKeyText(text: string): boolean {
  return pattern.test(text) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength)
}

/** What keys are hashed with. The first is used for new keys; the others still open what they once made. */
export type KeySecret = { readonly id: string; readonly secret: string }

export const hashOf = (text: string, { secret }: KeySecret): Buffer =>
  createHmac('sha256', secret).update(text).digest()
