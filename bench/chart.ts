import { workloads } from './workloads.ts'

/** The part of the bench's JSON that is drawn. */
export type Drawn = Readonly<Record<string, { ratio: number; ratioUsual: number; ours: number } | undefined>>

const width = 760
const left = 190
const right = 90
const rowHeight = 46
const barHeight = 14
const below = barHeight + 2
const top = 64
const bottom = 34

const style = `
  svg { font: 13px system-ui, sans-serif; }
  .paper { fill: #ffffff; } .ink { fill: #1f2328; } .pale { fill: #656d76; }
  .ours { fill: #1a7f64; } .usual { fill: #b9c0c7; } .engine { stroke: #cf4a3b; stroke-width: 1.5; }
  .engine-name { fill: #cf4a3b; } .grid { stroke: #e4e7ea; }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117; } .ink { fill: #e6edf3; } .pale { fill: #9198a1; }
    .ours { fill: #3fb68b; } .usual { fill: #4b545f; } .engine { stroke: #f0776a; }
    .engine-name { fill: #f0776a; } .grid { stroke: #21262d; }
  }`

/** Each workload relative to PostgreSQL alone: our server, and the usual way. */
export function drawChart(results: Drawn): string {
  const rows = workloads.flatMap(({ name, title }) => {
    const one = results[name]
    return one ? [{ title, ours: one.ratio, usual: one.ratio / one.ratioUsual, rate: one.ours }] : []
  })
  const longest = Math.ceil(Math.max(1, ...rows.map(({ ours, usual }) => Math.max(ours, usual))))
  const x = (value: number) => left + (value / longest) * (width - left - right)
  // After the bar, not across the line.
  const beside = (value: number, room: number) =>
    (value < 1 && x(value) + 6 + room > x(1) ? x(1) : x(value)) + 6
  const height = top + rows.length * rowHeight + bottom
  const ticks = Array.from({ length: longest + 1 }, (_, tick) => tick)
  const line = (at: number, kind: string) =>
    `<line class="${kind}" x1="${x(at)}" y1="${top - 8}" x2="${x(at)}" y2="${height - bottom}"/>`
  const label = (at: number) =>
    `<text class="pale" x="${x(at)}" y="${height - 12}" text-anchor="middle">${at}×</text>`
  const bars = rows.map(({ title, ours, usual, rate }, index) => {
    const y = top + index * rowHeight
    const caption = `${ours.toFixed(2)}× · ${Math.round(rate).toLocaleString('en-US')}/s`
    return `<text class="ink" x="${left - 12}" y="${y + 19}" text-anchor="end">${title}</text>
<rect class="ours" x="${left}" y="${y}" width="${x(ours) - left}" height="${barHeight}" rx="2"/>
<text class="ink" x="${beside(ours, 110)}" y="${y + 12}">${caption}</text>
<rect class="usual" x="${left}" y="${y + below}" width="${x(usual) - left}" height="${barHeight}" rx="2"/>
<text class="pale" x="${beside(usual, 40)}" y="${y + barHeight + 14}">${usual.toFixed(2)}×</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">
<title>Exchequer through HTTP against PostgreSQL alone</title>
<style>${style}
</style>
<rect class="paper" width="${width}" height="${height}" rx="8"/>
<rect class="ours" x="24" y="16" width="12" height="12" rx="2"/>
<text class="ink" x="42" y="27">Exchequer, through HTTP</text>
<rect class="usual" x="230" y="16" width="12" height="12" rx="2"/>
<text class="ink" x="248" y="27">the usual way: Fastify, a pool, a transaction per request</text>
<text class="engine-name" x="${x(1)}" y="${top - 14}" text-anchor="middle">PostgreSQL alone</text>
${ticks.map((tick) => line(tick, 'grid')).join('\n')}
${bars.join('\n')}
${line(1, 'engine')}
${ticks.map(label).join('\n')}
</svg>
`
}
