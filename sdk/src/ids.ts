/**
 * A member's id: a string of its digits, or a bigint. Not a number: above 2^53 that would be another person.
 */
export type MemberId = string | bigint

export function digits(id: MemberId): string {
  const text = String(id)
  if (typeof id === 'number' || !/^[1-9][0-9]{0,18}$/.test(text))
    throw new TypeError(`A member id is a string of digits or a bigint, not ${typeof id} ${text}.`)
  return text
}

/** A key for a change: the same over all attempts, and no other's. Unlike a UUID it can be made without https. */
export const makeKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
