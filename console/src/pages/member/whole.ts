const grouped = /^\d{1,3}(?:([.,'’ \u00a0\u2009\u202f])\d{3}(?:\1\d{3})*)?$/

/** The digits of a whole number that is written in groups of three. What may be a fraction stays as it is. */
export function wholeOf(text: string): string {
  const trimmed = text.trim()
  return grouped.test(trimmed) ? trimmed.replaceAll(/\D/g, '') : trimmed
}
