/**
 * A member's id: a string of its digits, or a bigint. Not a number: above 2^53 it would become another
 * member's ID. Or an identity: a provider and what it calls the member, `shop:9f1c`; where it is sent in a
 * body, an e-mail address too, `email:ada@example.org`.
 */
export type MemberId = string | bigint

export function digits(id: MemberId): string {
  const text = String(id)
  if (typeof id === 'number' || !/^([1-9][0-9]{0,18}|[a-z][a-z0-9-]{0,31}:.+)$/s.test(text))
    throw new TypeError(
      `A member id is a string of digits, a bigint or an identity, not ${typeof id} ${text}.`,
    )
  return text
}

/** A unique idempotency key, used for all attempts. Unlike randomUUID, it works without https. */
export const makeKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
