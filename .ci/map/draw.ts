import { edgeCount, type Level } from './imports.ts'

/** Nearly every folder imports these: their arrows would hide all others. */
const ground: ReadonlySet<string> = new Set(['db', 'errors.ts'])

const boxHeight = 30
const rowHeight = 64
const gap = 18
const letterWidth = 8
const width = 860
const top = 56

type Box = { readonly name: string; readonly x: number; readonly y: number; readonly width: number }

const style = `
  svg { font: 14px system-ui, sans-serif; }
  .paper { fill: #ffffff; } .ink { fill: #1f2328; } .pale { fill: #656d76; }
  .room { fill: #eef3f8; stroke: #57708c; } .ground { fill: #dfe5ea; stroke: #57708c; }
  .arrow { stroke: #8a97a5; fill: none; } .head { fill: #8a97a5; }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117; } .ink { fill: #e6edf3; } .pale { fill: #9198a1; }
    .room { fill: #17212c; stroke: #6b86a3; } .ground { fill: #21262d; stroke: #6b86a3; }
    .arrow { stroke: #6e7a87; } .head { fill: #6e7a87; }
  }`

/** The longest chain of imports from an entry to one that imports nothing. */
function heightsOf({ entries, edges }: Level): Map<string, number> {
  const heights = new Map<string, number>()
  const heightOf = (entry: string): number => {
    const known = heights.get(entry)
    if (known !== undefined) return known
    const below = [...(edges.get(entry) ?? [])].map(heightOf)
    const height = below.length === 0 ? 0 : Math.max(...below) + 1
    heights.set(entry, height)
    return height
  }
  for (const entry of entries) heightOf(entry)
  return heights
}

/** Edges that no longer path implies (transitive reduction). */
function shortest({ entries, edges }: Level): [string, string][] {
  const reached = new Map<string, Set<string>>()
  const allBelow = (entry: string): Set<string> => {
    const known = reached.get(entry)
    if (known) return known
    const all = new Set<string>()
    reached.set(entry, all)
    for (const next of edges.get(entry) ?? []) {
      all.add(next)
      for (const further of allBelow(next)) all.add(further)
    }
    return all
  }
  return entries.flatMap((from) => {
    const targets = [...(edges.get(from) ?? [])].filter((to) => !ground.has(to))
    const direct = targets.filter(
      (to) => !targets.some((between) => between !== to && allBelow(between).has(to)),
    )
    return direct.map((to): [string, string] => [from, to])
  })
}

function rowsOf(level: Level): string[][] {
  const heights = heightsOf(level)
  const highest = Math.max(...heights.values())
  const rows = Array.from({ length: highest + 1 }, (_, index) =>
    level.entries.filter((entry) => heights.get(entry) === highest - index),
  )
  return rows.filter((row) => row.length > 0)
}

function boxesOf(rows: readonly (readonly string[])[]): Map<string, Box> {
  const boxes = new Map<string, Box>()
  for (const [index, row] of rows.entries()) {
    const widths = row.map((name) => name.length * letterWidth + 28)
    const sum = widths.reduce((all, one) => all + one, 0) + gap * (row.length - 1)
    let x = (width - sum) / 2
    for (const [place, name] of row.entries()) {
      const own = widths[place] ?? 0
      boxes.set(name, { name, x, y: top + index * rowHeight, width: own })
      x += own + gap
    }
  }
  return boxes
}

function arrow(from: Box, to: Box): string {
  const [x1, y1] = [from.x + from.width / 2, from.y + boxHeight]
  const [x2, y2] = [to.x + to.width / 2, to.y - 5]
  const bend = Math.min(40, (y2 - y1) / 2)
  const way = `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`
  return `<path class="arrow" d="${way}" marker-end="url(#head)"/>`
}

function boxText({ name, x, y, width: own }: Box): string {
  const kind = ground.has(name) ? 'ground' : 'room'
  const label = `<text class="ink" x="${x + own / 2}" y="${y + 20}" text-anchor="middle">${name}</text>`
  return `<rect class="${kind}" x="${x}" y="${y}" width="${own}" height="${boxHeight}" rx="4"/>${label}`
}

/** Each folder above everything it imports. */
export function drawMap(level: Level): string {
  const rows = rowsOf(level)
  const boxes = boxesOf(rows)
  const height = top + rows.length * rowHeight + 20
  const arrows = shortest(level).flatMap(([from, to]) => {
    const [upper, lower] = [boxes.get(from), boxes.get(to)]
    return upper && lower ? [arrow(upper, lower)] : []
  })
  const counts = `${level.entries.length} entries, ${edgeCount(level)} imports between them`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">
<title>The rooms of server/src, each above all that it imports</title>
<style>${style}
</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="7" markerHeight="7" orient="auto">
<path class="head" d="M0 0L8 4L0 8z"/></marker></defs>
<rect class="paper" width="${width}" height="${height}" rx="8"/>
<text class="ink" x="24" y="26">server/src: ${counts}</text>
<text class="pale" x="24" y="44">An arrow that a longer way implies is left out, as are those to db and errors.ts.</text>
${arrows.join('\n')}
${[...boxes.values()].map(boxText).join('\n')}
</svg>
`
}
