import { hash as digest, randomBytes } from 'node:crypto'
import { hashDetails } from './chain.ts'
import type { Command, Details } from './command.ts'

/** The place of each hex digit in a uuid. */
const uuidLength = 36
const hyphens: ReadonlySet<number> = new Set([8, 13, 18, 23])
const places = Array.from({ length: uuidLength }, (_, index) => index).filter((index) => !hyphens.has(index))
const uuid = Buffer.alloc(uuidLength, '-')

/**
 * 128 bits of a SHA-256, in the form of PostgreSQL's uuid: 16 bytes in the row and in the index. In memory it
 * is one string, where its parts joined would be ten: many thousands are remembered.
 */
export function digestOf(text: string): string {
  const hex = digest('sha256', text, 'hex')
  for (let digit = 0; digit < places.length; digit++) uuid[places[digit] ?? 0] = hex.charCodeAt(digit)
  return uuid.toString('latin1')
}

/** The digest that an Idempotency-Key is remembered under. */
export const requestOf = (idempotencyKey: string): string => digestOf(idempotencyKey)

export type DetailsInput = {
  readonly reason: string | undefined
  readonly reference: string | undefined
  /** A JSON object as text, its keys sorted. */
  readonly metadata: string | undefined
  readonly actorId: string | undefined
}

/** Undefined when the caller provided no details. */
export function makeDetails(input: DetailsInput): Details | undefined {
  const { reason, reference, metadata, actorId } = input
  if (reason === undefined && reference === undefined && metadata === undefined && actorId === undefined) {
    return undefined
  }
  const salt = randomBytes(16)
  return { ...input, salt, hash: hashDetails(salt, input) }
}

/**
 * The reason of one entry of a batch. An absent reason is stored too, so that the entry does not show the
 * first entry's.
 */
export function makeReason(reason: string | undefined): Details {
  const input = { reason, reference: undefined, metadata: undefined, actorId: undefined }
  const salt = randomBytes(16)
  return { ...input, salt, hash: hashDetails(salt, input) }
}

type Meaning = {
  readonly kind: Command['kind']
  /** The values that the request names, in an order that depends on its kind. */
  readonly said: readonly (string | undefined)[]
  readonly point?: string | undefined
  readonly details: DetailsInput
}

/**
 * The fingerprint of a request without its point type: that is compared separately, as it may be omitted for
 * the realm's default. The last digit is 1 if it was omitted, else 0. Equal for two spellings of the same
 * request, different for any other.
 */
export function fingerprintOf({ kind, said, point, details }: Meaning): string {
  const { reason, reference, metadata, actorId } = details
  // An absent field is null in an array.
  const meaning = digestOf(JSON.stringify([kind, ...said, reason, reference, metadata, actorId]))
  return meaning.slice(0, -1) + (point === undefined ? '1' : '0')
}
