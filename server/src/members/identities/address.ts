import { createHmac } from 'node:crypto'

/**
 * E-mail addresses as identities: `email:ada@example.org`. A request has them in its body. Everything after
 * the check of the request has the keyed hash instead, `email:` and 64 hex digits: that is the identity.
 */

const prefix = 'email:'
/** The most characters of an address. */
const addressCap = 254
const addressForm = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u
const hashForm = /^[0-9a-f]{64}$/

const normalized = (text: string): string => text.slice(prefix.length).trim().toLowerCase()

/** An e-mail identity as clients send it. */
export function isAddress(text: string): boolean {
  if (!text.startsWith(prefix) || !text.isWellFormed()) return false
  const address = normalized(text)
  return addressForm.test(address) && Array.from(address).length <= addressCap
}

/** The subject of an e-mail identity as it is stored. */
export const isAddressHash = (subject: string): boolean => hashForm.test(subject)

/**
 * Whether a text was meant as an e-mail identity, well-formed or not: error texts do not repeat it. Also
 * percent-encoded.
 */
export const looksLikeAddress = (text: string): boolean => /^(\s|%[01]\d|%20)*email\s*(:|%3a)/i.test(text)

/** The stored identity of an e-mail identity; any other member id unchanged. */
export type HashAddress = (id: string) => string

export function hashAddressWith(key: Buffer): HashAddress {
  return (id) =>
    isAddress(id) ? prefix + createHmac('sha256', key).update(normalized(id)).digest('hex') : id
}
