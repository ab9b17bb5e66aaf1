const grouped = /^\d{1,3}(?:([.,'’ \u00a0\u2009\u202f])\d{3}(?:\1\d{3})*)?$/

/** The digits of a whole number written in groups of three. A possible fraction is returned unchanged. */
export function wholeOf(text: string): string {
  const trimmed = text.trim()
  return grouped.test(trimmed) ? trimmed.replaceAll(/\D/g, '') : trimmed
}
