import { withoutKeys } from '../../keys/index.ts'

/** How many fields and parameters are named at most, and in how many characters. */
export const ignoredCap = 50
const longest = 1_000
const longestName = 60

/** Where a check notes what it leaves out. */
export type Notes = { ignored?: readonly string[] | undefined }

/** What was left out of a request, as pointers in a header: `/reson, query:limt`. */
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
 * In characters that a header may have and no comma. Without keys first: one that is cut would no longer look
 * like one.
 */
function safe(pointer: string): string {
  const shown = Array.from(withoutKeys(pointer).replaceAll('…', '...')).slice(0, longestName).join('')
  const encoded = encodeURIComponent(shown.toWellFormed())
  return encoded.replaceAll('%2F', '/').replaceAll('%3A', ':')
}
