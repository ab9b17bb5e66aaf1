import { randomBytes } from 'node:crypto'
import { isAddressHash } from './address.ts'

/** What another system calls a member: `shop:9f1c` is subject 9f1c of the provider shop. */
export type Identity = { readonly provider: string; readonly subject: string }

/** The most characters of a subject. */
export const subjectCap = 200

export const providerPattern = '[a-z][a-z0-9-]{0,31}'
/** Anything but control characters. */
export const subjectPattern = '[^\\u0000-\\u001f\\u007f]+'

const form = new RegExp(`^${providerPattern}:${subjectPattern}$`)

/** For merged members. */
const reserved = 'id'
/** Has keyed hashes of addresses as subjects: address.ts. */
const hashing = 'email'

/**
 * An identity as clients send it, except for e-mail addresses, which are in bodies only. The first colon
 * separates provider and subject.
 */
export function isIdentity(text: string): boolean {
  if (!form.test(text) || !text.isWellFormed()) return false
  const { provider, subject } = splitIdentity(text)
  if (provider === hashing) return isAddressHash(subject)
  return provider !== reserved && Array.from(subject).length <= subjectCap
}

const nine = 57

/**
 * Whether a valid member id is an identity. Numeric ids begin with a digit and identities with a letter, so
 * no text is both, and one comparison is all that a numeric id costs.
 */
export const isNamed = (id: string): boolean => id.charCodeAt(0) > nine

export function splitIdentity(text: string): Identity {
  const colon = text.indexOf(':')
  return { provider: text.slice(0, colon), subject: text.slice(colon + 1) }
}

export const identityText = ({ provider, subject }: Identity): string => `${provider}:${subject}`

const lowest = 2n ** 62n

/**
 * An id for a member that was created by an identity: random, from 2^62 to 2^63 - 1. Systems that number
 * their members do not get there, and a client can't foresee the next one.
 */
export const drawMemberId = (): string =>
  String(BigInt.asUintN(62, randomBytes(8).readBigUInt64BE()) + lowest)
