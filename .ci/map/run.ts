import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { drawMap } from './draw.ts'
import { circleIn, edgeCount, foldersOf, type Level, levelOf, readImports } from './imports.ts'

/**
 * Counts the folders of the server and their imports, rejects a cycle or an upward import, and draws
 * docs/map.svg: npm run map [-- --check]. With --check it only compares the picture with the code.
 */
const root = fileURLToPath(new URL('../..', import.meta.url))
const picture = `${root}docs/map.svg`

/** From the lowest layer up: a folder imports only from lines above its own in this list. */
const layers: readonly (readonly string[])[] = [
  ['errors.ts', 'line.ts'],
  ['db'],
  ['audit', 'limits', 'notices'],
  ['cells'],
  ['keys', 'realms', 'requests'],
  ['members'],
  ['ledger', 'wallets'],
  ['events', 'files', 'leaderboards', 'web3'],
  ['merges', 'people'],
  ['removal'],
  ['config'],
  ['http'],
  ['observability'],
  ['app'],
  ['commands'],
  ['dev'],
  ['index.ts'],
  ['main.ts'],
]

type Bound = { readonly entries: number; readonly edges?: number }
const bounds: Readonly<Record<string, Bound>> = {
  '': { entries: 28, edges: 168 },
  'http/': { entries: 20 },
  'ledger/': { entries: 5 },
}

function upward({ edges, entries }: Level): string[] {
  const heightOf = new Map(layers.flatMap((layer, height) => layer.map((name) => [name, height] as const)))
  const height = (name: string) => heightOf.get(name) ?? Number.NaN
  const unknown = entries.filter((name) => !heightOf.has(name))
  const pairs = entries.flatMap((from) => [...(edges.get(from) ?? [])].map((to) => [from, to] as const))
  return [
    ...unknown.map((name) => `server/src/${name} has no layer: add it to layers in .ci/map/run.ts`),
    ...pairs
      .filter(([from, to]) => height(from) <= height(to))
      .map(([from, to]) => `server/src/${from} imports ${to}, which is not below it`),
  ]
}

function problemsOf(level: Level): string[] {
  const { folder, entries } = level
  const name = `server/src/${folder}`
  const circle = circleIn(level)
  const bound = bounds[folder]
  const edges = edgeCount(level)
  return [
    ...(circle ? [`${name}: a circle of imports: ${circle.join(' → ')}`] : []),
    ...(bound && entries.length > bound.entries
      ? [`${name}: ${entries.length} entries, at most ${bound.entries}`]
      : []),
    ...(bound?.edges !== undefined && edges > bound.edges
      ? [`${name}: ${edges} imports between them, at most ${bound.edges}`]
      : []),
    ...(folder === '' ? upward(level) : []),
  ]
}

const imports = readImports(`${root}server/src`)
const levels = foldersOf(imports).map((folder) => levelOf(imports, folder))
const problems = levels.flatMap(problemsOf)
const [whole] = levels
if (!whole) throw new Error('server/src has no files')
const drawn = drawMap(whole)
if (process.argv.includes('--check')) {
  if (readFileSync(picture, 'utf8') !== drawn) problems.push('docs/map.svg is not up to date: npm run map')
} else if (problems.length === 0) writeFileSync(picture, drawn)
for (const level of levels.filter(({ folder }) => folder in bounds))
  console.log(`server/src/${level.folder}: ${level.entries.length} entries, ${edgeCount(level)} imports`)
for (const problem of problems) console.error(problem)
console.log(problems.length === 0 ? 'no circle, no upward import' : `${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1
