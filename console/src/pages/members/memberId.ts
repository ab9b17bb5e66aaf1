/** A whole number of 63 bits, as the ledger keeps ids. */
export const isMemberId = (text: string): boolean =>
  /^[1-9][0-9]{0,18}$/.test(text) && BigInt(text) <= 9_223_372_036_854_775_807n

/** An e-mail address as an identity. It must not be in a URL: the member is found by the address's hash only. */
export const isAddress = (text: string): boolean => /^email:.*@/su.test(text)

/**
 * What another system calls a member: a provider, a colon and a name, or the hash of an e-mail address. The
 * server reserves a provider.
 */
export const isIdentity = (text: string): boolean =>
  /^((?!(email|id):)[a-z][a-z0-9-]{0,31}:\P{Cc}{1,200}|email:[0-9a-f]{64})$/u.test(text)
