/** Characters of an export produced at once: about a millisecond. */
const pieceChars = 64 * 1024
/** Approximate characters of rows read at once. */
const pageChars = 512 * 1024
/** About 10 ms of work. */
const mostRows = 1_000
const firstRows = 100
/** A page has at most this many times the rows of the one before it: later rows may be longer. */
const growth = 4

/** The text of rows in pieces: in one piece, a page with long texts would delay every other request. */
export function* piecesOf<Row>(rows: readonly Row[], textOf: (row: Row) => string): Generator<string> {
  let text = ''
  for (const row of rows) {
    text += textOf(row)
    if (text.length < pieceChars) continue
    yield text
    text = ''
  }
  if (text !== '') yield text
}

/** How many rows to read next, by the size of the last ones: a page is bounded by its size in memory. */
export function rowsAfter(rows: readonly object[]): number {
  if (rows.length === 0) return firstRows
  let chars = 0
  for (const row of rows)
    for (const value of Object.values(row)) if (typeof value === 'string') chars += value.length
  const fitting = Math.floor((pageChars * rows.length) / Math.max(1, chars))
  return Math.max(1, Math.min(mostRows, fitting, growth * rows.length))
}
