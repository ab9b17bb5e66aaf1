/** A whole number of 63 bits, as the ledger keeps ids. */
export const isMemberId = (text: string): boolean =>
  /^[1-9][0-9]{0,18}$/.test(text) && BigInt(text) <= 9_223_372_036_854_775_807n

/** What another system calls a member: a provider, a colon and a name. The server reserves two providers. */
export const isIdentity = (text: string): boolean =>
  /^(?!(email|id):)[a-z][a-z0-9-]{0,31}:\P{Cc}{1,200}$/u.test(text)
