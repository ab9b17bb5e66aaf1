import { harmless, type Paint, plain, type Style } from './terminal.ts'

/** A cell; `null` is shown empty. */
export type Cell = string | number | bigint | boolean | null | undefined
export type Column = {
  readonly title: string
  /** Aligned right, for numbers. */
  readonly right?: true
  /** Can be truncated on a narrow terminal. IDs never are. */
  readonly cut?: true
  readonly style?: Style
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const wide = /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\uffe0-\uffe6]/
const isWide = (text: string): boolean => /\p{Emoji_Presentation}|\ufe0f|[\u{20000}-\u{3fffd}]/u.test(text)

/** The width of a text on a terminal, in columns. */
export function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += wide.test(segment) || isWide(segment) ? 2 : 1
  return width
}

/** Truncates the text to a width. */
export function cutTo(text: string, places: number): string {
  if (widthOf(text) <= places) return text
  let kept = ''
  let width = 0
  for (const { segment } of graphemes.segment(text)) {
    width += widthOf(segment)
    if (width > places - 1) break
    kept += segment
  }
  return `${kept}…`
}

const grouped = new Intl.NumberFormat('en-GB')

/** A value as text for people. */
export function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  return typeof cell === 'string' ? harmless(cell) : grouped.format(cell)
}

export type TableOptions = { readonly paint?: Paint; readonly places?: number | undefined }

const gap = '  '
const leastPlaces = 6

/** Column widths; columns that can be truncated shrink where needed. */
function widthsOf(columns: readonly Column[], rows: readonly string[][], places: number): number[] {
  const widths = columns.map(({ title }, index) =>
    Math.max(widthOf(title), ...rows.map((row) => widthOf(row[index] ?? ''))),
  )
  const all = () => widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1))
  for (let excess = all() - places; excess > 0; excess -= 1) {
    let widest = -1
    columns.forEach(({ cut }, index) => {
      if (cut && (widths[index] ?? 0) > Math.max(leastPlaces, widths[widest] ?? 0)) widest = index
    })
    if (widest < 0) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

/** A table in lines: titles, and the rows beneath. */
export function tableLines(
  columns: readonly Column[],
  cells: readonly (readonly Cell[])[],
  { paint = plain, places = Number.POSITIVE_INFINITY }: TableOptions = {},
): string[] {
  const rows = cells.map((row) => row.map(cellText))
  const widths = widthsOf(columns, rows, places)
  const line = (texts: readonly string[], styleOf: (column: Column) => Style | undefined) =>
    columns
      .map((column, index) => {
        const width = widths[index] ?? 0
        const text = cutTo(texts[index] ?? '', width)
        const space = ' '.repeat(Math.max(0, width - widthOf(text)))
        const style = styleOf(column)
        const shown = style ? paint(style, text) : text
        if (column.right) return space + shown
        return index === columns.length - 1 ? shown : shown + space
      })
      .join(gap)
      .trimEnd()
  const titles = columns.map(({ title }) => title)
  return [line(titles, () => 'dim'), ...rows.map((row) => line(row, ({ style }) => style))]
}

/** Names and values, one below the other. */
export function recordLines(pairs: readonly (readonly [string, Cell])[], paint: Paint = plain): string[] {
  const width = Math.max(...pairs.map(([name]) => widthOf(name)))
  return pairs.map(([name, cell]) => {
    const [first = '', ...more] = cellText(cell).split('\n')
    const space = ' '.repeat(width - widthOf(name))
    return [`${paint('dim', name)}${space}${gap}${first}`.trimEnd(), ...more].join('\n')
  })
}
