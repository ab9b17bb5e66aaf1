import { withoutKeys } from '../../keys/index.ts'

/** The most fields and parameters that are listed, and the most characters for each. */
export const ignoredCap = 50
const longest = 1_000
const longestName = 60

/** Where a check records the fields it drops. */
export type Notes = { ignored?: readonly string[] | undefined }

/** The dropped fields of a request, as pointers in a header: `/reson, query:limt`. */
export function ignoredText(pointers: readonly string[]): string {
  let text = ''
  for (const pointer of pointers) {
    const named = safe(pointer)
    if (text.length + named.length + 2 > longest) return text
    text = text === '' ? named : `${text}, ${named}`
  }
  return text
}

/**
 * Encodes commas and characters that a header can't have. API keys are redacted first: a key that is cut
 * would no longer be recognized.
 */
function safe(pointer: string): string {
  const shown = Array.from(withoutKeys(pointer).replaceAll('…', '...')).slice(0, longestName).join('')
  const encoded = encodeURIComponent(shown.toWellFormed())
  return encoded.replaceAll('%2F', '/').replaceAll('%3A', ':')
}
