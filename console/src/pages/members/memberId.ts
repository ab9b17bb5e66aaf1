/** A whole number of 63 bits, as the ledger keeps ids. */
export const isMemberId = (text: string): boolean =>
  /^[1-9][0-9]{0,18}$/.test(text) && BigInt(text) <= 9_223_372_036_854_775_807n
