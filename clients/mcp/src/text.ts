/** Texts that people wrote, made harmless in a prompt and on a terminal. */

/**
 * What is not seen but read: bidi marks, zero-width characters, tags and variation selectors, which can
 * carry a hidden text, halves of characters, and private use.
 */
const hidden = /[\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]+/gu
/** Control characters and line separators. */
const gaps = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu

/** In one line, without what is not seen, and cut to a number of characters. */
export function clean(text: string, most: number): string {
  const line = text.replaceAll(hidden, '').replaceAll(gaps, ' ').trim()
  const characters = Array.from(line)
  if (characters.length <= most) return line
  return `${characters
    .slice(0, most - 1)
    .join('')
    .trimEnd()}…`
}
