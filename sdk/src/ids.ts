/**
 * A member's id: a string of its digits, or a bigint. Not a number: above 2^53 it would become another
 * member's ID.
 */
export type MemberId = string | bigint

export function digits(id: MemberId): string {
  const text = String(id)
  if (typeof id === 'number' || !/^[1-9][0-9]{0,18}$/.test(text))
    throw new TypeError(`A member id is a string of digits or a bigint, not ${typeof id} ${text}.`)
  return text
}

/** A unique idempotency key, used for all attempts. Unlike randomUUID, it works without https. */
export const makeKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
