/**
 * Text that a spreadsheet would treat as a formula. It checks the beginning of a cell, and where a cell
 * begins depends on its list separator: `;` in most of Europe, a tab in pasted text. So a sign counts after
 * each of these, with blanks, invisible characters and quotes between, and in its full-width form as well.
 */
const before = String.raw`(^|[;\t|,\n\r])([\s"\u0000-\u001f\u007f\u00ad\u200b-\u200f\u2060]*)`
const sign = '(?=[=+\\-@＝＋－＠])'

const bare = new RegExp(`${before}('*)${sign}`, 'gu')
const guarded = new RegExp(`${before}'('*)${sign}`, 'gu')

/** Puts an apostrophe before each such sign: it stays text. */
export const guard = (text: string): string => text.replace(bare, "$1$2'$3")

/** The text before `guard`. */
export const unguard = (text: string): string => text.replace(guarded, '$1$2$3')
